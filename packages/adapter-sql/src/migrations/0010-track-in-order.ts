export const trackInOrder = `
CREATE TABLE track_entries_in_order (
  place INTEGER PRIMARY KEY,
  strategy_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (strategy_id, seq)
) STRICT;
INSERT INTO track_entries_in_order (strategy_id, seq, kind, at, body, previous_hash, hash)
  SELECT strategy_id, seq, kind, at, body, previous_hash, hash FROM track_entries ORDER BY at, strategy_id, seq;
DROP TABLE track_entries;
ALTER TABLE track_entries_in_order RENAME TO track_entries;
CREATE TRIGGER track_entries_stay BEFORE UPDATE ON track_entries
  BEGIN SELECT RAISE(ABORT, 'track entries are not changed'); END;
CREATE TRIGGER track_entries_remain BEFORE DELETE ON track_entries
  BEGIN SELECT RAISE(ABORT, 'track entries are not removed'); END;
`;
