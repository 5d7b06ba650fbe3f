import { describe, expect, it } from '@jest/globals';
import { id } from '../ids.js';
import { ZERO, decimal } from '../numbers/decimal.js';
import { UNKNOWN_SOURCE } from '../market/source.js';
import type { Trade } from '../trading/order.js';
import { FOLLOWS_NOTHING, type Following, followedBy, withTrades } from './followed-trades.js';
import type { Splits } from '../market/split.js';

const STEADY = id<'strategy'>('steady');
const DARING = id<'strategy'>('daring');
const ACME = id<'stock'>('acme');
const NO_SPLITS: Splits = new Map();

const trade = (name: string, amount: string, price: string, createdAt = 10): Trade => ({
  ...UNKNOWN_SOURCE,
  id: id(name),
  orderId: id(`order-of-${name}`),
  strategyId: STEADY,
  stockId: ACME,
  action: 'buy',
  amount: decimal(amount),
  price: decimal(price),
  total: decimal(amount).times(decimal(price)),
  feeTotal: ZERO,
  rounding: ZERO,
  realized: null,
  strategyValue: null,
  quoteBid: null,
  quoteAsk: null,
  quoteAt: null,
  createdAt,
});

const began: Following = { ...FOLLOWS_NOTHING, seen: new Map([[STEADY, null]]) };

const shown = (following: Following, stockId = ACME) => {
  const { tradeIds, strategyPrice } = followedBy(following, stockId);
  return [tradeIds.join(' '), strategyPrice?.toFixed() ?? null];
};

describe('the trades that a bot follows', () => {
  it.each<[string, readonly Trade[], readonly [string, string | null]]>([
    ['none', [], ['', null]],
    ['one', [trade('a', '2', '100')], ['a', '100']],
    ['two, by their volumes', [trade('b', '1', '103'), trade('a', '2', '100')], ['b a', '101']],
    [
      'a price that does not end',
      [trade('b', '1', '101'), trade('a', '2', '100')],
      ['b a', '100.333333333333333333'],
    ],
  ])('%s', (_, trades, expected) => {
    expect(shown(withTrades(began, new Map([[STEADY, trades]]), NO_SPLITS))).toEqual(expected);
  });

  it('adds those of later readings, and of every strategy', () => {
    const first = withTrades(
      { ...began, seen: new Map([...began.seen, [DARING, null]]) },
      new Map([
        [STEADY, [trade('a', '2', '100')]],
        [DARING, []],
      ]),
      NO_SPLITS,
    );
    const second = withTrades(
      first,
      new Map([
        [STEADY, []],
        [DARING, [trade('b', '2', '110')]],
      ]),
      NO_SPLITS,
    );
    expect(shown(second)).toEqual(['b a', '105']);
    expect([...second.seen]).toEqual([
      [STEADY, 'a'],
      [DARING, 'b'],
    ]);
  });

  it('joins a strategy that it did not read before', () => {
    const joined = withTrades(
      FOLLOWS_NOTHING,
      new Map([[STEADY, [trade('a', '2', '100')]]]),
      NO_SPLITS,
    );
    expect(shown(joined)).toEqual(['', null]);
    expect(joined.seen.get(STEADY)).toBe('a');
  });

  it.each([
    ['after the trade', 20, '50'],
    ['before the trade', 5, '100'],
  ])('states the price in shares of today: a split %s', (_, at, price) => {
    const splits: Splits = new Map([
      [ACME, [{ ratio: { newShares: decimal('2'), oldShares: decimal('1') }, at }]],
    ]);
    const read = new Map([[STEADY, [trade('a', '2', '100')]]]);
    expect(shown(withTrades(began, read, splits))).toEqual(['a', price]);
    const known = withTrades(began, read, NO_SPLITS);
    const later = withTrades(known, new Map([[STEADY, []]]), splits);
    expect(shown(later)).toEqual(['a', price]);
  });

  it('names the newest 100, and prices all', () => {
    const trades = Array.from({ length: 150 }, (_, index) =>
      trade(`t${149 - index}`, '1', index < 100 ? '100' : '130'),
    );
    const { tradeIds, strategyPrice } = followedBy(
      withTrades(began, new Map([[STEADY, trades]]), NO_SPLITS),
      ACME,
    );
    expect(tradeIds).toHaveLength(100);
    expect([tradeIds[0], tradeIds.at(-1)]).toEqual(['t149', 't50']);
    expect(strategyPrice?.toFixed()).toBe('110');
  });
});
