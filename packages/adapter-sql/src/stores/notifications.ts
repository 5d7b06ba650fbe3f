import type { NotificationType, Timestamp, UserId } from '@slipstream/domain';
import type { NotificationStore } from '@slipstream/ports';
import { build, once, prepared, upsert } from '../queries.js';
import type { Session } from '../session.js';
import { notificationColumns } from '../social-tables.js';
import { NEWEST, type Place, chunks, inOrderOf } from './lists.js';

const newestFirst = build
  .selectFrom('notifications')
  .selectAll()
  .orderBy('created_at', 'desc')
  .orderBy('id', 'desc');

const placeOfCursor = prepared<{ userId: UserId; cursor: string }>()((slot) =>
  build
    .selectFrom('notifications')
    .select(['created_at', 'id'])
    .where('id', '=', slot('cursor'))
    .where('user_id', '=', slot('userId')),
);
const pageOfUser = prepared<{ userId: UserId; limit: number } & Place>()((slot) =>
  newestFirst
    .where('user_id', '=', slot('userId'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(slot('created_at'), slot('id'))),
    )
    .limit(slot('limit')),
);
const unreadOfUser = prepared<{ userId: UserId }>()((slot) =>
  newestFirst.where('user_id', '=', slot('userId')).where('read_at', 'is', null),
);
const toldSince = prepared<{
  userId: UserId;
  type: NotificationType;
  actorId: UserId;
  since: Timestamp;
}>()((slot) =>
  build
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', slot('userId'))
    .where('actor_id', '=', slot('actorId'))
    .where('type', '=', slot('type'))
    .where('created_at', '>', slot('since'))
    .limit(1),
);
const saveNotification = upsert('notifications', notificationColumns, 'id');
const removeOfUser = prepared<{ userId: UserId }>()((slot) =>
  build.deleteFrom('notifications').where('user_id', '=', slot('userId')),
);

export const sqlNotifications = (session: Session): NotificationStore => ({
  find: async (userId, notificationIds) => {
    const rows = chunks(notificationIds).flatMap((ids) =>
      session.rows(
        once(
          build
            .selectFrom('notifications')
            .selectAll()
            .where('id', 'in', ids)
            .where('user_id', '=', userId),
        ),
      ),
    );
    return inOrderOf(notificationIds, rows.map(notificationColumns.load));
  },
  list: async (userId, { limit, cursor }) => {
    const after = cursor === undefined ? NEWEST : session.row(placeOfCursor({ userId, cursor }));
    if (!after) return [];
    return session.rows(pageOfUser({ userId, limit, ...after })).map(notificationColumns.load);
  },
  unread: async (userId) => session.rows(unreadOfUser({ userId })).map(notificationColumns.load),
  told: async (userId, type, actorId, since) =>
    session.row(toldSince({ userId, type, actorId, since })) !== undefined,
  save: async (notification) => void session.write(saveNotification(notification)),
  remove: async (userId) => void session.write(removeOfUser({ userId })),
});
