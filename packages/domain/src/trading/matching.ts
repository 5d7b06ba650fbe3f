import type { Book, BookChange } from './book.js';
import { sign } from '../numbers/decimal.js';
import { clearance } from './exposure.js';
import { type Fill, bookFill, fillAt } from './fill.js';
import type { NextId } from '../ids.js';
import type { Market } from '../market/market.js';
import type { OpenOrder, WaitingReason, WithdrawnOrder } from './order.js';
import type { Quote, Session, TradedInstrument } from '../market/stock.js';
import { type MatchResult, isAtMarket, matchOrder } from './order-types/index.js';
import { hasValue, holding } from '../performance/valuation.js';

/** The order when it leaves the book unfilled: it has no prerequisites any more. */
export const withdrawn = (
  order: OpenOrder,
  status: WithdrawnOrder['status'],
  reason: string,
  market: Market,
): WithdrawnOrder => {
  const { restingSince: _, ...kept } = order;
  return { reason, closedAt: market.now, ...kept, dependsOn: [], status };
};

/** The result of an attempt: the book's cash and positions, and the order while it stays open. */
export interface Attempt {
  readonly book: Book;
  readonly open: OpenOrder | undefined;
  readonly change: BookChange | undefined;
}

/** The marks of a waiting order: its trigger, and since when it rests. */
function keepWaiting(book: Book, order: OpenOrder, result: MatchResult): Attempt {
  const restingSince = result.fills ? order.restingSince : result.restingSince;
  const { triggeredAt } = result;
  if (restingSince === order.restingSince && triggeredAt === order.triggeredAt) {
    return { book, open: order, change: undefined };
  }
  const next = { ...order, restingSince, triggeredAt };
  const kind = triggeredAt === order.triggeredAt ? 'rested' : 'triggered';
  return { book, open: next, change: { kind, order: next } };
}

/** Whether the quote is of the session. One from after its end is left when the clock was set back. */
export const isOfSession = ({ at }: Quote, { opensAt, closesAt }: Session): boolean =>
  at >= opensAt && at < closesAt;

/**
 * The quote at which an order can trade: fresh, and of the open session. A quote from before the opening values, but never
 * triggers (contract 3, "Fills").
 */
export function tradableQuote(
  stock: TradedInstrument,
  session: Session,
  market: Market,
): Quote | undefined {
  const quote = market.freshQuote(stock.id);
  return quote && isOfSession(quote, session) ? quote : undefined;
}

/** A reduce_only order without open prerequisites ends once its stock is flat or on the other side (contract 7b.2). */
export const hasNothingToReduce = (book: Book, order: OpenOrder): boolean => {
  if (!order.reduceOnly || order.dependsOn.length > 0) return false;
  const held = sign(holding(book, order.stockId));
  return order.action === 'buy' ? held >= 0 : held <= 0;
};

/** The reason of a `reduce_only` order that ends because its stock is flat or on the other side. */
export const NOTHING_TO_REDUCE = 'nothing_to_reduce';

/** Matches one order: it fills, is cut, rejected or cancelled, or keeps waiting. */
export function attempt(book: Book, order: OpenOrder, market: Market, nextId: NextId): Attempt {
  const waits: Attempt = { book, open: order, change: undefined };
  if (order.dependsOn.length > 0) return waits;
  const stock = market.stock(order.stockId);
  const session = stock?.status === 'active' ? market.session(stock) : undefined;
  const quote = stock && session && tradableQuote(stock, session, market);
  if (!stock || !session || !quote) return waits;

  const result = matchOrder(order, { quote, stock, session, now: market.now });
  if (!result.fills) return keepWaiting(book, order, result);

  const fired = { ...order, triggeredAt: result.triggeredAt };
  const held = holding(book, order.stockId);
  const fill = fillAt(fired, result.price, stock, held);
  if (sign(fill.amount) === 0) {
    return withdraw(book, fired, 'rejected', 'total is too small to trade at this price', market);
  }
  const booked = (booking: Fill, reason: string | null): Attempt => {
    const { book: after, ...done } = bookFill(book, fired, { ...booking, quote }, market, nextId());
    const { filled, trade, position } = done;
    const closed = reason === null ? filled : { ...filled, reason };
    const change = { kind: 'filled', order: closed, trade, position } as const;
    return { book: after, open: undefined, change };
  };
  const verdict = clearance(book, fired, fill, market);
  switch (verdict.kind) {
    case 'clear':
      return booked(fill, null);
    case 'unavailable':
      return keepWaiting(book, order, result);
    case 'over': {
      const kind = order.origin === 'order' ? 'rejected' : 'cancelled';
      return withdraw(book, fired, kind, verdict.reason, market);
    }
    case 'cut': {
      const size = { by: 'amount', amount: verdict.amount } as const;
      const cut = fillAt({ ...fired, size }, result.price, stock, held);
      return booked(cut, verdict.reason);
    }
  }
}

const withdraw = (
  book: Book,
  order: OpenOrder,
  kind: WithdrawnOrder['status'],
  reason: string,
  market: Market,
): Attempt => ({
  book,
  open: undefined,
  change: { kind, order: withdrawn(order, kind, reason, market) },
});

/** The first reason that holds for which an open order waits (contract 2); null when it is about to execute. */
export function waitingReason(order: OpenOrder, market: Market, book: Book): WaitingReason | null {
  if (order.dependsOn.length > 0) return 'dependency';
  const stock = market.stock(order.stockId);
  const session = stock?.status === 'active' ? market.session(stock) : undefined;
  if (!stock || !session) return 'market_closed';
  if (!tradableQuote(stock, session, market)) return 'quote';
  if (!isAtMarket(order)) return 'price';
  // A market order that has met a fresh quote and still waits lacks the quote of another holding.
  return hasValue(book, market) ? null : 'quote';
}
