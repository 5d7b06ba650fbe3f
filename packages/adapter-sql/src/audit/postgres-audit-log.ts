import type { AuditEntry } from '@slipstream/domain';
import { connect } from '../postgres/client.js';
import { entriesAfter, entriesBeforeFirst } from './audit.js';
import { type AuditTables, entryOf, requireNone } from './columns.js';

/** Entries read at once. */
const PAGE = 1_000;

/** The audit log of a PostgreSQL database, read beside the process that has it open: page by page, oldest first. Throws `UnreadableEntry` at one that nobody made. */
export async function* postgresAuditPages(
  url: string,
  after: number,
): AsyncGenerator<AuditEntry[]> {
  const client = await connect(url, 'slipstream audit');
  try {
    for (let seq = after; ;) {
      const { rows } = await client.query(entriesAfter({ seq, limit: PAGE }));
      const page = rows.map((row) => entryOf(row as AuditTables['audit_entries']));
      if (page.length > 0) yield page;
      if (page.length < PAGE) break;
      seq = page.at(-1)?.seq ?? seq;
    }
    requireNone((await client.query(entriesBeforeFirst)).rows);
  } finally {
    await client.end();
  }
}
