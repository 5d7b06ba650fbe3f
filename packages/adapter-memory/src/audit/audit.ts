import type { AuditStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

export const memoryAudit = ({ audit, refuse }: Tables): AuditStore => ({
  last: async () => audit.values().at(-1),
  listAfter: async (seq, limit) => audit.values().slice(seq, seq + limit),
  save: async (entry) => {
    if (entry.seq !== audit.keys().length + 1) refuse(`audit entry ${entry.seq} does not follow`);
    audit.set(entry.seq, entry);
  },
});
