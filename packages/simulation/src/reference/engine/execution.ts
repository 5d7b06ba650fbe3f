import { close, grossBeside, grossOf, held, tell, valueOf } from './book.js';
import { type Exact, TWO, exact, isZero, largest, rounded, isPositive } from './exact.js';
import { bookFill, figures, heldAfter, reducible } from './fill.js';
import { matchOrder } from './match.js';
import type { ModelBook, ModelMarket, ModelOrder, ModelQuote, ModelStock } from './model.js';

export const FRESH_FOR = 60_000;
/** Planned orders were bounded by the plan: they are cut only above this (contract 3, "Exposure limit"; 7b.4). */
const PLANNED_LIMIT = exact('2.2');
export const LEAST_CHANGE = exact('0.0001');

/** The quote at which a stock trades now, with the beginning of its session; undefined if it cannot trade. */
export function tradable(
  stock: ModelStock,
  market: ModelMarket,
): { readonly quote: ModelQuote; readonly opensAt: number; readonly closesAt: number } | undefined {
  const session = market.session(stock.security, market.now);
  const { quote } = stock;
  if (!session || !quote || stock.status !== 'active') return undefined;
  const isOfSession = quote.at >= session.opensAt && quote.at < session.closesAt;
  if (market.now - quote.at > FRESH_FOR || !isOfSession) return undefined;
  return { quote, opensAt: session.opensAt, closesAt: session.closesAt };
}

export const stockOf = ({ stocks }: ModelMarket, stockId: string): ModelStock => {
  const stock = stocks.get(stockId);
  if (!stock) throw new Error(`there is no ${stockId}`);
  return stock;
};

/** A reduce-only order without open prerequisites whose stock is flat or on the other side (7b.2). */
const reducesNothing = (book: ModelBook, order: ModelOrder): boolean =>
  order.reduceOnly && order.dependsOn.length === 0 && isZero(reducible(book, order));

/** Cancels orders that have nothing to reduce, also those that this releases. */
function withdrawReducersOfNothing(book: ModelBook, now: number, due: Set<ModelOrder>): void {
  for (;;) {
    const idle = book.orders.find((order) => reducesNothing(book, order));
    if (!idle) return;
    for (const released of close(book, idle, 'cancelled', now)) due.add(released);
  }
}

/** The amount that brings gross exposure to 2x; a reducing order stays as it is. */
function cut(book: ModelBook, order: ModelOrder, quote: ModelQuote, room: Exact): Exact {
  const before = held(book, order.stockId);
  const most =
    order.action === 'buy' ? room.div(quote.bid).sub(before) : room.div(quote.ask).add(before);
  return rounded(largest(most, reducible(book, order)), 'down');
}

/** Executes one order at the quote. Returns the orders that its end releases. */
function executeOne(book: ModelBook, order: ModelOrder, market: ModelMarket): ModelOrder[] {
  const { now } = market;
  const stock = stockOf(market, order.stockId);
  const trades = tradable(stock, market);
  if (!trades) return [];
  const { quote } = trades;
  const was = { triggeredAt: order.triggeredAt, restingSince: order.restingSince };
  const price = matchOrder(order, { stock, ...trades, now });
  if (price === undefined) {
    if (order.triggeredAt !== was.triggeredAt) tell(book, 'triggered', order);
    else if (order.restingSince !== was.restingSince) tell(book, 'rested', order);
    return [];
  }
  let fill = figures(book, order, price, stock.fee);
  if (isZero(fill.amount)) return close(book, order, 'cancelled', now);
  const after = heldAfter(book, order, fill.amount);
  if (!after.abs().lt(held(book, order.stockId).abs())) {
    const value = valueOf(book, market);
    if (!value) return [];
    const beside = grossBeside(book, market, order.stockId);
    const isOver = beside
      .add(grossOf(after, quote))
      .gt(value.mul(order.isPlanned ? PLANNED_LIMIT : TWO));
    if (isOver && !order.isPlanned) return close(book, order, 'rejected', now);
    if (isOver) {
      const amount = cut(book, order, quote, value.mul(TWO).sub(beside));
      if (!isPositive(amount) || amount.mul(price).lt(value.mul(LEAST_CHANGE)))
        return close(book, order, 'cancelled', now);
      fill = figures(book, { ...order, amount }, price, stock.fee);
    }
  }
  bookFill(book, order, fill, market);
  return close(book, order, 'filled', now);
}

/** Executes every order of `due`, oldest first, and in the same pass every order that one of them releases, older or newer. */
export function execute(book: ModelBook, market: ModelMarket, due: Set<ModelOrder>): void {
  withdrawReducersOfNothing(book, market.now, due);
  const met = new Set<ModelOrder>();
  for (;;) {
    const order = book.orders.find(
      (one) => one.status === 'open' && due.has(one) && !met.has(one) && one.dependsOn.length === 0,
    );
    if (!order) return;
    met.add(order);
    for (const released of executeOne(book, order, market)) due.add(released);
    withdrawReducersOfNothing(book, market.now, due);
  }
}
