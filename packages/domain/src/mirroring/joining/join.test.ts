import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type StockId, type StrategyId, id } from '../../ids.js';
import { ONE, ZERO, decimal, decimalText } from '../../numbers/decimal.js';
import { type Book, newBook } from '../../trading/book.js';
import type { Action } from '../../trading/order.js';
import { targetWeights } from '../rebalance/target.js';
import type { BrokerAccount } from '../bot-account.js';
import {
  type Unjoined,
  joinedPart,
  unjoinedAfter,
  unjoinedAtStart,
  unjoinedIn,
  unjoinedStocks,
} from './join.js';

const STEADY: StrategyId = id('steady');
const DARING: StrategyId = id('daring');
const ACME: StockId = id('acme');
const BOLT: StockId = id('bolt');

const bookOf = (strategyId: StrategyId, holdings: Readonly<Record<string, string>>): Book => ({
  ...newBook(strategyId),
  positions: new Map(
    Object.entries(holdings).map(([stockId, amount]) => [
      id<'stock'>(stockId),
      {
        stockId: id<'stock'>(stockId),
        amount: decimal(amount),
        averagePrice: ONE,
        cost: ZERO,
        realized: ZERO,
        dividends: ZERO,
        createdAt: 0,
        updatedAt: 0,
      },
    ]),
  ),
});

const booksOf = (
  holdings: Readonly<Record<string, Readonly<Record<string, string>>>>,
): ReadonlyMap<StrategyId, Book> =>
  new Map(
    Object.entries(holdings).map(([name, held]) => [id(name), bookOf(id(name), held)] as const),
  );

const accountOf = (
  values: Readonly<Record<string, string>>,
): Pick<BrokerAccount, 'positions' | 'equity'> => ({
  equity: decimal('1000'),
  positions: Object.entries(values).map(([stockId, value]) => ({
    stockId: id<'stock'>(stockId),
    amount: decimal(value),
    price: ONE,
    value: decimal(value),
  })),
});

const followed = [STEADY, DARING].map((strategyId) => ({ strategyId, percent: ONE }));

const shown = (unjoined: Unjoined): unknown =>
  Object.fromEntries(
    [...unjoined].map(([strategyId, positions]) => [
      strategyId,
      Object.fromEntries(
        [...positions].map(([stockId, { increasedBy, part }]) => [
          stockId,
          `${increasedBy} ${decimalText(part)}`,
        ]),
      ),
    ]),
  );

describe('the positions that a bot does not join', () => {
  it.each<[string, Record<string, string>, string | undefined, string]>([
    ['that the account does not hold', {}, '0.5', 'buy 0'],
    ['that the account holds as the target says', { acme: '500' }, '0.5', 'buy 1'],
    ['of which the account holds a part', { acme: '100' }, '0.5', 'buy 0.2'],
    ['of which the account holds more', { acme: '900' }, '0.5', 'buy 1'],
    ['whose other side the account holds', { acme: '-100' }, '0.5', 'buy 0'],
    ['that the account holds and nobody can value', { acme: '1' }, undefined, 'buy 1'],
    ['that nobody can value', {}, undefined, 'buy 0'],
  ])('one %s', (_, held, weight, expected) => {
    const books = booksOf({ steady: { acme: '0.5' } });
    const target = weight === undefined ? undefined : new Map([[ACME, decimal(weight)]]);
    const unjoined = unjoinedAtStart(followed.slice(0, 1), books, accountOf(held), target);
    expect(shown(unjoined)).toEqual({ steady: { acme: expected } });
  });

  it('are those of each strategy that has a share, long or short', () => {
    const books = booksOf({ steady: { acme: '0.5', bolt: '-0.1' }, daring: { acme: '1' } });
    const allocations = followed.map((one) =>
      one.strategyId === DARING ? { ...one, percent: ZERO } : one,
    );
    expect(shown(unjoinedAtStart(allocations, books, accountOf({})))).toEqual({
      steady: { acme: 'buy 0', bolt: 'sell 0' },
    });
  });

  const began = unjoinedAtStart(
    followed,
    booksOf({ steady: { acme: '0.5', bolt: '-0.1' }, daring: { acme: '1' } }),
    accountOf({}),
  );

  it.each<[string, readonly (readonly [StrategyId, Action, StockId])[], unknown]>([
    ['none', [], { steady: { acme: 'buy 0', bolt: 'sell 0' }, daring: { acme: 'buy 0' } }],
    [
      'a reduction of a long position',
      [[STEADY, 'sell', ACME]],
      { steady: { acme: 'buy 0', bolt: 'sell 0' }, daring: { acme: 'buy 0' } },
    ],
    [
      'an increase: the whole position is joined',
      [[STEADY, 'buy', ACME]],
      { steady: { bolt: 'sell 0' }, daring: { acme: 'buy 0' } },
    ],
    [
      'an increase of a short',
      [[STEADY, 'sell', BOLT]],
      { steady: { acme: 'buy 0' }, daring: { acme: 'buy 0' } },
    ],
    [
      'an exit, and then a smaller entry, both between two checks',
      [
        [DARING, 'sell', ACME],
        [DARING, 'buy', ACME],
      ],
      { steady: { acme: 'buy 0', bolt: 'sell 0' }, daring: {} },
    ],
  ])('after %s', (_, trades, expected) => {
    const read = new Map(
      [STEADY, DARING].map((strategyId) => [
        strategyId,
        trades
          .filter(([by]) => by === strategyId)
          .map(([, action, stockId]) => ({ action, stockId })),
      ]),
    );
    expect(shown(unjoinedAfter(began, read))).toEqual(expected);
  });

  it('are forgotten with a strategy that is not mirrored any more', () => {
    expect(shown(unjoinedAfter(began, new Map([[DARING, []]])))).toEqual({
      daring: { acme: 'buy 0' },
    });
  });

  it('are joined once the strategy is flat or on the other side, also by a delisting', () => {
    const books = booksOf({ steady: { bolt: '0.3' }, daring: { acme: '4' } });
    expect(shown(unjoinedIn(began, books))).toEqual({ steady: {}, daring: { acme: 'buy 0' } });
  });

  it('are alone in their stock unless another strategy gives the bot some of it', () => {
    const books = booksOf({ steady: { acme: '1', bolt: '-1' }, daring: { acme: '1', bolt: '1' } });
    const unjoined = unjoinedAtStart(
      followed,
      booksOf({ steady: { acme: '1', bolt: '-1' }, daring: { acme: '1' } }),
      accountOf({}),
    );
    const { stockIds, alone } = unjoinedStocks(unjoined, books);
    expect([stockIds, [...alone]]).toEqual([[ACME, BOLT], [ACME]]);
  });

  it('have no part of the target, whose other shares stay as they are', () => {
    const quote = (stockId: StockId) => ({ stockId, bid: ONE, ask: ONE, last: ONE, at: 0 });
    const books = new Map(
      [...booksOf({ steady: { acme: '0.5', bolt: '0.5' }, daring: { acme: '0.4' } })].map(
        ([strategyId, book]) => [strategyId, { ...book, cash: ZERO }],
      ),
    );
    const bot = { leverage: ONE, allocations: followed };
    const unjoined: Unjoined = new Map([
      [STEADY, new Map([[ACME, { increasedBy: 'buy', part: decimal('0.1') }]])],
    ]);
    const target = targetWeights(bot, books, { quote }, unjoined);
    expect(target).toMatchObject({ kind: 'weights', notes: [] });
    if (target.kind !== 'weights') return;
    expect([...target.weights].map(([stockId, weight]) => [stockId, decimalText(weight)])).toEqual([
      [ACME, '1.05'],
      [BOLT, '0.5'],
    ]);
  });

  it('whatever a strategy does: a stock that it only held or reduced is not joined', () => {
    const steps = fc.array(
      fc.record({ stock: fc.constantFrom(ACME, BOLT), change: fc.integer({ min: -3, max: 3 }) }),
      { maxLength: 12 },
    );
    const sizes = fc.constantFrom<number>(-2, 1, 3);
    fc.assert(
      fc.property(steps, sizes, sizes, fc.integer({ min: 1, max: 4 }), (all, acme, bolt, pace) => {
        const amounts = new Map([
          [ACME, acme],
          [BOLT, bolt],
        ]);
        const bookNow = () =>
          booksOf({
            steady: Object.fromEntries(
              [...amounts]
                .filter(([, amount]) => amount !== 0)
                .map(([stockId, amount]) => [stockId, String(amount)]),
            ),
          });
        let unjoined = unjoinedAtStart(followed.slice(0, 1), bookNow(), accountOf({}));
        const begins = new Map(amounts);
        const joined = new Set<StockId>();
        for (let from = 0; from < all.length; from += pace) {
          // Several trades between two checks.
          const trades = all.slice(from, from + pace).filter(({ change }) => change !== 0);
          for (const { stock, change } of trades) {
            const before = amounts.get(stock) ?? 0;
            const begin = begins.get(stock) ?? 0;
            amounts.set(stock, before + change);
            const isReduction = Math.abs(before + change) < Math.abs(before) && before * change < 0;
            if (!isReduction || (before + change) * begin <= 0) joined.add(stock);
          }
          const read = trades.map(({ stock, change }) => ({
            stockId: stock,
            action: change > 0 ? ('buy' as const) : ('sell' as const),
          }));
          unjoined = unjoinedIn(unjoinedAfter(unjoined, new Map([[STEADY, read]])), bookNow());
          for (const [stockId, amount] of amounts) {
            if (amount === 0) continue;
            const part = joinedPart(unjoined, STEADY, stockId, decimal(String(amount)));
            expect([stockId, part.eq(ONE)]).toEqual([stockId, joined.has(stockId)]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
