import type { AuditStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryAudit = ({ audit, auditArchived, refuse }: Tables): AuditStore => ({
  last: async () => {
    const entry = audit.values().at(-1);
    return entry && { seq: entry.seq, hash: entry.hash };
  },
  listAfter: async (seq, limit) => {
    const entries = audit.values();
    const from = Math.max(0, seq - (entries[0]?.seq ?? 1) + 1);
    return entries.slice(from, from + limit);
  },
  archived: async () => auditArchived.get('head'),
  save: async (entry) => {
    const expected = (audit.keys().at(-1) ?? 0) + 1;
    if (entry.seq !== expected) refuse(`audit entry ${entry.seq} does not follow`);
    audit.set(entry.seq, entry);
  },
  remove: async ({ seq, hash }, limit) => {
    const archived = auditArchived.get('head')?.seq ?? 0;
    const isThere = audit.get(seq)?.hash === hash && seq !== audit.keys().at(-1);
    if (seq !== archived && (!isThere || seq < archived))
      refuse(`audit entry ${seq} cannot be archived`);
    auditArchived.set('head', { seq, hash });
    const gone = audit
      .keys()
      .filter((place) => place <= seq)
      .slice(0, limit);
    for (const place of gone) audit.delete(place);
    return gone.length;
  },
});
