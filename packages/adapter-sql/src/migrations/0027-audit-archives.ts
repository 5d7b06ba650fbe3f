export const auditArchives = `
CREATE TABLE audit_archives (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;
CREATE TRIGGER audit_archives_follow BEFORE INSERT ON audit_archives
  WHEN NEW.seq <= ifnull((SELECT max(seq) FROM audit_archives), 0) OR NEW.seq = (SELECT max(seq) FROM audit_entries)
    OR NOT EXISTS (SELECT 1 FROM audit_entries WHERE seq = NEW.seq AND hash = NEW.hash)
  BEGIN SELECT RAISE(ABORT, 'audit archives follow one another'); END;
CREATE TRIGGER audit_archives_stay BEFORE UPDATE ON audit_archives
  BEGIN SELECT RAISE(ABORT, 'audit archives are not changed'); END;
CREATE TRIGGER audit_archives_remain BEFORE DELETE ON audit_archives
  BEGIN SELECT RAISE(ABORT, 'audit archives are not removed'); END;
DROP TRIGGER audit_entries_remain;
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries WHEN OLD.seq > ifnull((SELECT max(seq) FROM audit_archives), 0)
  BEGIN SELECT RAISE(ABORT, 'audit entries are not removed'); END;
`;
