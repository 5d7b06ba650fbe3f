import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aQuote } from '../../../tests/builders.js';
import { type Book, type Position, newBook } from '../../trading/book.js';
import {
  type Decimal,
  ZERO,
  decimal,
  decimalText,
  fromUnits,
  inUnits,
} from '../../numbers/decimal.js';
import { id } from '../../ids.js';
import { finish } from '../../steps.js';
import { Revaluation } from './revaluation.js';
import type { Quote } from '../../market/stock.js';
import { grossExposure, strategyValue } from '../valuation.js';

/** Usually at most as many places as are stored, sometimes more. */
const figure = (least: number, most: number): fc.Arbitrary<Decimal> =>
  fc
    .tuple(
      fc.integer({ min: least, max: most }),
      fc.oneof(
        { weight: 12, arbitrary: fc.stringMatching(/^[0-9]{1,18}$/) },
        { weight: 12, arbitrary: fc.stringMatching(/^[0-9]{1,8}$/) },
        { weight: 1, arbitrary: fc.stringMatching(/^[0-9]{38,40}$/) },
      ),
    )
    .map(([whole, places]) => decimal(`${whole}.${places}`));

const STOCKS = ['AAA', 'BBB', 'CCC'];
const STRATEGIES = ['first', 'second', 'third'];

type Step =
  | { readonly stock: string; readonly bid: Decimal; readonly spread: Decimal }
  | {
      readonly strategy: string;
      readonly cash: Decimal;
      readonly holdings: readonly { readonly stock: string; readonly amount: Decimal }[];
      readonly keeps: boolean;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    stock: fc.constantFrom(...STOCKS),
    bid: fc.oneof(
      { weight: 9, arbitrary: figure(1, 900) },
      { weight: 1, arbitrary: figure(1, 1_000_000_000) },
    ),
    spread: figure(0, 9),
  }),
  fc.record({
    strategy: fc.constantFrom(...STRATEGIES),
    cash: figure(-3, 3),
    keeps: fc.boolean(),
    holdings: fc.uniqueArray(
      fc.record({
        stock: fc.constantFrom(...STOCKS),
        amount: fc.oneof(
          { weight: 9, arbitrary: figure(-20, 20) },
          { weight: 1, arbitrary: figure(-1_000_000_000, 1_000_000_000) },
          { weight: 1, arbitrary: figure(-20_000_000_000, 20_000_000_000) },
        ),
      }),
      { selector: ({ stock }) => stock },
    ),
  }),
);

const position = (stock: string, amount: Decimal): Position => ({
  stockId: id(stock),
  amount,
  averagePrice: ZERO,
  cost: ZERO,
  realized: ZERO,
  dividends: ZERO,
  createdAt: 0,
  updatedAt: 0,
});

describe('the updated values', () => {
  it('equal the worth of the positions to the last digit, after any trades and quotes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const revaluation = new Revaluation();
        const books = new Map<string, Book>();
        const quotes = new Map<string, Quote>();
        const wereLarge = new Set<string>();
        const watchSizes = (): void => {
          for (const [strategy, book] of books)
            if (sizeOf(book, quotes).gt(ALWAYS_KNOWN)) wereLarge.add(strategy);
        };
        for (const next of steps) {
          watchSizes();
          if ('stock' in next) {
            const { stock, bid, spread } = next;
            const quote = { ...aQuote(stock, '1'), bid, ask: bid.plus(spread) };
            quotes.set(stock, quote);
            revaluation.quote(quote.stockId, quote);
            continue;
          }
          const { strategy, cash, holdings, keeps } = next;
          const before = books.get(strategy);
          const positions = new Map<Position['stockId'], Position>(
            holdings
              .filter(({ amount }) => !amount.eq(ZERO))
              .map(({ stock, amount }) => [id(stock), position(stock, amount)]),
          );
          const kept = keeps && before ? before.positions : new Map<never, never>();
          const book: Book = {
            ...newBook(id(strategy)),
            cash,
            positions: new Map([...positions, ...kept]),
          };
          revaluation.change(before, book);
          books.set(strategy, book);
        }
        watchSizes();
        for (const [strategy, book] of books) {
          // The second call returns the same object.
          expect(revaluation.valueOf(id(strategy))).toBe(revaluation.valueOf(id(strategy)));
          const value = strategyValue(book, { quote: (stockId) => quotes.get(stockId) });
          const known = revaluation.valueOf(id(strategy));
          if (known) expect(known.toFixed()).toBe(value?.toFixed());
          else
            expect(value === undefined || !fits(book, quotes) || wereLarge.has(strategy)).toBe(
              true,
            );
          const gross = revaluation.grossOf(book, (visit) => {
            for (const { stockId, amount } of book.positions.values())
              if (amount.lt(ZERO)) visit(stockId, amount.toFixed());
          });
          const market = { quote: (stockId: Position['stockId']) => quotes.get(stockId) };
          expect(gross?.toFixed()).toBe(known && grossExposure(book, market)?.toFixed());
          for (const stockId of book.positions.keys())
            expect([...revaluation.holders(stockId)]).toContain(strategy);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are missing while a quote is missing, and return with it', () => {
    const revaluation = new Revaluation();
    const positions = new Map([[id<'stock'>('AAA'), position('AAA', decimal('-2'))]]);
    revaluation.change(undefined, { ...newBook(id('s')), positions });
    expect(revaluation.valueOf(id('s'))).toBeUndefined();
    revaluation.quote(id('AAA'), aQuote('AAA', ['10', '11']));
    expect(decimalText(revaluation.valueOf(id('s')) ?? ZERO)).toBe('-21');
    revaluation.quote(id('AAA'), undefined);
    expect(revaluation.valueOf(id('s'))).toBeUndefined();
    expect(revaluation.valueOf(id('nobody'))).toBeUndefined();
  });
});

/** Values of strategies that never held more, longs and shorts together, are known. */
const ALWAYS_KNOWN = decimal('40000000000000000');

const sizeOf = ({ positions, cash }: Book, quotes: ReadonlyMap<string, Quote>): Decimal =>
  [...positions.values()].reduce(
    (sum, { stockId, amount }) => sum.plus(amount.abs().times(quotes.get(stockId)?.ask ?? ZERO)),
    cash.abs(),
  );

const TOO_MANY = decimal('10000000000');

/** Whether every figure has at most the stored number of places, and no holding is too large. */
function fits(book: Book, quotes: ReadonlyMap<string, Quote>): boolean {
  const held = [...book.positions.values()];
  const prices = held.map(({ stockId, amount }) => {
    const quote = quotes.get(stockId);
    return amount.gte(ZERO) ? quote?.bid : quote?.ask;
  });
  const inPlaces = [...held.map(({ amount }) => amount), ...prices].every(
    (value) => !value || inUnits(value, 18) !== undefined,
  );
  const areSmall = held.every(({ amount }) => amount.abs().lt(TOO_MANY));
  return inPlaces && areSmall && inUnits(book.cash, 36) !== undefined;
}

/** What is done to the values of books that are entered together. */
type Entry =
  | {
      readonly does: 'enter';
      readonly holdings: readonly (readonly [stock: string, amount: Decimal])[];
    }
  | { readonly does: 'quote'; readonly stock: string; readonly bid: Decimal }
  | { readonly does: 'unquote'; readonly stock: string }
  | { readonly does: 'count' }
  | { readonly does: 'step' }
  | { readonly does: 'sell'; readonly place: number };

const entry: fc.Arbitrary<Entry> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('enter' as const),
      holdings: fc.uniqueArray(
        fc.tuple(
          fc.constantFrom(...STOCKS),
          fc.oneof(
            { weight: 9, arbitrary: figure(-20, 20) },
            { weight: 1, arbitrary: figure(-1_000_000_000, 1_000_000_000) },
          ),
        ),
        { selector: ([stock]) => stock },
      ),
    }),
  },
  fc.record({
    does: fc.constant('quote' as const),
    stock: fc.constantFrom(...STOCKS),
    bid: figure(1, 900),
  }),
  fc.record({ does: fc.constant('unquote' as const), stock: fc.constantFrom(...STOCKS) }),
  fc.record({ does: fc.constantFrom('count' as const, 'step' as const) }),
  fc.record({ does: fc.constant('sell' as const), place: fc.nat() }),
);

describe('books that are entered together', () => {
  it('have the values and holders that they have one by one, whatever comes in between', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const together = new Revaluation();
        const oneByOne = new Revaluation();
        const books: Book[] = [];
        let counting = together.countEntered();
        const count = (): void => {
          finish(counting);
          counting = together.countEntered();
          finish(counting);
          counting = together.countEntered();
        };
        for (const next of entries) {
          if (next.does === 'enter') {
            const book: Book = {
              ...newBook(id(`s${books.length}`)),
              positions: new Map(
                next.holdings.map(([stock, amount]) => [id(stock), position(stock, amount)]),
              ),
            };
            const hold = together.enter(book);
            for (const { stockId, amount } of book.positions.values())
              hold(together.stocks.of(stockId), amount.toFixed());
            oneByOne.change(undefined, book);
            books.push(book);
          } else if (next.does === 'sell') {
            const place = next.place % Math.max(1, books.length);
            const before = books[place];
            if (!before) continue;
            const after = { ...before, positions: new Map([...before.positions].slice(1)) };
            for (const one of [together, oneByOne]) one.change(before, after);
            books[place] = after;
          } else if (next.does === 'count') count();
          else if (next.does === 'step') {
            if (counting.next().done === true) counting = together.countEntered();
          } else {
            const { stock } = next;
            const bid = next.does === 'quote' ? next.bid : undefined;
            const quote = bid && { bid, ask: bid.plus(decimal('0.5')) };
            for (const one of [together, oneByOne]) one.quote(id(stock), quote);
          }
          for (const { strategyId } of books) {
            const known = together.valueOf(strategyId);
            if (known) expect(known.eq(oneByOne.valueOf(strategyId) ?? ZERO)).toBe(true);
          }
        }
        count();
        for (const { strategyId } of books)
          expect(together.valueOf(strategyId)?.toFixed()).toBe(
            oneByOne.valueOf(strategyId)?.toFixed(),
          );
        for (const stock of STOCKS)
          expect([...together.holders(id(stock))]).toEqual([...oneByOne.holders(id(stock))]);
      }),
      { numRuns: 500 },
    );
  });

  it('are valued only when all of their holdings have entered', () => {
    const values = new Revaluation();
    values.quote(id('AAA'), aQuote('AAA', ['10', '11']));
    const hold = values.enter(newBook(id('s')));
    hold(values.stocks.of(id('AAA')), '2');
    expect(values.valueOf(id('s'))).toBeUndefined();
    expect([...values.atOrBelowZero()]).toEqual([]);
    finish(values.countEntered());
    expect(decimalText(values.valueOf(id('s')) ?? ZERO)).toBe('21');
  });

  it('enter in steps, so that other work comes between thousands of them', () => {
    const values = new Revaluation();
    for (let book = 0; book < 500; book += 1) {
      const hold = values.enter(newBook(id(`s${book}`)));
      for (let stock = 0; stock < 20; stock += 1) hold(values.stocks.of(id(`t${stock}`)), '1');
    }
    expect([...values.countEntered()].length).toBeGreaterThanOrEqual(4);
    expect([...values.holders(id('t19'))]).toHaveLength(500);
  });
});

describe('whole units of the last place', () => {
  it.each([
    ['0', 18, 0n],
    ['1', 0, 1n],
    ['-12.5', 2, -1250n],
    ['0.000000000000000001', 18, 1n],
    ['123456789012345678.000000000000000009', 18, 123456789012345678000000000000000009n],
  ])('%s is at %d places %d', (text, places, units) => {
    expect(inUnits(decimal(text), places)).toBe(units);
    expect(fromUnits(units, places).toFixed()).toBe(text);
  });

  it.each(['0.1234567890123456789', '1e-19'])('%s has more than 18', (text) => {
    expect(inUnits(decimal(text), 18)).toBeUndefined();
  });
});
