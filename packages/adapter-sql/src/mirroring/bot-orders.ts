import {
  type BotId,
  type BotOrder,
  OUTSTANDING_STATUSES,
  type Timestamp,
  isOutstanding,
} from '@slipstream/domain';
import type { BotOrderStore } from '@slipstream/ports';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { CachedRecords } from '../storage/record-cache.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { botOrderColumns } from './columns.js';

const botOrderById = rowBy('bot_orders', 'id');
const pageOfBotOrders = pages('bot_orders', botOrderColumns.load, 'bot_id');
const ordersSince = prepared<{ botId: BotId; from: Timestamp }>()((param) =>
  build
    .selectFrom('bot_orders')
    .selectAll()
    .where('bot_id', '=', param('botId'))
    .where('created_at', '>=', param('from'))
    .orderBy('created_at')
    .orderBy('id'),
);
const outstandingOrders = prepared<{ botId: BotId }>()((param) =>
  build
    .selectFrom('bot_orders')
    .selectAll()
    .where('bot_id', '=', param('botId'))
    .where('status', 'in', OUTSTANDING_STATUSES)
    .orderBy('created_at')
    .orderBy('id'),
);
/** The orders of a day, of most bots. */
const MOST_LATE = 20;
const LATE = 86_400_000;

/** The orders, oldest first, with this one as it is saved. */
const withSaved = (orders: readonly BotOrder[], saved: BotOrder): readonly BotOrder[] =>
  [...orders.filter(({ id }) => id !== saved.id), saved].toSorted(
    (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
  );

/** What is known of the late orders once that one is saved; undefined when it is too much. */
function lateWith(
  late: CachedRecords['lateOrders'],
  saved: BotOrder,
): CachedRecords['lateOrders'] | undefined {
  const from = Math.max(late.from, saved.createdAt - LATE);
  const orders = withSaved(late.orders, saved).filter(({ createdAt }) => createdAt >= from);
  return orders.length > MOST_LATE ? undefined : { from, orders };
}

const saveBotOrder = upsert('bot_orders', botOrderColumns, 'id');

export const sqlBotOrders = (session: Session): BotOrderStore => ({
  find: (id) => session.find(botOrderById(id), botOrderColumns.load),
  list: async (botId, page) => pageOfBotOrders(session, { bot_id: botId }, page),
  since: async (botId, from) => {
    const known = session.records.get('lateOrders', botId);
    if (known && known.from <= from)
      return known.orders.filter(({ createdAt }) => createdAt >= from);
    const orders = await session.list(ordersSince({ botId, from }), botOrderColumns.load);
    if (orders.length <= MOST_LATE) session.records.read('lateOrders', botId, { from, orders });
    return orders;
  },
  outstanding: async (botId) => {
    const known = session.records.get('outstanding', botId);
    if (known) return known.orders;
    const orders = await session.list(outstandingOrders({ botId }), botOrderColumns.load);
    session.records.read('outstanding', botId, { orders });
    return orders;
  },
  save: async (order) => {
    const { records } = session;
    const { botId } = order;
    session.write(saveBotOrder(order));
    const outstanding = records.get('outstanding', botId);
    const late = records.get('lateOrders', botId);
    records.written(
      'outstanding',
      botId,
      outstanding && { orders: withSaved(outstanding.orders, order).filter(isOutstanding) },
    );
    records.written('lateOrders', botId, late && lateWith(late, order));
  },
});
