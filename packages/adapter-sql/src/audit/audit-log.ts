import { resolve } from 'node:path';
import type { AuditEntry } from '@slipstream/domain';
import { connectionOn, openReader } from '../storage/connection.js';
import { requireOwnFile } from '../storage/own-file.js';
import { entriesAfter } from './audit.js';
import { type AuditTables, entryOf } from './columns.js';

/** Entries read at once. */
const PAGE = 1_000;

/** The audit log of a database file, read beside the process that has it open: page by page, oldest first. */
export function* auditPages(path: string, after: number): Generator<AuditEntry[]> {
  const file = resolve(path);
  requireOwnFile(file);
  const handle = openReader(file);
  try {
    const { statement } = connectionOn(handle);
    for (let seq = after; ;) {
      const { sql, parameters } = entriesAfter({ seq, limit: PAGE });
      const page = statement(sql)
        .all(parameters)
        .map((row) => entryOf(row as AuditTables['audit_entries']));
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      seq = page.at(-1)?.seq ?? seq;
    }
  } finally {
    handle.close();
  }
}
