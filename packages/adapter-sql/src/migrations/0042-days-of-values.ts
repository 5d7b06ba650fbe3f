/** The last measured day of each strategy, from its next day on. */
export const daysOfValues = `
CREATE TABLE value_days (
  strategy_id TEXT PRIMARY KEY,
  last TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  high TEXT NOT NULL,
  low TEXT NOT NULL,
  drawdown TEXT NOT NULL,
  gross TEXT NOT NULL,
  held_for INTEGER NOT NULL,
  is_recorded INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX value_days_unrecorded ON value_days (last_at) WHERE is_recorded = 0;
`;
