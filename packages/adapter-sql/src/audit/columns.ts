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

export interface AuditTables {
  readonly audit_entries: RowOf<typeof auditColumns>;
  /** Where each archive ends. */
  readonly audit_archives: { readonly seq: number; readonly hash: string };
}

/** An entry is stored in a form that nobody wrote: its row was changed. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
  constructor(readonly seq: number) {
    super(`audit entry ${seq} cannot be read: it was changed after it was made`);
  }
}

/** The entry of a row, read beside the process that has the database open. */
export function entryOf(row: AuditTables['audit_entries']): AuditEntry {
  try {
    const entry = auditColumns.load(row);
    // Throws when it is no time.
    new Date(entry.at).toISOString();
    return entry;
  } catch {
    throw new UnreadableEntry(Number(row.seq));
  }
}
