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
