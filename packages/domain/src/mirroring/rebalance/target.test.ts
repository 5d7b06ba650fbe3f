import { describe, expect, it } from '@jest/globals';
import type { Book } from '../../trading/book.js';
import { newBook } from '../../trading/book.js';
import type { BrokerAccount, TradedStock } from '../bot-account.js';
import { decimal, decimalText } from '../../numbers/decimal.js';
import { type StockId, type StrategyId, id } from '../../ids.js';
import { attainableTarget, driftOf, targetWeights } from './target.js';

const bookOf = (cash: string, holdings: Readonly<Record<string, string>>): Book => ({
  ...newBook(id('s')),
  cash: decimal(cash),
  positions: new Map(
    Object.entries(holdings).map(([stockId, amount]) => [
      id<'stock'>(stockId),
      {
        stockId: id<'stock'>(stockId),
        amount: decimal(amount),
        averagePrice: decimal('1'),
        cost: decimal('0'),
        realized: decimal('0'),
        dividends: decimal('0'),
        createdAt: 0,
        updatedAt: 0,
      },
    ]),
  ),
});

/** Every stock costs 1, but `missing` has no quote. */
const market = {
  quote: (stockId: StockId) =>
    stockId === 'missing'
      ? undefined
      : { stockId, bid: decimal('1'), ask: decimal('1'), last: decimal('1'), at: 0 },
};

const weightsOf = (weights: ReadonlyMap<StockId, ReturnType<typeof decimal>>) =>
  Object.fromEntries([...weights].map(([stockId, weight]) => [stockId, decimalText(weight)]));

const target = (
  leverage: string,
  mirrored: readonly { percent: string; book: Book | undefined }[],
) => {
  const books = new Map<StrategyId, Book>();
  const allocations = mirrored.map(({ percent, book }, index) => {
    const strategyId = id<'strategy'>(`s${index}`);
    if (book) books.set(strategyId, book);
    return { strategyId, percent: decimal(percent) };
  });
  return targetWeights({ leverage: decimal(leverage), allocations }, books, market);
};

describe('the target of a bot (contract 4)', () => {
  it.each<[string, string, Record<string, string>, readonly unknown[]]>([
    ['above 2', '-3', { A: '2', B: '2' }, ['Strategy s0 is scaled down from 4x to 2x.']],
    ['a little above 2', '-1.00001', { A: '2' }, [expect.stringMatching(/from 2\.0001x to 2x/)]],
    ['of exactly 2', '-1', { A: '2' }, []],
  ])('reports that a strategy %s is scaled', (_, cash, held, notes) => {
    expect(target('1', [{ percent: '0.5', book: bookOf(cash, held) }])).toMatchObject({ notes });
  });

  it.each([
    ['a share of one strategy', '1', [['0.5', '0.6', { A: '0.4' }]], { A: '0.2' }],
    ['leverage times it', '2', [['0.5', '0.6', { A: '0.4' }]], { A: '0.4' }],
    [
      'the sum over strategies',
      '1',
      [
        ['1', '0.5', { A: '0.5' }],
        ['0.5', '0', { A: '0.4', B: '0.6' }],
      ],
      { A: '0.7', B: '0.3' },
    ],
    [
      'what a long and a short leave',
      '1',
      [
        ['1', '0.5', { A: '0.5' }],
        ['0.5', '1.4', { A: '-0.4' }],
      ],
      { A: '0.3' },
    ],
    [
      'nothing of what nets out',
      '1',
      [
        ['1', '0.5', { A: '0.5' }],
        ['1', '1.5', { A: '-0.5' }],
      ],
      {},
    ],
    ['shares of the present value', '1', [['1', '1', { A: '3' }]], { A: '0.75' }],
    ['at most 2 gross of one strategy', '1', [['1', '-3', { A: '2', B: '2' }]], { A: '1', B: '1' }],
    ['with its shorts', '1', [['1', '3', { A: '1', B: '-3' }]], { A: '0.5', B: '-1.5' }],
    ['nothing of a strategy without a share', '1', [['0', '0.5', { missing: '0.5' }]], {}],
  ] as const)('is %s', (_, leverage, mirrored, expected) => {
    const found = target(
      leverage,
      mirrored.map(([percent, cash, holdings]) => ({ percent, book: bookOf(cash, holdings) })),
    );
    if (found.kind !== 'weights') throw new Error(found.reason);
    expect(weightsOf(found.weights)).toEqual(expected);
  });

  it.each([
    ['has no quote', bookOf('0.5', { missing: '1' })],
    ['is zero', bookOf('-1', { A: '1' })],
    ['is negative', bookOf('-2', { A: '1' })],
    ['has no book', undefined],
  ])('is unavailable while the value of a mirrored strategy %s', (_, book) => {
    const found = target('1', [
      { percent: '1', book: bookOf('0.5', { A: '0.5' }) },
      { percent: '1', book },
    ]);
    expect(found.kind).toBe('unavailable');
  });
});

const stock = (symbol: string, allowsShort: boolean): TradedStock => ({
  symbol,
  fee: decimal('0'),
  bid: decimal('1'),
  ask: decimal('1'),
  collar: decimal('0.01'),
  doubt: null,
  rules: {
    minTotal: decimal('1'),
    minAmount: decimal('0'),
    amountStep: decimal('0.0001'),
    allowsShort,
    crossesZero: true,
    shortStep: decimal('0.0001'),
    priceStep: decimal('0.01'),
    checkReserve: decimal('0'),
    session: 'open',
  },
});

describe('what an account can hold of its target', () => {
  const A = id<'stock'>('A');
  const B = id<'stock'>('B');
  const stocks = new Map([
    [A, stock('AAA', true)],
    [B, stock('BBB', false)],
  ]);
  const attain = (
    weights: Readonly<Record<string, string>>,
    maxGross: string,
    held: Readonly<Record<string, string>> = {},
  ) => {
    const wanted = new Map(
      Object.entries(weights).map(([key, weight]) => [id<'stock'>(key), decimal(weight)]),
    );
    const positions = Object.entries(held).map(([key, value]) => ({
      stockId: id<'stock'>(key),
      amount: decimal(value),
      price: decimal('1'),
      value: decimal(value),
    }));
    const account = { positions, equity: decimal('100'), maxGross: decimal(maxGross) };
    const found = attainableTarget(wanted, stocks, account, (stockId) => `the name of ${stockId}`);
    return { weights: weightsOf(found.weights), notes: found.notes };
  };

  it('is the target itself when it fits', () => {
    expect(attain({ A: '-0.5', B: '0.5' }, '1')).toEqual({
      weights: { A: '-0.5', B: '0.5' },
      notes: [],
    });
  });

  it('leaves out what the broker does not trade, and names it unless it is held', () => {
    const text = 'the name of Z is not traded by the broker and is left out.';
    expect(attain({ Z: '0.5' }, '2')).toEqual({ weights: {}, notes: [text] });
    expect(attain({ Z: '0.5' }, '2', { Z: '3' })).toEqual({ weights: {}, notes: [] });
  });

  it('leaves out shorts that the broker cannot hold, and says so', () => {
    const { weights, notes } = attain({ A: '0.5', B: '-0.5' }, '2');
    expect(weights).toEqual({ A: '0.5' });
    expect(notes).toEqual([expect.stringContaining('short of BBB')]);
  });

  it.each<[string, string, string, string | undefined, RegExp | undefined]>([
    ['kept while the target wants as much', '-0.4', '-40', '-0.4', undefined],
    ['reduced with the target', '-0.3', '-40', '-0.3', undefined],
    ['never increased', '-0.5', '-40', '-0.4', /lends no more of BBB/],
    ['not opened from a long position', '-0.5', '40', undefined, /short of BBB; it is left out/],
  ])('has a short that the broker lends no more of, and that is held: %s', (_, ...row) => {
    const [wanted, held, weight, note] = row;
    const { weights, notes } = attain({ B: wanted }, '2', { B: held });
    expect(weights).toEqual(weight === undefined ? {} : { B: weight });
    expect(notes).toEqual(note ? [expect.stringMatching(note)] : []);
  });

  it("is scaled to the account's own maximum, and says so", () => {
    const { weights, notes } = attain({ A: '1.5', B: '0.5' }, '1');
    expect(weights).toEqual({ A: '0.75', B: '0.25' });
    expect(notes).toEqual([expect.stringContaining('from 2x to 1x')]);
  });

  it('leaves out what the broker does not trade, and says so', () => {
    const { weights, notes } = attain({ C: '0.5' }, '1');
    expect(weights).toEqual({});
    expect(notes).toHaveLength(1);
  });
});

describe('drift (contract 2)', () => {
  const account = (
    equity: string,
    cash: string,
    values: Readonly<Record<string, string>>,
  ): Pick<BrokerAccount, 'equity' | 'cash' | 'positions'> => ({
    equity: decimal(equity),
    cash: decimal(cash),
    positions: Object.entries(values).map(([key, value]) => ({
      stockId: id<'stock'>(key),
      amount: decimal(value),
      price: decimal('1'),
      value: decimal(value),
    })),
  });

  it.each([
    ['in line', account('100', '50', { A: '50' }), { A: '0.5' }, '0'],
    ['all cash, half wanted', account('100', '100', {}), { A: '0.5' }, '0.5'],
    ['one stock for another', account('100', '50', { A: '50' }), { B: '0.5' }, '0.5'],
    ['long for short', account('100', '0', { A: '100' }), { A: '-1' }, '2'],
  ] as const)('of an account that is %s', (_, held, wanted, expected) => {
    const weights = new Map(
      Object.entries(wanted).map(([key, weight]) => [id<'stock'>(key), decimal(weight)]),
    );
    expect(decimalText(driftOf(held, weights) ?? decimal('-1'))).toBe(expected);
  });

  it('is unknown while equity is not positive', () => {
    expect(driftOf(account('0', '0', {}), new Map())).toBeNull();
  });
});
