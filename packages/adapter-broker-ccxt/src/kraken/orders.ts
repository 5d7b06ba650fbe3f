import { createHash } from 'node:crypto';
import { ZERO, decimal } from '@slipstream/domain';
import { BrokerUnreachable, type Urgency, unknownStatus } from '@slipstream/ports';
import { readAs } from '../answers.js';
import type { Endpoint, ExchangeApi } from '../exchange-api.js';
import { Declined } from '../meaning.js';
import type { FoundOrder, VenueOrder } from '../venue.js';
import {
  type ListedOrders,
  type OrderAnswer,
  cancelledAnswer,
  closedAnswer,
  openAnswer,
  orderAnswer,
  placedAnswer,
} from './answers.js';

const ADD: Endpoint = { name: 'privatePostAddOrder', counts: 'orders' };
const CANCEL: Endpoint = { name: 'privatePostCancelOrder', counts: 'orders' };
const OPEN: Endpoint = { name: 'privatePostOpenOrders', counts: 'questions' };
const CLOSED: Endpoint = { name: 'privatePostClosedOrders', counts: 'questions' };

/** The matching engine takes no order that reaches it later than this. */
const DEADLINE = 10_000;

/** Kraken takes UUIDs, and other texts of at most 18 characters: ours are longer. */
export function krakenId(clientOrderId: string): string {
  const bytes = createHash('sha256').update(clientOrderId).digest().subarray(0, 16);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x40, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

const STATUSES: Readonly<Record<string, FoundOrder['status']>> = {
  pending: 'open',
  open: 'open',
  closed: 'filled',
  canceled: 'cancelled',
  expired: 'cancelled',
};

const REASONS: Readonly<Record<string, string>> = {
  canceled: 'cancelled at Kraken',
  expired: 'expired',
};

/** The fee in dollars: it may be taken in the coin. */
const feeOf = ({ fee, oflags, price }: OrderAnswer) =>
  oflags.split(',').includes('fcib') ? fee.times(price) : fee;

function foundOrder(answer: OrderAnswer): FoundOrder {
  const { status: word, descr, vol, vol_exec: filledAmount, price, reason } = answer;
  const isFilled = filledAmount.gt(ZERO);
  if (isFilled && !price.gt(ZERO)) {
    throw new BrokerUnreachable('Kraken tells a fill without its price');
  }
  const status = STATUSES[word];
  const state = status
    ? { status, reason: REASONS[word] ? (reason ?? REASONS[word]) : null }
    : unknownStatus('Kraken', word, { amount: vol, filledAmount });
  return {
    marketName: descr.pair,
    action: descr.type,
    amount: vol,
    ...state,
    cancelling: false,
    filledAmount,
    filledPrice: isFilled ? price : null,
    fee: feeOf(answer),
  };
}

const DESCRIBED = /^(buy|sell) (\d+(?:\.\d+)?) \S+ @ /;

/** Whether the answer is about the order that was sent. */
function requireSame({ action, amount }: VenueOrder, described: string): void {
  const [, side, volume] = DESCRIBED.exec(described) ?? [];
  if (side !== action || !decimal(volume ?? '0').eq(amount)) {
    throw new BrokerUnreachable('Kraken answered with another order');
  }
}

export async function place(api: ExchangeApi, order: VenueOrder, urgency: Urgency): Promise<void> {
  const { clientOrderId, market, action, amount, limit } = order;
  const { result } = await api.ask(
    ADD,
    {
      cl_ord_id: krakenId(clientOrderId),
      pair: market.id,
      type: action,
      ordertype: limit ? 'limit' : 'market',
      volume: amount.toFixed(),
      ...(limit && { price: limit.toFixed(), timeinforce: 'GTC' }),
      // Else a sale pays its fee in the coin.
      oflags: 'fciq',
      deadline: new Date(api.now() + DEADLINE).toISOString(),
    },
    placedAnswer,
    urgency,
  );
  requireSame(order, result.descr.order);
}

const open = async (api: ExchangeApi): Promise<ListedOrders> =>
  (await api.ask(OPEN, {}, openAnswer, 'find')).result.open;

const closed = async (api: ExchangeApi, only: object = {}): Promise<ListedOrders> =>
  (await api.ask(CLOSED, only, closedAnswer, 'find')).result.closed;

/** The ids of the open orders and of the latest that have ended: these Kraken would take a second time. */
export async function taken(api: ExchangeApi): Promise<(clientOrderId: string) => boolean> {
  const lists = [await open(api), await closed(api)];
  const rows = lists.flatMap((one) => Object.values(one));
  const ids = new Set(rows.flatMap(({ cl_ord_id: id }) => id ?? []));
  return (clientOrderId) => ids.has(krakenId(clientOrderId));
}

/** First the open orders: one that ends meanwhile is among those that have ended, of which Kraken shows the latest. */
export async function find(
  api: ExchangeApi,
  clientOrderIds: readonly string[],
): Promise<ReadonlyMap<string, FoundOrder>> {
  const found = new Map<string, FoundOrder>();
  const missing = new Map(clientOrderIds.map((one) => [krakenId(one), one]));
  const take = (rows: ListedOrders): void => {
    for (const row of Object.values(rows)) {
      const clientOrderId = missing.get(row.cl_ord_id ?? '');
      if (clientOrderId === undefined) continue;
      found.set(clientOrderId, foundOrder(readAs('Kraken', orderAnswer, row)));
      missing.delete(row.cl_ord_id ?? '');
    }
  };
  if (missing.size > 0) take(await open(api));
  if (missing.size > 1) take(await closed(api));
  return found;
}

export async function lookUp(
  api: ExchangeApi,
  clientOrderId: string,
): Promise<FoundOrder | undefined> {
  const id = krakenId(clientOrderId);
  const [row, ...more] = Object.values(await closed(api, { cl_ord_id: id }));
  if ([row, ...more].some((one) => one && one.cl_ord_id !== id))
    throw new BrokerUnreachable('Kraken answered with other orders than it was asked for');
  return row && foundOrder(readAs('Kraken', orderAnswer, row));
}

export async function cancel(api: ExchangeApi, clientOrderId: string): Promise<boolean> {
  try {
    const asked = { cl_ord_id: krakenId(clientOrderId) };
    const { result } = await api.ask(CANCEL, asked, cancelledAnswer, 'cancel');
    return result.count.gt(ZERO);
  } catch (error) {
    // It ended before, or is not there; `find` tells how.
    if (error instanceof Declined) return false;
    throw error;
  }
}
