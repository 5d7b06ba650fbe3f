import type { OrderId } from '@slipstream/domain';
import type { OrderStore } from '@slipstream/ports';
import { orderOf } from './order-row.js';
import { build, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';

const orderById = prepared<{ id: OrderId }>()((param) =>
  build.selectFrom('orders').selectAll().where('id', '=', param('id')),
);
const pageOfOrders = pages('orders', orderOf, 'strategy_id', 'status');

export const sqlOrders = (session: Session): OrderStore => ({
  find: (id) => session.find(orderById({ id }), orderOf),
  list: async (strategyId, status, page) =>
    pageOfOrders(session, { strategy_id: strategyId, status }, page),
});
