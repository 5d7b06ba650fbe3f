import { type NotificationType, type Timestamp, type UserId, id } from '@slipstream/domain';
import type { NotificationStore } from '@slipstream/ports';
import { build, once, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { chunks, inChunks, inOrderOf } from '../storage/lists.js';
import { pages } from '../storage/pages.js';
import { notificationColumns } from './columns.js';

const pageOfUser = pages('notifications', notificationColumns.load, 'user_id');
const unreadOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .where('read_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
);
const toldSince = prepared<{
  userId: UserId;
  type: NotificationType;
  actorId: UserId;
  since: Timestamp;
}>()((param) =>
  build
    .selectFrom('notifications')
    .select('strategy_id')
    .distinct()
    .where('user_id', '=', param('userId'))
    .where('actor_id', '=', param('actorId'))
    .where('type', '=', param('type'))
    .where('created_at', '>', param('since')),
);
const saveNotification = upsert('notifications', notificationColumns, 'id');
/** Rows removed by one statement. */
const PIECE = 500;
const removeSome = prepared<{ userId: UserId }>()((param) =>
  build
    .deleteFrom('notifications')
    .where('id', 'in', (of) =>
      of
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', param('userId'))
        .limit(PIECE),
    ),
);

const idsBeyond = prepared<{ userId: UserId; keep: number; limit: number }>()((param) =>
  build
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', param('userId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('keep')),
);

export const sqlNotifications = (session: Session): NotificationStore => ({
  find: async (userId, notificationIds) => {
    const rows = await inChunks(notificationIds, (ids) =>
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
  list: async (userId, page) => pageOfUser(session, { user_id: userId }, page),
  unread: async (userId) => session.all(unreadOfUser({ userId }), notificationColumns.load),
  wasNotified: async ({ userId, type, actorId, strategyId }, since) => {
    const told = await session.rows(toldSince({ userId, type, actorId, since }));
    return told.some((row) => row.strategy_id === strategyId);
  },
  save: async (notification) => void session.write(saveNotification(notification)),
  beyond: (userId, keep, limit) =>
    session.list(idsBeyond({ userId, keep, limit }), (row) => id<'notification'>(row.id)),
  remove: async (userId, notificationIds) => {
    if (!notificationIds) {
      while ((await session.change(removeSome({ userId }))) === PIECE) await session.rest();
      return;
    }
    for (const ids of chunks(notificationIds))
      session.write(
        once(
          build.deleteFrom('notifications').where('id', 'in', ids).where('user_id', '=', userId),
        ),
      );
  },
});
