import { describe, expect, it } from '@jest/globals';
import { type Book, type OpenOrder, type Pricing, decimal, id, newBook } from '@slipstream/domain';
import type { Prices } from '../data/bar.js';
import { type ExtremeQuotes, firstExtreme } from './extremes.js';

const STOCK = id<'stock'>('aapl');
const BAR = { open: 100, high: 110, low: 95, close: 105 };
const NEAR_HIGH = { ...BAR, high: 104 };
const EVEN = { ...BAR, high: 105 };

const anOrder = (
  action: 'buy' | 'sell',
  pricing: Pricing,
  waitsFor: readonly string[] = [],
): OpenOrder => ({
  ...{ id: id('o'), strategyId: id('s'), stockId: STOCK, action, pricing, reduceOnly: false },
  ...{ size: { by: 'amount', amount: decimal('1') }, origin: 'order', createdAt: 0 },
  ...{ triggeredAt: null, restingSince: null, status: 'open' },
  dependsOn: waitsFor.map((name) => id<'order'>(name)),
});

const stop = (price: string): Pricing => ({ type: 'stop_market', stopPrice: decimal(price) });
const limit = (price: string): Pricing => ({ type: 'limit', price: decimal(price) });
const oco = (price: string, stopPrice: string): Pricing => ({
  ...{ type: 'oco', price: decimal(price), stopPrice: decimal(stopPrice) },
});

const aBook = (amount: string, ...openOrders: OpenOrder[]): Book => ({
  ...newBook(id('s')),
  openOrders,
  positions:
    amount === '0'
      ? new Map()
      : new Map([[STOCK, { stockId: STOCK, amount: decimal(amount) } as never]]),
});

/** Quotes with that much of the price between bid and ask, half on either side. */
const around =
  ({ high, low }: Prices, spread = 0): ExtremeQuotes =>
  (extreme) => {
    const price = extreme === 'high' ? high : low;
    const at = (factor: number) => decimal((price * factor).toFixed(9));
    return { bid: at(1 - spread / 2), ask: at(1 + spread / 2) };
  };

describe('the extreme that comes first', () => {
  it.each([
    ['low', 'net long, though the high is farther', aBook('1'), BAR],
    ['high', 'net short, though the low is farther', aBook('-1'), NEAR_HIGH],
    ['high', 'flat: the one farther from the open', aBook('0'), BAR],
    ['low', 'flat: the one farther from the open', aBook('0'), NEAR_HIGH],
    ['low', 'flat and as far: the low', aBook('0'), EVEN],
    ['high', 'flat, a stop to buy in the bar', aBook('0', anOrder('buy', stop('103'))), NEAR_HIGH],
    ['low', 'flat, a stop to sell in the bar', aBook('0', anOrder('sell', stop('96'))), BAR],
    ['high', 'flat, a stop to sell below the bar', aBook('0', anOrder('sell', stop('90'))), BAR],
    [
      'high',
      'flat, stops on both sides: the farther one',
      aBook('0', anOrder('sell', stop('96')), anOrder('buy', stop('103'))),
      BAR,
    ],
    [
      'low',
      'flat, limits only: the farther one',
      aBook('0', anOrder('buy', limit('99'))),
      NEAR_HIGH,
    ],
    [
      'low',
      'long, both legs of an OCO in the bar: the loss',
      aBook('1', anOrder('sell', oco('108', '96'))),
      BAR,
    ],
    [
      'high',
      'short, both legs of an OCO in the bar: the loss',
      aBook('-1', anOrder('buy', oco('96', '103'))),
      NEAR_HIGH,
    ],
    [
      'high',
      'flat, an entry by stop and the stop of its loss: the entry, then the loss',
      aBook('0', anOrder('buy', stop('103')), anOrder('sell', stop('96'), ['entry'])),
      NEAR_HIGH,
    ],
  ] as const)('is the %s: %s', (expected, _, book, bar) =>
    expect(firstExtreme(book, STOCK, bar, around(bar))).toBe(expected),
  );

  it.each([
    ['high', 'the ask at the high reaches a stop to buy', 'buy', '104.2', NEAR_HIGH],
    ['low', 'the ask at the high does not reach a stop to buy', 'buy', '104.6', NEAR_HIGH],
    ['low', 'the bid at the low reaches a stop to sell', 'sell', '94.8', BAR],
    ['high', 'the bid at the low does not reach a stop to sell', 'sell', '94.3', BAR],
  ] as const)('is the %s where %s: as the order will meet it', (expected, _, side, price, bar) =>
    expect(
      firstExtreme(aBook('0', anOrder(side, stop(price))), STOCK, bar, around(bar, 0.01)),
    ).toBe(expected),
  );
});
