import type { AlertRecordId, OrderId, StrategyId, Timestamp, UserId } from '@slipstream/domain';
import type { AlertStore } from '@slipstream/ports';
import { build, once, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { chunks } from '../storage/lists.js';
import { pages } from '../storage/pages.js';
import { alertColumns } from './columns.js';

const alertById = prepared<{ id: AlertRecordId }>()((slot) =>
  build.selectFrom('alerts').selectAll().where('id', '=', slot('id')),
);
const firstWithAlertId = prepared<{ strategyId: StrategyId; alertId: string }>()((slot) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('strategy_id', '=', slot('strategyId'))
    .where('alert_id', '=', slot('alertId'))
    .where('answer', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
);
const answeredSince = prepared<{ since: Timestamp }>()((slot) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('created_at', '>=', slot('since'))
    .where('answer', 'is not', null)
    .orderBy('rowid'),
);
const alertOfOrder = prepared<{ orderId: OrderId }>()((slot) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('order_id', '=', slot('orderId'))
    .where('answer', 'is not', null),
);

const pageOfStrategy = pages('alerts', alertColumns.load, 'strategy_id');
const pageOfUser = pages('alerts', alertColumns.load, 'user_id');
const expiredAlerts = prepared<{ before: Timestamp; limit: number }>()((slot) =>
  build
    .selectFrom('alerts')
    .select('id')
    .where('created_at', '<', slot('before'))
    .where(({ eb, or }) => or([eb('alert_id', 'is', null), eb('answer', 'is', null)]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(slot('limit')),
);
const alertsOfUser = prepared<{ userId: UserId }>()((slot) =>
  build
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', slot('userId')),
);
const oldestRefused = prepared<{ userId: UserId; limit: number }>()((slot) =>
  build
    .selectFrom('alerts')
    .select('id')
    .where('user_id', '=', slot('userId'))
    .where('verdict', '=', 'refused')
    .orderBy('created_at')
    .orderBy('id')
    .limit(slot('limit')),
);
const oldestOthers = prepared<{ userId: UserId; before: Timestamp; limit: number }>()((slot) =>
  build
    .selectFrom('alerts')
    .select('id')
    .where('user_id', '=', slot('userId'))
    .where('created_at', '<', slot('before'))
    .where(({ eb, or }) => or([eb('alert_id', 'is', null), eb('answer', 'is', null)]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(slot('limit')),
);
const alertsWithBody = prepared<{ userId: UserId; limit: number }>()((slot) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('user_id', '=', slot('userId'))
    .where('body', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(slot('limit')),
);
const saveAlert = upsert('alerts', alertColumns, 'id');

export const sqlAlerts = (session: Session): AlertStore => ({
  find: async (id) => {
    const row = session.row(alertById({ id }));
    return row && alertColumns.load(row);
  },
  findFirst: async (strategyId, alertId) => {
    const row = session.row(firstWithAlertId({ strategyId, alertId }));
    return row && alertColumns.load(row);
  },
  answeredSince: async (since) => session.rows(answeredSince({ since })).map(alertColumns.load),
  findByOrder: async (orderId) => {
    const row = session.row(alertOfOrder({ orderId }));
    return row && alertColumns.load(row);
  },
  listOfStrategy: async (strategyId, page) =>
    pageOfStrategy(session, { strategy_id: strategyId }, page),
  listOfUser: async (userId, page) => pageOfUser(session, { user_id: userId }, page),
  expired: async (before, limit) =>
    session.rows(expiredAlerts({ before, limit })).map((row) => row.id as AlertRecordId),
  beyond: async (userId, keep, before, most) => {
    const { count } = session.row(alertsOfUser({ userId })) ?? { count: 0 };
    if (count <= keep) return [];
    const limit = Math.min(most, count - keep);
    const refused = session.rows(oldestRefused({ userId, limit }));
    const found =
      refused.length > 0 ? refused : session.rows(oldestOthers({ userId, before, limit }));
    return found.map(({ id }) => id as AlertRecordId);
  },
  withBody: async (userId, limit) =>
    session.rows(alertsWithBody({ userId, limit })).map(alertColumns.load),
  save: async (record) => void session.write(saveAlert(record)),
  remove: async (ids) => {
    for (const some of chunks(ids))
      session.write(once(build.deleteFrom('alerts').where('id', 'in', some)));
  },
});
