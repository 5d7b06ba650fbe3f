import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aQuote } from '../../tests/builders.js';
import { type Book, type Position, newBook } from '../trading/book.js';
import {
  type Decimal,
  ZERO,
  decimal,
  decimalText,
  fromUnits,
  inUnits,
} from '../numbers/decimal.js';
import { id } from '../ids.js';
import { Revaluation } from './revaluation.js';
import type { Quote } from '../market/stock.js';
import { grossExposure, strategyValue } from './valuation.js';

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
        for (const next of steps) {
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
        for (const [strategy, book] of books) {
          // The second call returns the same object.
          expect(revaluation.valueOf(id(strategy))).toBe(revaluation.valueOf(id(strategy)));
          const value = strategyValue(book, { quote: (stockId) => quotes.get(stockId) });
          const known = revaluation.valueOf(id(strategy));
          if (known) expect(known.toFixed()).toBe(value?.toFixed());
          else expect(value === undefined || !fits(book, quotes)).toBe(true);
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

/** Whether every figure has at most the stored number of places. */
function fits(book: Book, quotes: ReadonlyMap<string, Quote>): boolean {
  const held = [...book.positions.values()];
  const prices = held.map(({ stockId, amount }) => {
    const quote = quotes.get(stockId);
    return amount.gte(ZERO) ? quote?.bid : quote?.ask;
  });
  const inPlaces = [...held.map(({ amount }) => amount), ...prices].every(
    (value) => !value || inUnits(value, 18) !== undefined,
  );
  return inPlaces && inUnits(book.cash, 36) !== undefined;
}

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
