import type { AlertRecordId, OrderId, StrategyId, Timestamp, UserId } from '@slipstream/domain';
import type { AlertStore } from '@slipstream/ports';
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../storage/database.js';
import { build, insert, once, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { chunks } from '../storage/lists.js';
import { pages } from '../storage/pages.js';
import { alertColumns, storedAlertColumns } from './columns.js';

const alertById = rowBy('alerts', 'id');
const firstWithAlertId = prepared<{ strategyId: StrategyId; alertId: string }>()((param) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .where('alert_id', '=', param('alertId'))
    .where('answer', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
);
const answeredSince = prepared<{ since: Timestamp }>()((param) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('created_at', '>=', param('since'))
    .where('answer', 'is not', null)
    .orderBy('rowid'),
);
const alertOfOrder = prepared<{ orderId: OrderId }>()((param) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('order_id', '=', param('orderId'))
    .where('answer', 'is not', null),
);

type Expressions = ExpressionBuilder<Database, 'alerts'>;

/** Whether the alert may go: not the answer to a repeat, which may come at any time. */
const isRemovable = ({ eb, or }: Expressions) =>
  or([eb('alert_id', 'is', null), eb('answer', 'is', null)]);

/** Whether nobody waits for the next one after it: not the last alert of a strategy that watches its alerts. */
const isUnwatched = ({ not, exists, selectFrom }: Expressions) =>
  not(
    exists(
      selectFrom('strategies')
        .select('strategies.id')
        .whereRef('strategies.id', '=', 'alerts.strategy_id')
        .where('strategies.alert_watch', 'is not', null)
        .where('strategies.deleted_at', 'is', null)
        .where((of) =>
          of.not(
            of.exists(
              of
                .selectFrom('alerts as later')
                .select('later.id')
                .whereRef('later.strategy_id', '=', 'alerts.strategy_id')
                .whereRef('later.created_at', '>', 'alerts.created_at'),
            ),
          ),
        ),
    ),
  );

const pageOfStrategy = pages('alerts', alertColumns.load, 'strategy_id');
const pageOfUser = pages('alerts', alertColumns.load, 'user_id');
const expiredAlerts = prepared<{ before: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('alerts')
    .select('id')
    .where('created_at', '<', param('before'))
    .where(isRemovable)
    .where(isUnwatched)
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit')),
);
const alertsOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', param('userId')),
);
/** By strategy, because few alerts have an `alert_id` and an index has those of each strategy. */
const answersForEver = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('alerts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('strategy_id', 'in', (of) =>
      of.selectFrom('strategies').select('strategies.id').where('user_id', '=', param('userId')),
    )
    .where('alert_id', 'is not', null)
    .where('answer', 'is not', null),
);
const oldestRefused = prepared<{ userId: UserId; limit: number }>()((param) =>
  build
    .selectFrom('alerts')
    .select('id')
    .where('user_id', '=', param('userId'))
    .where('verdict', '=', 'refused')
    .where(isUnwatched)
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit')),
);
const oldestOthers = prepared<{ userId: UserId; before: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('alerts')
    .select('id')
    .where('user_id', '=', param('userId'))
    .where('created_at', '<', param('before'))
    .where(isRemovable)
    .where(isUnwatched)
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit')),
);
const alertsWithBody = prepared<{ userId: UserId; limit: number }>()((param) =>
  build
    .selectFrom('alerts')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .where('body', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit')),
);
const addAlert = insert('alerts', storedAlertColumns, 'id');
const saveAlert = upsert('alerts', storedAlertColumns, 'id');

export const sqlAlerts = (session: Session): AlertStore => ({
  find: (id) => session.find(alertById(id), alertColumns.load),
  findFirst: (strategyId, alertId) =>
    session.find(firstWithAlertId({ strategyId, alertId }), alertColumns.load),
  answeredSince: (since) => session.list(answeredSince({ since }), alertColumns.load),
  findByOrder: (orderId) => session.find(alertOfOrder({ orderId }), alertColumns.load),
  listOfStrategy: async (strategyId, page) =>
    pageOfStrategy(session, { strategy_id: strategyId }, page),
  listOfUser: async (userId, page) => pageOfUser(session, { user_id: userId }, page),
  expired: (before, limit) =>
    session.list(expiredAlerts({ before, limit }), (row) => row.id as AlertRecordId),
  beyond: async (userId, keep, before, most) => {
    const { count } = (await session.row(alertsOfUser({ userId }))) ?? { count: 0 };
    if (count <= keep) return [];
    const forEver = (await session.row(answersForEver({ userId }))) ?? { count: 0 };
    const limit = Math.min(most, count - forEver.count - keep);
    if (limit <= 0) return [];
    const refused = await session.rows(oldestRefused({ userId, limit }));
    const found =
      refused.length > 0 ? refused : await session.rows(oldestOthers({ userId, before, limit }));
    return found.map(({ id }) => id as AlertRecordId);
  },
  withBody: (userId, limit) => session.list(alertsWithBody({ userId, limit }), alertColumns.load),
  add: async (record) => void session.write(addAlert(record)),
  save: async (record) => void session.write(saveAlert(record)),
  remove: async (ids) => {
    for (const some of chunks(ids))
      session.write(once(build.deleteFrom('alerts').where('id', 'in', some)));
  },
});
