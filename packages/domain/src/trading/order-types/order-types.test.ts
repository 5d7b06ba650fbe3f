import { describe, expect, it } from '@jest/globals';
import {
  type Prices,
  START,
  aQuote,
  aStock,
  anOpenOrder,
  limit,
  oco,
  stopLimit,
  stopMarket,
} from '../../../tests/builders.js';
import { decimal, decimalText } from '../../numbers/decimal.js';
import type { Action, OpenOrder, Pricing } from '../order.js';
import { marketPrice, matchOrder } from './index.js';

const NOW = START + 1000;
const OPENED = START - 1000;
const stock = aStock('AAA', { slippage: decimal('0.01') });

/** The order's outcome: `fills <price>`, `rests` (its limit waits in the market) or `waits`. */
function met(changes: Partial<OpenOrder>, prices: Prices, opensAt = OPENED): string {
  const order = anOpenOrder(changes);
  const session = { opensAt, closesAt: NOW + 1 };
  const result = matchOrder(order, { quote: aQuote('AAA', prices), stock, session, now: NOW });
  const fired = result.triggeredAt === NOW ? 'fired, ' : '';
  if (result.fills) return `${fired}fills ${decimalText(result.price)}`;
  return `${fired}${result.restingSince === NOW ? 'rests' : 'waits'}`;
}

// 100, and one unit of the last place to either side.
const BELOW = '99.999999999999999999';
const AT = '100';
const ABOVE = '100.000000000000000001';

describe('a market order fills at the far side of the quote, worse by the slippage of the stock', () => {
  it.each<[Action, Prices, string]>([
    ['buy', ['99', '100'], 'fills 101'],
    ['sell', ['99', '100'], 'fills 98.01'],
  ])('%s at %p', (action, prices, outcome) => {
    expect(met({ action }, prices)).toBe(outcome);
  });

  it('is rounded half-even at 18 places', () => {
    const half = aStock('AAA', { slippage: decimal('0.5') });
    const quote = aQuote('AAA', ['0.000000000000000001', '0.000000000000000001']);
    expect(decimalText(marketPrice('buy', quote, half))).toBe('0.000000000000000002');
    expect(decimalText(marketPrice('sell', quote, half))).toBe('0');
  });
});

describe('a limit order', () => {
  describe('that meets its first quote fills at that quote or begins to rest', () => {
    it.each<[Action, Prices, string]>([
      ['buy', ['90', BELOW], `fills ${BELOW}`],
      ['buy', ['90', AT], 'fills 100'],
      ['buy', ['90', ABOVE], 'rests'],
      ['sell', [BELOW, '110'], 'rests'],
      ['sell', [AT, '110'], 'fills 100'],
      ['sell', [ABOVE, '110'], `fills ${ABOVE}`],
    ])('%s 100 at %p', (action, prices, outcome) => {
      expect(met({ action, pricing: limit('100') }, prices)).toBe(outcome);
    });
  });

  describe('that has been resting fills at its own price, however far the quote went', () => {
    it.each<[Action, Prices, string]>([
      ['buy', ['79', '80'], 'fills 100'],
      ['buy', ['90', AT], 'fills 100'],
      ['buy', ['90', ABOVE], 'waits'],
      ['sell', ['120', '121'], 'fills 100'],
      ['sell', [AT, '110'], 'fills 100'],
      ['sell', [BELOW, '110'], 'waits'],
    ])('%s 100 at %p', (action, prices, outcome) => {
      const resting = { action, pricing: limit('100'), restingSince: START };
      expect(met(resting, prices)).toBe(outcome);
    });
  });

  describe('that rested in an earlier session meets the first quote of the new one', () => {
    const order = { pricing: limit('100'), restingSince: START };
    it.each<[string, number, Prices, string]>([
      ['opened after it began to rest', START + 1, ['79', '80'], 'fills 80'],
      ['opened at that very moment', START, ['79', '80'], 'fills 100'],
      ['opened after it began to rest', START + 1, ['100', '101'], 'rests'],
    ])('%s (%p), at %p', (_, opensAt, prices, outcome) => {
      expect(met(order, prices, opensAt)).toBe(outcome);
    });
  });
});

describe('a stop-market order fires at its stop and then fills at the market', () => {
  it.each<[Action, Prices, string]>([
    ['buy', ['90', BELOW], 'waits'],
    ['buy', ['90', AT], 'fired, fills 101'],
    ['buy', ['90', '101'], 'fired, fills 102.01'],
    ['sell', [ABOVE, '110'], 'waits'],
    ['sell', [AT, '110'], 'fired, fills 99'],
  ])('%s 100 at %p', (action, prices, outcome) => {
    expect(met({ action, pricing: stopMarket('100') }, prices)).toBe(outcome);
  });

  it('that is gapped through fills at the quote, not at the stop', () => {
    expect(met({ action: 'sell', pricing: stopMarket('100') }, ['50', '60'])).toBe(
      'fired, fills 49.5',
    );
  });

  it('that has fired is a market order, wherever the price went since', () => {
    const fired = { pricing: stopMarket('100'), triggeredAt: START };
    expect(met(fired, ['79', '80'])).toBe('fills 80.8');
  });
});

describe('a stop-limit order fires at its stop and then is a limit order', () => {
  it.each<[string, Action, Pricing, Prices, string]>([
    ['waits before the stop', 'buy', stopLimit('100', '105'), ['90', BELOW], 'waits'],
    [
      'is marketable on the quote that fires it',
      'buy',
      stopLimit('100', '105'),
      ['90', AT],
      'fired, fills 100',
    ],
    ['at its limit', 'buy', stopLimit('95', '100'), ['90', AT], 'fired, fills 100'],
    ['rests above its limit', 'buy', stopLimit('95', '100'), ['90', ABOVE], 'fired, rests'],
    ['waits before the stop', 'sell', stopLimit('100', '95'), [ABOVE, '110'], 'waits'],
    [
      'is marketable on the quote that fires it',
      'sell',
      stopLimit('100', '95'),
      [AT, '110'],
      'fired, fills 100',
    ],
    ['rests below its limit', 'sell', stopLimit('105', '100'), [BELOW, '110'], 'fired, rests'],
  ])('%s: %s', (_, action, pricing, prices, outcome) => {
    expect(met({ action, pricing }, prices)).toBe(outcome);
  });

  it('does not lose its trigger when the price turns', () => {
    const fired = { pricing: stopLimit('100', '95'), triggeredAt: START, restingSince: START };
    expect(met(fired, ['89', '90'])).toBe('fills 95');
  });

  it('does not rest before its stop, so the quote that fires it is its first as a limit order', () => {
    expect(met({ pricing: stopLimit('100', '120') }, ['109', '110'])).toBe('fired, fills 110');
  });
});

describe('an OCO order fills by the leg that fires first', () => {
  const buy = { action: 'buy' as const, pricing: oco('110', '100') };
  const sell = { action: 'sell' as const, pricing: oco('90', '100') };
  it.each<[string, Partial<OpenOrder>, Prices, string]>([
    ['buy limit leg, first quote', buy, ['98', '99'], 'fills 99'],
    ['buy limit leg, at its price', buy, ['98', AT], 'fills 100'],
    ['buy between the legs', buy, ['98', ABOVE], 'rests'],
    ['buy limit leg, resting', { ...buy, restingSince: START }, ['79', '80'], 'fills 100'],
    ['buy stop leg, just below', buy, ['98', '109.999999999999999999'], 'rests'],
    ['buy stop leg', buy, ['109', '110'], 'fired, fills 111.1'],
    [
      'buy stop leg, resting limit leg',
      { ...buy, restingSince: START },
      ['119', '120'],
      'fired, fills 121.2',
    ],
    ['buy stop leg fired before', { ...buy, triggeredAt: START }, ['104', '105'], 'fills 106.05'],
    ['sell limit leg, first quote', sell, ['101', '102'], 'fills 101'],
    ['sell limit leg, resting', { ...sell, restingSince: START }, ['120', '121'], 'fills 100'],
    ['sell between the legs', sell, [BELOW, '102'], 'rests'],
    ['sell stop leg, just above', sell, ['90.000000000000000001', '95'], 'rests'],
    ['sell stop leg', sell, ['90', '95'], 'fired, fills 89.1'],
    ['sell stop leg, gapped', sell, ['50', '60'], 'fired, fills 49.5'],
  ])('%s', (_, order, prices, outcome) => {
    expect(met(order, prices)).toBe(outcome);
  });
});
