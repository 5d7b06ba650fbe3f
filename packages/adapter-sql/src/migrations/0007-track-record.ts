export const trackRecord = `
CREATE TABLE track_entries (
  strategy_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (strategy_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER track_entries_stay BEFORE UPDATE ON track_entries
  BEGIN SELECT RAISE(ABORT, 'track entries are not changed'); END;
CREATE TRIGGER track_entries_remain BEFORE DELETE ON track_entries
  BEGIN SELECT RAISE(ABORT, 'track entries are not removed'); END;
`;
