export const audit = `
CREATE TABLE audit_entries (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token_id TEXT,
  ip TEXT,
  action TEXT NOT NULL,
  objects TEXT NOT NULL,
  outcome TEXT NOT NULL,
  code TEXT,
  request_id TEXT,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_entries_follow BEFORE INSERT ON audit_entries
  WHEN NEW.seq <> 1 + (SELECT ifnull(max(seq), 0) FROM audit_entries)
  BEGIN SELECT RAISE(ABORT, 'audit entries follow one another'); END;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
  BEGIN SELECT RAISE(ABORT, 'audit entries are not changed'); END;
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries
  BEGIN SELECT RAISE(ABORT, 'audit entries are not removed'); END;
`;
