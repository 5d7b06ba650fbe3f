import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Book,
  type BookChange,
  type OrderId,
  type Position,
  type Trade,
  hasNothingToReduce,
  Decimal,
  ONE,
  ZERO,
  decimal,
  decimalText,
  id,
  newBook,
  sum,
} from '../src/index.js';
import { START, counting } from './builders.js';
import { NAMES, type World, command } from './histories.js';

/** Multiplies the runs of `npm test`; `npm run verify` sets 20. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

/** Makes any change of a returned book throw. Decimals never change by themselves. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return value;
  if (Object.isFrozen(value)) return value;
  const refuse = () => {
    throw new Error('a book is a value: it must not be changed');
  };
  if (value instanceof Map) {
    Object.assign(value, { set: refuse, delete: refuse, clear: refuse });
    value.forEach(frozen);
  } else Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** The book that follows from the trades alone. */
function reconciled(trades: readonly Trade[]): {
  cash: Decimal;
  positions: Record<string, string>;
} {
  const held = new Map<string, Decimal>();
  for (const { stockId, action, amount } of trades) {
    const before = held.get(stockId) ?? ZERO;
    held.set(stockId, action === 'buy' ? before.plus(amount) : before.minus(amount));
  }
  const gross = (action: Trade['action']) =>
    sum(trades.filter((trade) => trade.action === action).map(({ total }) => total));
  const cash = ONE.minus(gross('buy'))
    .plus(gross('sell'))
    .minus(sum(trades.map(({ feeTotal }) => feeTotal)))
    .minus(sum(trades.map(({ rounding }) => rounding)));
  const positions = [...held].filter(([, amount]) => !amount.eq(ZERO));
  return {
    cash,
    positions: Object.fromEntries(positions.map(([stock, amount]) => [stock, amount.toFixed()])),
  };
}

/** Each position has a different price here: the sum must hold at any price. */
const priced = (book: Book): { readonly position: Position; readonly value: Decimal }[] =>
  [...book.positions.values()].map((position, at) => ({
    position,
    value: position.amount.times(decimal(`${at + 1}.001`)),
  }));

/** Contract 7b.10, the left side: the results that the open positions state. */
const resultOf = (book: Book): Decimal =>
  sum(
    priced(book).map(({ position: { cost, realized, dividends }, value }) =>
      realized.plus(value.minus(cost)).plus(dividends),
    ),
  );

/** The right side; every fee is in `realized` at once. */
const gainOf = (book: Book, trades: readonly Trade[]): Decimal =>
  book.cash
    .plus(sum(priced(book).map(({ value }) => value)))
    .minus(ONE)
    .plus(sum(trades.map(({ rounding }) => rounding)));

/** The invariants of every fill, whatever came before it. */
function checkFill(
  { order, trade }: Extract<BookChange, { kind: 'filled' }>,
  before: Decimal,
): void {
  expect(order.dependsOn).toEqual([]);
  expect([trade.rounding, trade.feeTotal].every((figure) => figure.gte(ZERO))).toBe(true);
  expect(trade.amount.gt(ZERO)).toBe(true);
  for (const figure of [trade.amount, trade.total, trade.feeTotal, trade.rounding, trade.price]) {
    expect(decimalText(figure)).toBe(figure.toFixed());
  }
  if (order.reduceOnly) {
    expect(trade.action === 'sell' ? before.gt(ZERO) : before.lt(ZERO)).toBe(true);
    expect(trade.amount.lte(before.abs())).toBe(true);
  } else if (order.size.by === 'amount') {
    const isCut = order.reason !== null;
    expect(trade.amount.eq(order.size.amount)).toBe(!isCut);
    if (isCut) expect(order.origin === 'plan' && trade.amount.lt(order.size.amount)).toBe(true);
    expect(trade.rounding.eq(ZERO)).toBe(true);
  } else if (!trade.amount.eq(before.abs())) {
    const costs = trade.feeTotal.plus(trade.rounding);
    const moved = trade.action === 'buy' ? trade.total.plus(costs) : trade.total.minus(costs);
    expect(moved.eq(order.size.total)).toBe(true);
  }
}

describe('a book always equals the sum of its trades, to the last digit', () => {
  it('over random histories of orders, allocations, alerts, cancellations and quotes', () => {
    const seen = { filled: 0, rejected: 0, cancelled: 0, triggered: 0, released: 0 };
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 50, size: 'max' }), (commands) => {
        const trades: Trade[] = [];
        const closed = new Set<OrderId>();
        /** The result of the closed positions. */
        let gone = ZERO;
        const nextOrder = counting('o');
        const nextTrade = counting('t');
        let world: World = {
          book: frozen(newBook(id('s1'))),
          prices: Object.fromEntries(
            NAMES.map((name, at) => [name, [10 ** (at + 2), 10 ** (at + 2)]]),
          ),
          halted: [],
          stale: [],
          opensAt: 0,
          now: START,
        };
        for (const run of commands) {
          const { book: before } = world;
          const { world: next, done } = run({ ...world, now: world.now + 1 }, nextOrder, nextTrade);
          const { book, changes } = done === 'nothing' ? { book: before, changes: [] } : done;
          world = { ...next, book: frozen(book) };

          for (const change of changes) {
            if (change.kind in seen) seen[change.kind as keyof typeof seen] += 1;
            expect(closed.has(change.order.id)).toBe(false);
            if (change.order.status !== 'open') closed.add(change.order.id);
            if (change.kind !== 'filled') continue;
            const held = reconciled(trades).positions[change.trade.stockId] ?? '0';
            checkFill(change, decimal(held));
            trades.push(change.trade);
            if (change.position.amount.eq(ZERO)) {
              gone = gone.plus(change.position.realized).plus(change.position.dividends);
            }
          }

          expect(book.version).toBe(before.version + (changes.length > 0 ? 1 : 0));
          if (changes.length === 0) expect(book).toBe(before);
          const { cash, positions } = reconciled(trades);
          expect(book.cash.toFixed()).toBe(cash.toFixed());
          expect(resultOf(book).plus(gone).toFixed()).toBe(gainOf(book, trades).toFixed());
          expect(
            Object.fromEntries(
              [...book.positions].map(([stock, { amount }]) => [stock, amount.toFixed()]),
            ),
          ).toEqual(positions);
          const open = new Set(book.openOrders.map((order) => order.id));
          expect(open.size).toBe(book.openOrders.length);
          expect(
            book.openOrders.every((order) => order.dependsOn.every((other) => open.has(other))),
          ).toBe(true);
          expect([...open].some((orderId) => closed.has(orderId))).toBe(false);
          expect(book.openOrders.filter((order) => hasNothingToReduce(book, order))).toEqual([]);
        }
      }),
      { numRuns: 200 * MORE },
    );
    // The histories are useful only if all of these happen in them.
    expect(Object.values(seen).every((times) => times > 5)).toBe(true);
  });
});
