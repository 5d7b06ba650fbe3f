import type { ChainHead } from '@slipstream/domain';
import type { AuditStore } from '@slipstream/ports';
import { build, insert, once, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { auditColumns } from './columns.js';

/** Only its first row is taken. */
const newestFirst = once(
  build.selectFrom('audit_entries').select(['seq', 'hash']).orderBy('seq', 'desc'),
);
export const entriesAfter = prepared<{ seq: number; limit: number }>()((param) =>
  build
    .selectFrom('audit_entries')
    .selectAll()
    .where('seq', '>', param('seq'))
    .orderBy('seq')
    .limit(param('limit')),
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
const addEntry = insert('audit_entries', auditColumns);

export const sqlAudit = (session: Session): AuditStore => ({
  last: async () => {
    const known = session.records.get('auditHeads', '');
    if (known) return known;
    const head = session.row(newestFirst);
    if (head) session.records.read('auditHeads', '', head);
    return head;
  },
  listAfter: async (seq, limit) =>
    session.rows(entriesAfter({ seq, limit })).map(auditColumns.load),
  archived: async () => session.row(newestArchive),
  save: async (entry) => {
    session.write(addEntry(entry));
    session.records.written('auditHeads', '', { seq: entry.seq, hash: entry.hash });
  },
  remove: async ({ seq, hash }, limit) => {
    const archived = session.row(newestArchive);
    if (archived?.seq !== seq) session.write(addArchive({ seq, hash }));
    return session.write(removeEntries({ seq, limit }));
  },
});
