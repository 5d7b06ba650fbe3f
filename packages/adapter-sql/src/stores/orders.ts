import type { OrderId, OrderStatus, StrategyId } from '@slipstream/domain';
import type { OrderStore, TradeStore } from '@slipstream/ports';
import { orderOf } from '../order-row.js';
import { build, prepared } from '../queries.js';
import type { Session } from '../session.js';
import { tradeColumns } from '../tables.js';
import { NEWEST, type Place } from './lists.js';

const orderById = prepared<{ id: OrderId }>()((slot) =>
  build.selectFrom('orders').selectAll().where('id', '=', slot('id')),
);
const placeOfOrder = prepared<{ strategyId: StrategyId; cursor: string }>()((slot) =>
  build
    .selectFrom('orders')
    .select(['created_at', 'id'])
    .where('id', '=', slot('cursor'))
    .where('strategy_id', '=', slot('strategyId')),
);
const pageOfOrders = prepared<
  { strategyId: StrategyId; status: OrderStatus; limit: number } & Place
>()((slot) =>
  build
    .selectFrom('orders')
    .selectAll()
    .where('strategy_id', '=', slot('strategyId'))
    .where('status', '=', slot('status'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(slot('created_at'), slot('id'))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(slot('limit')),
);

export const sqlOrders = (session: Session): OrderStore => ({
  find: async (id) => {
    const row = session.row(orderById({ id }));
    return row && orderOf(row);
  },
  list: async (strategyId, status, { limit, cursor }) => {
    const after = cursor === undefined ? NEWEST : session.row(placeOfOrder({ strategyId, cursor }));
    if (!after) return [];
    return session.rows(pageOfOrders({ strategyId, status, limit, ...after })).map(orderOf);
  },
});

const placeOfTrade = prepared<{ strategyId: StrategyId; cursor: string }>()((slot) =>
  build
    .selectFrom('trades')
    .select(['created_at', 'id'])
    .where('id', '=', slot('cursor'))
    .where('strategy_id', '=', slot('strategyId')),
);
const pageOfTrades = prepared<{ strategyId: StrategyId; limit: number } & Place>()((slot) =>
  build
    .selectFrom('trades')
    .selectAll()
    .where('strategy_id', '=', slot('strategyId'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(slot('created_at'), slot('id'))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(slot('limit')),
);
const ledgerOf = prepared<{ strategyId: StrategyId }>()((slot) =>
  build
    .selectFrom('trades')
    .selectAll()
    .where('strategy_id', '=', slot('strategyId'))
    .orderBy('created_at')
    .orderBy('id'),
);

export const sqlTrades = (session: Session): TradeStore => ({
  list: async (strategyId, { limit, cursor }) => {
    const after = cursor === undefined ? NEWEST : session.row(placeOfTrade({ strategyId, cursor }));
    if (!after) return [];
    return session.rows(pageOfTrades({ strategyId, limit, ...after })).map(tradeColumns.load);
  },
  ledger: async (strategyId) => session.rows(ledgerOf({ strategyId })).map(tradeColumns.load),
});
