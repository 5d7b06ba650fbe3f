/** The halts of trading that stand, and those of which the owner of a bot was notified. */
export const halts = `
CREATE TABLE halts (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  target TEXT,
  reason TEXT NOT NULL,
  by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX halts_by_target ON halts (scope, target);
CREATE INDEX halts_by_age ON halts (created_at, id);
ALTER TABLE bots ADD COLUMN halts_seen TEXT NOT NULL DEFAULT '[]';
`;
