/** Records of before are one segment of unknown prices. The last run of the service tells long stops and other markets. */
export const segments = `
ALTER TABLE strategies ADD COLUMN segments TEXT NOT NULL DEFAULT '[]';
ALTER TABLE strategies ADD COLUMN segment_opening TEXT;
UPDATE strategies SET segments = json_array(json_object(
  'kind', 'unknown', 'reason', 'created', 'startedAt', created_at, 'startValue', '1', 'jump', NULL, 'end', NULL));
CREATE INDEX strategies_opening ON strategies (id) WHERE segment_opening IS NOT NULL;
CREATE TABLE market_runs (
  name TEXT PRIMARY KEY,
  market TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
`;
