import type { OrderStore } from '@slipstream/ports';
import { orderOf } from './order-row.js';
import { rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';

const orderById = rowBy('orders', 'id');
const pageOfOrders = pages('orders', orderOf, 'strategy_id', 'status');

export const sqlOrders = (session: Session): OrderStore => ({
  find: (id) => session.find(orderById(id), orderOf),
  list: async (strategyId, status, page) =>
    pageOfOrders(session, { strategy_id: strategyId, status }, page),
});
