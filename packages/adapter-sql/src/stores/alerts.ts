import type { AlertRecordId, OrderId, StrategyId, Timestamp, UserId } from '@slipstream/domain';
import type { AlertStore } from '@slipstream/ports';
import { alertColumns } from '../inbox-tables.js';
import { build, once, prepared, upsert } from '../queries.js';
import type { Session } from '../session.js';
import { NEWEST, type Place, chunks } from './lists.js';

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
    .orderBy('created_at')
    .orderBy('id'),
);
const alertOfOrder = prepared<{ orderId: OrderId }>()((slot) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('order_id', '=', slot('orderId'))
    .where('answer', 'is not', null),
);

const place = build.selectFrom('alerts').select(['created_at', 'id']);
const placeOfStrategy = prepared<{ strategyId: StrategyId; cursor: string }>()((slot) =>
  place.where('id', '=', slot('cursor')).where('strategy_id', '=', slot('strategyId')),
);
const placeOfUser = prepared<{ userId: UserId; cursor: string }>()((slot) =>
  place.where('id', '=', slot('cursor')).where('user_id', '=', slot('userId')),
);
const newestFirst = build
  .selectFrom('alerts')
  .selectAll()
  .orderBy('created_at', 'desc')
  .orderBy('id', 'desc');
const pageOfStrategy = prepared<{ strategyId: StrategyId; limit: number } & Place>()((slot) =>
  newestFirst
    .where('strategy_id', '=', slot('strategyId'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(slot('created_at'), slot('id'))),
    )
    .limit(slot('limit')),
);
const pageOfUser = prepared<{ userId: UserId; limit: number } & Place>()((slot) =>
  newestFirst
    .where('user_id', '=', slot('userId'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(slot('created_at'), slot('id'))),
    )
    .limit(slot('limit')),
);
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
  listOfStrategy: async (strategyId, { limit, cursor }) => {
    const after =
      cursor === undefined ? NEWEST : session.row(placeOfStrategy({ strategyId, cursor }));
    if (!after) return [];
    return session.rows(pageOfStrategy({ strategyId, limit, ...after })).map(alertColumns.load);
  },
  listOfUser: async (userId, { limit, cursor }) => {
    const after = cursor === undefined ? NEWEST : session.row(placeOfUser({ userId, cursor }));
    if (!after) return [];
    return session.rows(pageOfUser({ userId, limit, ...after })).map(alertColumns.load);
  },
  expired: async (before, limit) =>
    session.rows(expiredAlerts({ before, limit })).map((row) => row.id as AlertRecordId),
  save: async (record) => void session.write(saveAlert(record)),
  remove: async (ids) => {
    for (const some of chunks(ids))
      session.write(once(build.deleteFrom('alerts').where('id', 'in', some)));
  },
});
