import type { AuditStore } from '@slipstream/ports';
import { auditColumns } from '../tables/audit.js';
import { build, insert, once, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';

/** Only its first row is taken. */
const newestFirst = once(
  build.selectFrom('audit_entries').select(['seq', 'hash']).orderBy('seq', 'desc'),
);
export const entriesAfter = prepared<{ seq: number; limit: number }>()((slot) =>
  build
    .selectFrom('audit_entries')
    .selectAll()
    .where('seq', '>', slot('seq'))
    .orderBy('seq')
    .limit(slot('limit')),
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
  save: async (entry) => {
    session.write(addEntry(entry));
    session.records.written('auditHeads', '', { seq: entry.seq, hash: entry.hash });
  },
});
