import { resolve } from 'node:path';
import type { AuditEntry } from '@slipstream/domain';
import { connectionOn, openReader } from '../storage/connection.js';
import { requireOwnFile, usable } from '../storage/own-file.js';
import { entriesAfter, entriesBeforeFirst } from './audit.js';
import { type AuditTables, entryOf, requireNone } from './columns.js';

/** Entries read at once. */
const PAGE = 1_000;

/** The audit log of a database file, read beside the process that has it open: page by page, oldest first. Throws `UnreadableEntry` at one that nobody made. */
export function* auditPages(path: string, after: number): Generator<AuditEntry[]> {
  const file = resolve(path);
  requireOwnFile(file);
  const handle = openReader(file);
  try {
    const { statement } = connectionOn(handle);
    for (let seq = after; ;) {
      const { sql, parameters } = entriesAfter({ seq, limit: PAGE });
      const rows = usable(file, () => statement(sql).all(parameters));
      const page = rows.map((row) => entryOf(row as AuditTables['audit_entries']));
      if (page.length > 0) yield page;
      if (page.length < PAGE) break;
      seq = page.at(-1)?.seq ?? seq;
    }
    requireNone(statement(entriesBeforeFirst.sql).all(entriesBeforeFirst.parameters));
  } finally {
    handle.close();
  }
}
