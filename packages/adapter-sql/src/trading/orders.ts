import type { OrderId, StrategyId } from '@slipstream/domain';
import type { OrderStore, TradeStore } from '@slipstream/ports';
import { orderOf } from './order-row.js';
import { build, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { tradeColumns } from './columns.js';

const orderById = prepared<{ id: OrderId }>()((param) =>
  build.selectFrom('orders').selectAll().where('id', '=', param('id')),
);
const pageOfOrders = pages('orders', orderOf, 'strategy_id', 'status');

export const sqlOrders = (session: Session): OrderStore => ({
  find: async (id) => {
    const row = await session.row(orderById({ id }));
    return row && orderOf(row);
  },
  list: async (strategyId, status, page) =>
    pageOfOrders(session, { strategy_id: strategyId, status }, page),
});

const pageOfTrades = pages('trades', tradeColumns.load, 'strategy_id');
const ledgerOf = prepared<{ strategyId: StrategyId }>()((param) =>
  build
    .selectFrom('trades')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .orderBy('created_at')
    .orderBy('id'),
);

export const sqlTrades = (session: Session): TradeStore => ({
  list: async (strategyId, page) => pageOfTrades(session, { strategy_id: strategyId }, page),
  ledger: async (strategyId) =>
    (await session.rows(ledgerOf({ strategyId }))).map(tradeColumns.load),
});
