import type { ChainHead } from '@slipstream/domain';
import type { AuditStore } from '@slipstream/ports';
import { sql } from 'kysely';
import { build, insert, once, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { auditColumns } from './columns.js';

const newestEntry = once(
  build
    .selectFrom('audit_entries')
    .select(['seq', 'hash'])
    // Every entry is later: SQLite then searches the index instead of walking it.
    .where('seq', '>', sql.lit(0))
    .orderBy('seq', 'desc')
    .limit(1),
);
export const entriesAfter = prepared<{ seq: number; limit: number }>()((param) =>
  build
    .selectFrom('audit_entries')
    .selectAll()
    .where('seq', '>', param('seq'))
    .orderBy('seq')
    .limit(param('limit')),
);
/** Nobody makes one. */
export const entriesBeforeFirst = once(
  build
    .selectFrom('audit_entries')
    .select('seq')
    .where('seq', '<', sql.lit(1))
    .orderBy('seq')
    .limit(1),
);
const newestArchive = once(
  build.selectFrom('audit_archives').selectAll().orderBy('seq', 'desc').limit(1),
);
const addArchive = prepared<ChainHead>()((param) =>
  build.insertInto('audit_archives').values({ seq: param('seq'), hash: param('hash') }),
);
const removeEntries = prepared<{ seq: number; limit: number }>()((param) =>
  build
    .deleteFrom('audit_entries')
    .where('seq', 'in', (of) =>
      of
        .selectFrom('audit_entries')
        .select('seq')
        .where('seq', '<=', param('seq'))
        .orderBy('seq')
        .limit(param('limit')),
    ),
);
const addEntry = insert('audit_entries', auditColumns, 'seq');

export const sqlAudit = (session: Session): AuditStore => ({
  last: async () => {
    const known = session.records.get('auditHeads', '');
    if (known) return known;
    const head = await session.row(newestEntry);
    if (head) session.records.read('auditHeads', '', head);
    return head;
  },
  listAfter: (seq, limit) => session.list(entriesAfter({ seq, limit }), auditColumns.load),
  archived: async () => await session.row(newestArchive),
  save: async (entry) => {
    session.write(addEntry(entry));
    session.records.written('auditHeads', '', { seq: entry.seq, hash: entry.hash });
  },
  remove: async ({ seq, hash }, limit) => {
    const archived = await session.row(newestArchive);
    if (archived?.seq !== seq) session.write(addArchive({ seq, hash }));
    return session.change(removeEntries({ seq, limit }));
  },
});
