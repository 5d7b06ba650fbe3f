import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aMarket,
  aQuote,
  aStock,
  anOpenOrder,
  counting,
  limit,
  oco,
} from '../../tests/builders.js';
import {
  type Book,
  type Decimal,
  type Position,
  type StockAction,
  decimal,
  divide,
  id,
  isUsable,
  newBook,
  payDividend,
  settleDelisted,
  sign,
  splitBook,
  splitQuote,
  splitRatio,
  strategyValue,
  sum,
} from '../index.js';

const NOW = 1_750_000_000_000;
const AAA = id<'stock'>('AAA');

const anAction = (changes: Partial<StockAction> = {}): StockAction => ({
  id: id('action-1'),
  stockId: AAA,
  kind: 'split',
  figure: decimal('4'),
  newShares: null,
  oldShares: null,
  status: 'pending',
  createdAt: NOW,
  ...changes,
});
const aPosition = (stock: string, amount: string, averagePrice = '100'): Position => ({
  stockId: id(stock),
  amount: decimal(amount),
  averagePrice: decimal(averagePrice),
  cost: decimal(amount).times(decimal(averagePrice)),
  realized: decimal('0.25'),
  dividends: decimal('0'),
  createdAt: 1,
  updatedAt: 1,
});
const aBook = (positions: readonly Position[], changes: Partial<Book> = {}): Book => ({
  ...newBook(id('s1')),
  version: 7,
  cash: decimal('0.5'),
  positions: new Map(positions.map((position) => [position.stockId, position])),
  ...changes,
});
const valueAt = (book: Book, quotes: Parameters<typeof aMarket>[0]['quotes']): Decimal =>
  strategyValue(book, aMarket({ quotes: quotes ?? {} })) as Decimal;
const near = (difference: Decimal, tolerance: string): boolean =>
  difference.abs().lte(decimal(tolerance));

describe('a split', () => {
  it('multiplies the amount, divides the average price, and keeps cash and what was realized', () => {
    const book = aBook([aPosition('AAA', '-0.0025', '180'), aPosition('BBB', '1')]);
    const { book: next, ...rest } = splitBook(book, anAction(), aQuote('AAA', '200'), NOW);
    const position = next.positions.get(AAA);
    expect(position?.amount.toFixed()).toBe('-0.01');
    expect(position?.averagePrice.toFixed()).toBe('45');
    expect(position?.realized.toFixed()).toBe('0.25');
    expect(next.positions.get(id('BBB'))).toBe(book.positions.get(id('BBB')));
    expect(next.version).toBe(8);
    expect([next.cash, rest.cash].map((value) => value.toFixed())).toEqual(['0.5', '0']);
  });

  it('turns open orders of the stock into new shares: prices and amounts, not totals', () => {
    const order = anOpenOrder({ id: id('o1'), createdAt: NOW - 1, pricing: limit('100') });
    const total = { by: 'total', total: decimal('0.5') } as const;
    const openOrders = [
      { ...order, size: { by: 'amount', amount: decimal('0.01') } as const },
      { ...order, id: id<'order'>('o2'), pricing: oco('120', '80'), size: total },
      { ...order, id: id<'order'>('o3'), stockId: id<'stock'>('BBB') },
    ];
    const { book, changes } = splitBook(aBook([], { openOrders }), anAction(), undefined, NOW);
    const [first, second, other] = book.openOrders;
    expect(first?.pricing).toEqual(limit('25'));
    expect(first?.size).toEqual({ by: 'amount', amount: decimal('0.04') });
    expect(second?.pricing).toEqual(oco('30', '20'));
    expect(second?.size).toEqual(total);
    expect(other).toBe(openOrders[2]);
    expect(changes.map(({ kind, order: { id } }) => [kind, id])).toEqual([
      ['adjusted', 'o1'],
      ['adjusted', 'o2'],
    ]);
  });

  it.each(['0.000000000000000001', '0.000000000000000003', '0.5'])(
    'leaves prices above zero, however small they were: %s',
    (price) => {
      const quote = splitQuote(aQuote('AAA', [price, price]), splitRatio(anAction()));
      const order = anOpenOrder({ id: id('o1'), pricing: limit(price) });
      const { book } = splitBook(aBook([], { openOrders: [order] }), anAction(), quote, NOW);
      expect(isUsable(quote)).toBe(true);
      const [{ pricing } = order] = book.openOrders;
      expect(pricing.type === 'limit' && sign(pricing.price) > 0).toBe(true);
    },
  );

  it('counts the cash for a fraction as what its position has brought', () => {
    const book = aBook([aPosition('AAA', '0.000000000000000015')]);
    const action = anAction({ figure: decimal('0.1') });
    const { book: next, cash } = splitBook(book, action, aQuote('AAA', '40000'), NOW);
    expect(next.positions.get(AAA)?.amount.toFixed()).toBe('0.000000000000000001');
    expect(next.positions.get(AAA)?.dividends.toFixed()).toBe(cash.toFixed());
    expect(sign(cash)).toBe(1);
  });

  it('pays fractions beyond 18 places in cash, and leaves no position of zero', () => {
    const book = aBook([aPosition('AAA', '0.000000000000000005')]);
    const tenth = anAction({ figure: decimal('0.1') });
    const { book: next, cash } = splitBook(book, tenth, aQuote('AAA', '40000'), NOW);
    expect(next.positions.size).toBe(0);
    expect(cash.toFixed()).toBe('0.0000000000002');
    expect(next.cash.minus(cash).toFixed()).toBe('0.5');
  });

  it('leaves the value exactly as it was when the ratio divides exactly', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('2', '4', '5', '8', '10', '20', '0.5', '0.1', '0.125', '2.5'),
        fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }).filter(Boolean), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.tuple(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 10_000 })),
        (ratio, amounts, [bid, spread]) => {
          const names = ['AAA', 'BBB', 'CCC'];
          const book = aBook(
            amounts.map((amount, at) =>
              aPosition(names[at] ?? 'AAA', (amount / 1_000_000).toFixed(6)),
            ),
          );
          const prices = [bid, bid + spread].map((price) => (price / 1000).toFixed(3));
          const quote = aQuote('AAA', prices as [string, string]);
          const others = { BBB: '7', CCC: '9.5' };
          const before = valueAt(book, { ...others, AAA: prices as [string, string] });
          const action = anAction({ figure: decimal(ratio) });
          const { book: next } = splitBook(book, action, quote, NOW);
          const after = splitQuote(quote, splitRatio(action));
          const value = valueAt(next, {
            ...others,
            AAA: [after.bid.toFixed(), after.ask.toFixed()],
          });
          expect(value.toFixed()).toBe(before.toFixed());
        },
      ),
    );
  });

  it('moves the value by less than 1e-17 otherwise', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('3', '7', '0.333333333333333333', '1.5', '0.7'),
        fc
          .bigInt({ min: -(2n * 10n ** 18n), max: 2n * 10n ** 18n })
          .filter((units) => units !== 0n),
        fc.integer({ min: 1, max: 1_000_000_000 }),
        (ratio, units, price) => {
          const amount = decimal(String(units)).times(decimal('0.000000000000000001'));
          const text = (price / 1000).toFixed(3);
          const book = aBook([aPosition('AAA', amount.toFixed())]);
          const quote = aQuote('AAA', text);
          const action = anAction({ figure: decimal(ratio) });
          const { book: next, amountAfter } = splitBook(book, action, quote, NOW);
          const after = splitQuote(quote, splitRatio(action)).bid.toFixed();
          const moved = valueAt(next, { AAA: after }).minus(valueAt(book, { AAA: text }));
          expect(near(moved, '0.00000000000000001')).toBe(true);
          expect(amountAfter.toFixed()).toBe(amountAfter.round(18).toFixed());
        },
      ),
    );
  });
});

describe('a split given in shares', () => {
  it.each([
    ['1', '3', '0.3', '0.1', '300'],
    ['3', '1', '0.3', '0.9', '33.333333333333333333'],
    ['2', '7', '0.7', '0.2', '350'],
  ])('is exact: %s for %s', (newShares, oldShares, held, after, price) => {
    const shares = { newShares: decimal(newShares), oldShares: decimal(oldShares) };
    const action = anAction({ ...shares, figure: divide(shares.newShares, shares.oldShares) });
    const { book, cash } = splitBook(
      aBook([aPosition('AAA', held)]),
      action,
      aQuote('AAA', '100'),
      NOW,
    );
    const position = book.positions.get(AAA);
    expect([position?.amount.toFixed(), position?.averagePrice.toFixed()]).toEqual([after, price]);
    expect(cash.toFixed()).toBe('0');
  });

  it('restores the amount when the inverse split follows', () => {
    const thirds = { newShares: decimal('1'), oldShares: decimal('3') };
    const back = { newShares: decimal('3'), oldShares: decimal('1') };
    const quote = aQuote('AAA', '100');
    const book = aBook([aPosition('AAA', '0.123456789012345678')]);
    const third = splitBook(book, anAction(thirds), quote, NOW).book;
    const again = splitBook(third, anAction(back), splitQuote(quote, thirds), NOW).book;
    expect(again.positions.get(AAA)?.amount.toFixed()).toBe('0.123456789012345678');
  });
});

describe('a cash dividend', () => {
  it.each([
    ['a long receives it', '0.02', '0.01'],
    ['a short owes it', '-0.02', '-0.01'],
    ['half of the last place goes to the even one', '0.000000000000000003', '0.000000000000000002'],
  ])('%s', (_, held, booked) => {
    const action = anAction({ kind: 'cash_dividend', figure: decimal('0.5') });
    const { book, cash } = payDividend(aBook([aPosition('AAA', held)]), action);
    expect(cash.toFixed()).toBe(booked);
    expect(book.cash.minus(cash).toFixed()).toBe('0.5');
    expect(book.positions.get(AAA)?.amount.toFixed()).toBe(held);
    expect(book.version).toBe(8);
  });

  it('counts as what its position has brought, with what it brought before', () => {
    const action = anAction({ kind: 'cash_dividend', figure: decimal('0.5') });
    const { book } = payDividend(aBook([aPosition('AAA', '0.02')]), action);
    expect(payDividend(book, action).book.positions.get(AAA)?.dividends.toFixed()).toBe('0.02');
  });
});

describe('a delisting that settles at a price', () => {
  const stock = aStock('AAA', { status: 'delisted' });
  const settled = (book: Book, price: string) =>
    settleDelisted(
      book,
      anAction({ kind: 'delisting', figure: decimal(price) }),
      stock,
      aMarket({ stocks: [stock], now: NOW }),
      counting('n'),
    );

  it.each([
    ['a long is sold', '0.02', '12.5', 'sell', '0.75'],
    ['a short is bought back', '-0.02', '12.5', 'buy', '0.25'],
    ['a worthless one brings nothing', '0.02', '0', 'sell', '0.5'],
  ])('%s, free of costs', (_, held, price, action, cash) => {
    const { book, changes } = settled(aBook([aPosition('AAA', held)]), price);
    const filled = changes.find(({ kind }) => kind === 'filled');
    expect(filled).toMatchObject({ trade: { action } });
    expect(book.cash.toFixed()).toBe(cash);
    expect(book.positions.size).toBe(0);
    expect(book.openOrders).toEqual([]);
  });

  it('cancels the orders of the stock and releases their dependents', () => {
    const order = anOpenOrder({ id: id('o8') });
    const waiting = anOpenOrder({
      id: id('o9'),
      stockId: id('BBB'),
      dependsOn: [id('o8')],
    });
    const { book, changes } = settled(aBook([], { openOrders: [order, waiting] }), '1');
    expect(changes.map(({ kind, order: { id } }) => [kind, id])).toEqual([
      ['cancelled', 'o8'],
      ['released', 'o9'],
    ]);
    expect(book.openOrders.map(({ dependsOn }) => dependsOn)).toEqual([[]]);
  });
});

/** Splits of every kind: by a ratio with few or many places, and in shares with an infinite quotient. */
const aSplit = fc.oneof(
  fc
    .constantFrom('2', '0.5', '3', '0.1', '1.5', '0.7', '0.333333333333333333', '0.0001', '10000')
    .map((figure) => anAction({ figure: decimal(figure) })),
  fc
    .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_000 }))
    .map((shares) => shares.map((count) => decimal(String(count))) as [Decimal, Decimal])
    .map(([newShares, oldShares]) =>
      anAction({ newShares, oldShares, figure: divide(newShares, oldShares) }),
    ),
);
const aDividend = fc
  .integer({ min: 1, max: 1_000_000 })
  .map((figure) =>
    anAction({ kind: 'cash_dividend', figure: decimal((figure / 999).toFixed(18)) }),
  );

describe('cash after any actions', () => {
  it('is the sum of their entries, to the last digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).filter((units) => units !== 0n),
        fc.array(fc.tuple(fc.oneof(aSplit, aDividend), fc.integer({ min: 1, max: 99_999_999 })), {
          minLength: 1,
          maxLength: 12,
        }),
        (units, actions) => {
          const amount = decimal(String(units)).times(decimal('0.000000000000000001'));
          let book = aBook([aPosition('AAA', amount.toFixed())]);
          let entries = decimal('0');
          for (const [action, price] of actions) {
            const quote = aQuote('AAA', (price / 10_000).toFixed(4));
            const done =
              action.kind === 'split'
                ? splitBook(book, action, quote, NOW)
                : payDividend(book, action);
            entries = entries.plus(done.cash);
            expect(done.book.cash.toFixed()).toBe(decimal('0.5').plus(entries).toFixed());
            book = done.book;
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is the sum of the adjustments', () => {
    let book = aBook([aPosition('AAA', '0.123456789012345678')]);
    const booked: Decimal[] = [];
    const actions = [
      anAction({ figure: decimal('1.5') }),
      anAction({ kind: 'cash_dividend', figure: decimal('0.33') }),
      anAction({ figure: decimal('0.1') }),
    ];
    for (const action of actions) {
      const done =
        action.kind === 'split'
          ? splitBook(book, action, aQuote('AAA', '33.33'), NOW)
          : payDividend(book, action);
      booked.push(done.cash);
      book = done.book;
    }
    expect(book.cash.toFixed()).toBe(decimal('0.5').plus(sum(booked)).toFixed());
  });
});
