import { close, closePosition, closeTogether, held, tell } from './book.js';
import { type Exact, SMALLEST, ZERO, isPositive, isZero, largest, rounded } from './exact.js';
import { bookFill } from './fill.js';
import type { ModelBook, ModelMarket, ModelOrder, ModelStock } from './model.js';

const concerns = (book: ModelBook, { id }: ModelStock): boolean =>
  book.positions.has(id) || book.orders.some(({ stockId }) => stockId === id);

/** Multiplies amounts by the ratio and divides prices by it; a remainder beyond 18 places is paid in cash at the last quote. */
export function split(book: ModelBook, stock: ModelStock, ratio: Exact, now: number): boolean {
  if (!concerns(book, stock)) return false;
  const divided = (price: Exact | null): Exact | null =>
    price && largest(rounded(price.div(ratio)), SMALLEST);
  const position = book.positions.get(stock.id);
  if (position) {
    const whole = position.amount.mul(ratio);
    const amount = rounded(whole, 'down');
    const { quote } = stock;
    if (quote) {
      const price = isPositive(position.amount) ? quote.bid : quote.ask;
      const cash = rounded(whole.sub(amount).mul(price).div(ratio));
      book.cash = book.cash.add(cash);
      position.dividends = position.dividends.add(cash);
    }
    if (isZero(amount)) closePosition(book, position);
    position.amount = amount;
    position.averagePrice = rounded(position.averagePrice.div(ratio));
    position.updatedAt = now;
  }
  for (const order of book.orders) {
    if (order.stockId !== stock.id) continue;
    order.price = divided(order.price);
    order.stopPrice = divided(order.stopPrice);
    order.amount = order.amount && largest(rounded(order.amount.mul(ratio), 'down'), SMALLEST);
    tell(book, 'adjusted', order);
  }
  return true;
}

/** Cash per share; a short pays it. */
export function dividend(book: ModelBook, stock: ModelStock, figure: Exact): boolean {
  const position = book.positions.get(stock.id);
  if (!position) return false;
  const cash = rounded(position.amount.mul(figure));
  position.dividends = position.dividends.add(cash);
  book.cash = book.cash.add(cash);
  return true;
}

/** Cancels the orders and closes the holding at the price, without costs. Returns the orders that this releases. */
export function delist(
  book: ModelBook,
  stock: ModelStock,
  price: Exact,
  market: ModelMarket,
): ModelOrder[] | undefined {
  if (!concerns(book, stock)) return undefined;
  const { now } = market;
  const cancelled = book.orders.filter(({ stockId }) => stockId === stock.id);
  const released = closeTogether(book, cancelled, 'cancelled', now);
  const amount = held(book, stock.id);
  if (!isZero(amount)) {
    const order: ModelOrder = {
      id: '',
      stockId: stock.id,
      action: isPositive(amount) ? 'sell' : 'buy',
      type: 'market',
      price: null,
      stopPrice: null,
      amount: amount.abs(),
      total: null,
      dependsOn: [],
      reduceOnly: true,
      isPlanned: true,
      isExit: false,
      createdAt: now,
      triggeredAt: null,
      restingSince: null,
      status: 'open',
      closedAt: null,
      fill: null,
    };
    tell(book, 'opened', order);
    const gross = rounded(amount.abs().mul(price));
    bookFill(
      book,
      order,
      { price, amount: amount.abs(), gross, fee: ZERO, rounding: ZERO },
      market,
    );
    close(book, order, 'filled', now);
  }
  return released;
}
