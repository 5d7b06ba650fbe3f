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

/** An entry is stored in a form that nobody wrote, or at a place that none has: its row was changed, or inserted. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry';
  constructor(
    readonly seq: number,
    readonly reason = 'it was changed after it was made',
  ) {
    super(`audit entry ${seq} cannot be read: ${reason}`);
  }
}

/** Throws when there is a row before the first entry. */
export function requireNone([row]: readonly unknown[]): void {
  if (row !== undefined)
    throw new UnreadableEntry(
      Number((row as AuditTables['audit_entries']).seq),
      'it is before the first one',
    );
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
