import {
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
} from '@slipstream/ports';
import { SENT_WITHIN } from './exchange-api.js';
import type { FindOrders, OrderParts } from './find-orders.js';
import { Declined } from './meaning.js';
import { accepted, problemOf, rejection } from './orders.js';
import type { Session } from './sessions.js';
import type { Market } from './venue.js';

/** A refusal that speaks of the order's id: the exchange knows the id already. */
const ABOUT_ITS_ID = /cl_ord_id|client.?order.?id|duplicate/i;

/** Sends an order to the market, at `askedAt`, unless it was sent before. */
export type PlaceOrder = (
  session: Session,
  request: BrokerOrderRequest,
  market: Market,
  askedAt: number,
) => Promise<BrokerOrder>;

export function placeOrders({ venue, markets, clock }: OrderParts, find: FindOrders): PlaceOrder {
  /** Whether the order may have reached the exchange, from this process or an earlier one. */
  const mayBeThere = async ({ orders, api }: Session, clientOrderId: string): Promise<boolean> => {
    if (orders.sentAt(clientOrderId) !== undefined) return true;
    if (!venue.taken) return false;
    orders.taken ??= venue.taken(api).catch((error: unknown) => {
      orders.taken = undefined;
      throw error;
    });
    return (await orders.taken)(clientOrderId);
  };

  /** The exchange refuses repeats too, in words that may change: the order that stands counts. */
  const refusedOrder = async (
    session: Session,
    request: BrokerOrderRequest,
    { message }: Declined,
  ): Promise<BrokerOrder> => {
    const { clientOrderId } = request;
    const found = await find.shown(session, [clientOrderId]).catch((cause: unknown) => {
      const words = `${venue.title} does not tell whether it knows an order`;
      throw new BrokerUnreachable(words, { cause });
    });
    const first = found.get(clientOrderId);
    if (first) return first;
    if (ABOUT_ITS_ID.test(message)) {
      throw new BrokerUnreachable(`${venue.title} knows an order that it does not show yet`);
    }
    session.orders.unsent(clientOrderId);
    markets.doubt();
    return rejection(request, message);
  };

  const send: PlaceOrder = async (session, request, market, askedAt) => {
    const { orders, api } = session;
    const { clientOrderId, action, amount, limit, closes } = request;
    const first = (await mayBeThere(session, clientOrderId))
      ? (await find.certain(session, [clientOrderId])).get(clientOrderId)
      : undefined;
    if (first) return first;
    if (clock.now() - askedAt > SENT_WITHIN) throw new BrokerRateLimited(SENT_WITHIN);
    orders.sent(clientOrderId);
    const urgency = closes ? 'reduce' : 'increase';
    try {
      await venue.place(api, { clientOrderId, market, action, amount, limit }, urgency);
      return accepted(request);
    } catch (error) {
      if (error instanceof Declined) return refusedOrder(session, request, error);
      if (error instanceof BrokerRateLimited || error instanceof BrokerRefused)
        orders.unsent(clientOrderId);
      throw error;
    }
  };

  return async (session, request, market, askedAt) => {
    const problem = problemOf(request, market);
    if (problem) return rejection(request, problem);
    const { placing } = session.orders;
    const { clientOrderId } = request;
    const before = placing.get(clientOrderId);
    if (before) return before;
    const sending = send(session, request, market, askedAt).finally(() =>
      placing.delete(clientOrderId),
    );
    placing.set(clientOrderId, sending);
    return sending;
  };
}
