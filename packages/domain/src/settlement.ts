import type { Book, BookChange, Outcome } from './book.js';
import { type Decimal, decimal, sign } from './decimal.js';
import { release } from './dependencies.js';
import { type Fill, bookFill, fillAt, holdingAfter, reduces } from './fill.js';
import type { OrderId, TradeId } from './ids.js';
import type { Market } from './market.js';
import type { OpenOrder, Origin, WaitingReason, WithdrawnOrder } from './order.js';
import type { Quote, Session, Stock } from './stock.js';
import { type Meeting, meet } from './trigger.js';
import { grossExposure, holding, strategyValue, valuationPrice } from './valuation.js';

/** Most gross exposure after a fill, as a multiple of strategy_value just before it (contract 3). */
const EXPOSURE_LIMITS: Readonly<Record<Origin, Decimal>> = {
  order: decimal('2'),
  plan: decimal('2.2'),
};

type Clearance = 'clear' | 'over' | 'unavailable';

/** Whether the book can carry the fill. What reduces always can; what needs a missing value waits. */
function clearance(book: Book, order: OpenOrder, fill: Fill, market: Market): Clearance {
  if (reduces(book, order, fill)) return 'clear';
  const quote = market.freshQuote(order.stockId);
  const value = strategyValue(book, market);
  const others = grossExposure(book, market, order.stockId);
  if (!quote || !value || !others) return 'unavailable';
  if (sign(value) <= 0) return 'over';
  const after = holdingAfter(holding(book, order.stockId), order, fill);
  const gross = others.plus(after.abs().times(valuationPrice(after, quote)));
  return gross.lte(value.times(EXPOSURE_LIMITS[order.origin])) ? 'clear' : 'over';
}

const without = (book: Book, orderId: OrderId): Book => ({
  ...book,
  openOrders: book.openOrders.filter((order) => order.id !== orderId),
});

const replaced = (book: Book, next: OpenOrder): Book => ({
  ...book,
  openOrders: book.openOrders.map((order) => (order.id === next.id ? next : order)),
});

/** The order as it leaves the book unfilled: it waits for no prerequisite any more. */
export const withdrawn = (
  order: OpenOrder,
  status: WithdrawnOrder['status'],
  reason: string,
  market: Market,
): WithdrawnOrder => {
  const { restingSince: _, ...kept } = order;
  return { ...kept, dependsOn: [], status, reason, closedAt: market.now };
};

/** What stays with an order that goes on waiting: its trigger and since when it rests. */
function keepWaiting(book: Book, order: OpenOrder, meeting: Meeting): Outcome {
  const restingSince = meeting.fills ? order.restingSince : meeting.restingSince;
  const { triggeredAt } = meeting;
  if (restingSince === order.restingSince && triggeredAt === order.triggeredAt) {
    return { book, changes: [] };
  }
  const next = { ...order, restingSince, triggeredAt };
  const kind = triggeredAt === order.triggeredAt ? 'rested' : 'triggered';
  return { book: replaced(book, next), changes: [{ kind, order: next }] };
}

/**
 * What an order can trade at: fresh, and of the session that is open. A quote from before the opening values, it never
 * triggers (contract 3, "Fills").
 */
export function tradableQuote(stock: Stock, session: Session, market: Market): Quote | undefined {
  const quote = market.freshQuote(stock.id);
  return quote && quote.at >= session.opensAt ? quote : undefined;
}

/** One order meets the market: it fills, is rejected, is cancelled (reduce-only when flat) or goes on waiting. */
function attempt(book: Book, order: OpenOrder, market: Market, nextId: () => TradeId): Outcome {
  const stock = market.stock(order.stockId);
  const session = stock?.status === 'active' ? market.session(stock) : undefined;
  if (order.dependsOn.length > 0 || !stock || !session) return { book, changes: [] };
  const quote = tradableQuote(stock, session, market);
  if (!quote) return { book, changes: [] };

  const meeting = meet(order, quote, stock, session, market.now);
  if (!meeting.fills) return keepWaiting(book, order, meeting);

  const fired = { ...order, triggeredAt: meeting.triggeredAt };
  const fill = fillAt(fired, meeting.price, stock, holding(book, order.stockId));
  const withdraw = (kind: WithdrawnOrder['status'], reason: string): Outcome => ({
    book: without(book, order.id),
    changes: [{ kind, order: withdrawn(fired, kind, reason, market) }],
  });
  if (sign(fill.amount) === 0) {
    return order.reduceOnly
      ? withdraw('cancelled', 'reduce_only: there is no holding to reduce')
      : withdraw('rejected', 'total is too small to trade at this price');
  }
  const verdict = clearance(book, fired, fill, market);
  if (verdict === 'unavailable') return keepWaiting(book, order, meeting);
  if (verdict === 'over') return withdraw('rejected', 'insufficient_buying_power');

  const booked = bookFill(book, fired, fill, market, nextId());
  return {
    book: without(booked.book, order.id),
    changes: [{ kind: 'filled', order: booked.filled, trade: booked.trade }],
  };
}

const closes = (change: BookChange): boolean =>
  change.kind === 'filled' || change.kind === 'cancelled' || change.kind === 'rejected';

/**
 * Executes what can execute, always the oldest first: the orders of `due` (all when absent) and whatever they release,
 * until nothing moves. Keeps the version: the command that calls it counts.
 */
export function execute(
  book: Book,
  market: Market,
  nextId: () => TradeId,
  due?: ReadonlySet<OrderId>,
): Outcome {
  const changes: BookChange[] = [];
  let current = book;
  const freed = new Map<OrderId, OpenOrder>();
  // A prerequisite is always older than what waits for it, so one pass in the order of acceptance meets all.
  for (const accepted of book.openOrders) {
    const order = freed.get(accepted.id) ?? accepted;
    if (due && order === accepted && !due.has(order.id)) continue;
    const outcome = attempt(current, order, market, nextId);
    current = outcome.book;
    changes.push(...outcome.changes);
    if (!outcome.changes.some(closes)) continue;
    const { open, released } = release(current.openOrders, new Set([order.id]));
    current = { ...current, openOrders: open };
    for (const dependent of released) {
      changes.push({ kind: 'released', order: dependent });
      freed.set(dependent.id, dependent);
    }
  }
  return { book: changes.length > 0 ? current : book, changes };
}

/** What an open order of the book waits for now, the first that holds (contract 2); null when it is about to execute. */
export function waitingReason(order: OpenOrder, market: Market, book: Book): WaitingReason | null {
  if (order.dependsOn.length > 0) return 'dependency';
  const stock = market.stock(order.stockId);
  const session = stock?.status === 'active' ? market.session(stock) : undefined;
  if (!stock || !session) return 'market_closed';
  if (!tradableQuote(stock, session, market)) return 'quote';
  const { type } = order.pricing;
  const isMarket = type === 'market' || (type !== 'stop_limit' && order.triggeredAt !== null);
  if (!isMarket) return 'price';
  // A market order that has met a fresh quote and still waits lacks the quote of another holding.
  return strategyValue(book, market) ? null : 'quote';
}
