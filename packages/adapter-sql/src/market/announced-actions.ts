import type { Timestamp } from '@slipstream/domain';
import type { AnnouncedActionStore } from '@slipstream/ports';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { announcedColumns } from './columns.js';

const announcedById = rowBy('announced_actions', 'id');
const openActions = prepared<object>()(() =>
  build
    .selectFrom('announced_actions')
    .selectAll()
    .where('status', 'in', ['pending', 'held'])
    .orderBy('due_at')
    .orderBy('id'),
);
const actionsDueSince = prepared<{ from: Timestamp }>()((param) =>
  build
    .selectFrom('announced_actions')
    .selectAll()
    .where('due_at', '>=', param('from'))
    .orderBy('due_at')
    .orderBy('id'),
);
const saveAnnounced = upsert('announced_actions', announcedColumns, 'id');

export const sqlAnnouncedActions = (session: Session): AnnouncedActionStore => ({
  find: (id) => session.find(announcedById(id), announcedColumns.load),
  open: () => session.list(openActions({}), announcedColumns.load),
  dueSince: (from) => session.list(actionsDueSince({ from }), announcedColumns.load),
  save: async (action) => void session.write(saveAnnounced(action)),
});
