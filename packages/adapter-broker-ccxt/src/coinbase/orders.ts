import { ZERO } from '@slipstream/domain';
import { BrokerUnreachable, type Urgency, unknownStatus } from '@slipstream/ports';
import { readAs } from '../answers.js';
import type { Endpoint, ExchangeApi } from '../exchange-api.js';
import type { FoundOrder, VenueOrder } from '../venue.js';
import {
  type OrderAnswer,
  cancelledAnswer,
  orderAnswer,
  ordersAnswer,
  placedAnswer,
} from './answers.js';

const ADD: Endpoint = { name: 'v3PrivatePostBrokerageOrders', counts: 'orders' };
const CANCEL: Endpoint = { name: 'v3PrivatePostBrokerageOrdersBatchCancel', counts: 'orders' };
const ORDERS: Endpoint = {
  name: 'v3PrivateGetBrokerageOrdersHistoricalBatch',
  counts: 'questions',
};

const PAGE = 100;
const MOST_PAGES = 20;
/** An order that is not among those of this time was not placed: none of a bot's is asked for so late. */
const WINDOW = 30 * 86_400_000;

const OPEN = 'open';
const STATUSES: Readonly<Record<string, FoundOrder['status']>> = {
  PENDING: OPEN,
  QUEUED: OPEN,
  OPEN,
  EDIT_QUEUED: OPEN,
  CANCEL_QUEUED: OPEN,
  FILLED: 'filled',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
  FAILED: 'rejected',
};

const REASONS: Readonly<Record<string, string>> = {
  CANCELLED: 'cancelled at Coinbase',
  EXPIRED: 'expired',
  FAILED: 'rejected at Coinbase',
};

function foundOrder(answer: OrderAnswer): FoundOrder {
  const { status: word, filled_size: filledAmount, average_filled_price: price } = answer;
  const [amount] = Object.values(answer.order_configuration).flatMap((one) => one.base_size ?? []);
  if (!amount) throw new BrokerUnreachable('Coinbase tells an order without its amount');
  const isFilled = filledAmount.gt(ZERO);
  if (isFilled && !price.gt(ZERO)) {
    throw new BrokerUnreachable('Coinbase tells a fill without its price');
  }
  const status = STATUSES[word];
  const state = status
    ? {
        status,
        reason: REASONS[word]
          ? answer.cancel_message || answer.reject_message || REASONS[word]
          : null,
      }
    : unknownStatus('Coinbase', word, { amount, filledAmount });
  return {
    marketName: answer.product_id,
    action: answer.side === 'BUY' ? 'buy' : 'sell',
    amount,
    ...state,
    cancelling:
      word === 'CANCEL_QUEUED' || (state.status === OPEN && answer.pending_cancel === true),
    filledAmount,
    filledPrice: isFilled ? price : null,
    fee: answer.total_fees,
  };
}

const sideOf = ({ action }: VenueOrder): string => action.toUpperCase();

export async function place(api: ExchangeApi, order: VenueOrder, urgency: Urgency): Promise<void> {
  const { clientOrderId, market, amount, limit } = order;
  const base_size = amount.toFixed();
  const { success_response: answer } = await api.ask(
    ADD,
    {
      client_order_id: clientOrderId,
      product_id: market.id,
      side: sideOf(order),
      order_configuration: limit
        ? { limit_limit_gtc: { base_size, limit_price: limit.toFixed(), post_only: false } }
        : { market_market_ioc: { base_size } },
    },
    placedAnswer,
    urgency,
  );
  const isSame =
    answer.client_order_id === clientOrderId &&
    answer.product_id === market.id &&
    answer.side === sideOf(order);
  if (!isSame) throw new BrokerUnreachable('Coinbase answered with another order');
}

/** Coinbase has no question by client order id: its orders are read from the newest on until all are found, or those of before `from`. */
async function answersOf(
  api: ExchangeApi,
  clientOrderIds: readonly string[],
  urgency: Urgency,
  from = -Infinity,
): Promise<ReadonlyMap<string, OrderAnswer>> {
  const found = new Map<string, OrderAnswer>();
  const missing = new Set(clientOrderIds);
  const since = Math.max(from, api.now() - WINDOW);
  let cursor = '';
  for (let page = 0; missing.size > 0; page += 1) {
    if (page === MOST_PAGES) {
      throw new BrokerUnreachable('Coinbase has more orders than are looked through');
    }
    const params = { limit: PAGE, ...(cursor && { cursor }) };
    const answer = await api.ask(ORDERS, params, ordersAnswer, urgency);
    for (const row of answer.orders) {
      const { client_order_id: id } = row;
      if (id === undefined || !missing.delete(id)) continue;
      found.set(id, readAs('Coinbase', orderAnswer, row));
    }
    const oldest = answer.orders.at(-1);
    const isRead = !answer.has_next || (oldest && Date.parse(oldest.created_time) < since);
    if (isRead) break;
    if (answer.cursor === '' || answer.cursor === cursor) {
      throw new BrokerUnreachable('Coinbase does not show the rest of its orders');
    }
    cursor = answer.cursor;
  }
  return found;
}

export async function find(
  api: ExchangeApi,
  clientOrderIds: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, FoundOrder>> {
  const answers = await answersOf(api, clientOrderIds, 'find', since);
  return new Map([...answers].map(([id, answer]) => [id, foundOrder(answer)]));
}

const isOpen = ({ status }: OrderAnswer): boolean => (STATUSES[status] ?? OPEN) === OPEN;

/** Its cancellation is under way, or it ended before; `find` tells how. */
const UNDER_WAY = 'DUPLICATE_CANCEL_REQUEST';
const ENDED = ['INVALID_CANCEL_REQUEST', 'UNKNOWN_CANCEL_ORDER', 'ORDER_IS_FULLY_FILLED'];

export async function cancel(api: ExchangeApi, clientOrderId: string): Promise<boolean> {
  const order = (await answersOf(api, [clientOrderId], 'cancel')).get(clientOrderId);
  if (!order || !isOpen(order)) return false;
  const asked = { order_ids: [order.order_id] };
  const { results } = await api.ask(CANCEL, asked, cancelledAnswer, 'cancel');
  const [result] = results;
  if (result?.order_id !== order.order_id) {
    throw new BrokerUnreachable('Coinbase answered about another order');
  }
  if (!result.success && ![UNDER_WAY, ...ENDED].includes(result.failure_reason)) {
    throw new BrokerUnreachable(`Coinbase did not cancel an order: ${result.failure_reason}`);
  }
  return result.success || result.failure_reason === UNDER_WAY;
}
