import type { AuditEntry } from '@slipstream/domain';
import { type RowOf, columnsOf, integer, json, nullable, text } from '../storage/codec.js';

export const auditColumns = columnsOf<AuditEntry>()({
  seq: integer,
  at: integer,
  actor: text(),
  tokenId: nullable(text()),
  ip: nullable(text()),
  action: text(),
  objects: json(),
  outcome: text(),
  code: nullable(text()),
  requestId: nullable(text()),
  prevHash: text(),
  hash: text(),
});

/** The table of the audit log. */
export interface AuditTables {
  readonly audit_entries: RowOf<typeof auditColumns>;
  /** Where each archive ends. */
  readonly audit_archives: { readonly seq: number; readonly hash: string };
}

/** Append-only in the database too: what replaces a row would have to insert one that does not follow the last. */
export const auditSchema = `
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

const ARCHIVED = 'ifnull((SELECT max(seq) FROM audit_archives), 0)';

/** Entries go once they are in an archive; the last one stays, for the next one follows it. */
export const auditArchives = `
CREATE TABLE audit_archives (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;
CREATE TRIGGER audit_archives_follow BEFORE INSERT ON audit_archives
  WHEN NEW.seq <= ${ARCHIVED} OR NEW.seq = (SELECT max(seq) FROM audit_entries)
    OR NOT EXISTS (SELECT 1 FROM audit_entries WHERE seq = NEW.seq AND hash = NEW.hash)
  BEGIN SELECT RAISE(ABORT, 'audit archives follow one another'); END;
CREATE TRIGGER audit_archives_stay BEFORE UPDATE ON audit_archives
  BEGIN SELECT RAISE(ABORT, 'audit archives are not changed'); END;
CREATE TRIGGER audit_archives_remain BEFORE DELETE ON audit_archives
  BEGIN SELECT RAISE(ABORT, 'audit archives are not removed'); END;
DROP TRIGGER audit_entries_remain;
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries WHEN OLD.seq > ${ARCHIVED}
  BEGIN SELECT RAISE(ABORT, 'audit entries are not removed'); END;
`;
