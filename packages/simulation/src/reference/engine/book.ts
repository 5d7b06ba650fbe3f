import { type Exact, ONE, ZERO, isPositive, total } from './exact.js';
import type {
  ModelBook,
  ModelChange,
  ModelMarket,
  ModelOrder,
  ModelPosition,
  ModelQuote,
} from './model.js';

export const newBook = (security: ModelBook['security']): ModelBook => ({
  security,
  version: 0,
  cash: ONE,
  positions: new Map(),
  closed: ZERO,
  roundings: ZERO,
  orders: [],
  changes: [],
  sunk: undefined,
  belowZeroFor: 0,
  endedAt: null,
});

/** A copy of the present cash and holdings. */
export const copyOf = (book: ModelBook): ModelBook => ({
  ...newBook(book.security),
  cash: book.cash,
  positions: new Map([...book.positions].map(([id, position]) => [id, { ...position }])),
});

export const held = (book: ModelBook, stockId: string): Exact =>
  book.positions.get(stockId)?.amount ?? ZERO;

/** Removes a flat position from the book; its profit stays in the sums. */
export function closePosition(book: ModelBook, position: ModelPosition): void {
  const { realized, dividends, cost } = position;
  book.closed = book.closed.add(realized).add(dividends).sub(cost);
  book.positions.delete(position.stockId);
}

/**
 * Realized and unrealized profit and dividends of all positions, including closed ones (7b.10); undefined if a quote is
 * missing.
 */
export function profitOf(book: ModelBook, market: ModelMarket): Exact | undefined {
  const value = valueOf(book, market);
  if (!value) return undefined;
  const open = total(
    [...book.positions.values()].map(({ realized, dividends, cost }) =>
      realized.add(dividends).sub(cost),
    ),
  );
  return book.closed.add(open).add(value.sub(book.cash));
}

/** Longs at bid, shorts at ask (contract 3, "Value"). */
const priceOf = (amount: Exact, quote: ModelQuote): Exact =>
  isPositive(amount) ? quote.bid : quote.ask;

/** Undefined if a quote is missing. */
export function valueOf(book: ModelBook, { stocks }: ModelMarket): Exact | undefined {
  let value = book.cash;
  for (const { stockId, amount } of book.positions.values()) {
    const quote = stocks.get(stockId)?.quote;
    if (!quote) return undefined;
    value = value.add(amount.mul(priceOf(amount, quote)));
  }
  return value;
}

/** Sum of |amount| at bid or ask of all stocks but one. */
export const grossBeside = (book: ModelBook, { stocks }: ModelMarket, stockId: string): Exact =>
  total(
    [...book.positions.values()].flatMap((position) => {
      const quote = stocks.get(position.stockId)?.quote;
      if (position.stockId === stockId || !quote) return [];
      return position.amount.abs().mul(priceOf(position.amount, quote));
    }),
  );

export const grossOf = (amount: Exact, quote: ModelQuote): Exact =>
  amount.abs().mul(priceOf(amount, quote));

export function tell(book: ModelBook, kind: ModelChange['kind'], order: ModelOrder): void {
  book.changes.push({ kind, order, then: { ...order, dependsOn: [...order.dependsOn] } });
}

/** Orders leave the book together: filled, cancelled or rejected. Returns the released orders, oldest first. */
export function closeTogether(
  book: ModelBook,
  gone: readonly ModelOrder[],
  status: 'filled' | 'cancelled' | 'rejected',
  now: number,
): ModelOrder[] {
  for (const order of gone) {
    order.status = status;
    order.closedAt = now;
    // A closed order waits for nothing.
    order.dependsOn = [];
    tell(book, status, order);
  }
  book.orders = book.orders.filter((other) => !gone.includes(other));
  const released: ModelOrder[] = [];
  for (const other of book.orders) {
    if (!other.dependsOn.some((one) => gone.includes(one))) continue;
    other.dependsOn = other.dependsOn.filter((one) => !gone.includes(one));
    tell(book, 'released', other);
    if (other.dependsOn.length === 0) released.push(other);
  }
  return released;
}

export const close = (
  book: ModelBook,
  order: ModelOrder,
  status: 'filled' | 'cancelled' | 'rejected',
  now: number,
): ModelOrder[] => closeTogether(book, [order], status, now);
