import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ONE, TWO, decimal, decimalText, isMultipleOf } from '../numbers/decimal.js';
import { collarPrice, isTooWide, priceDoubt, spreadOf } from './collar.js';

const prices = (bid: string, ask: string) => ({ bid: decimal(bid), ask: decimal(ask) });
const positive = fc.integer({ min: 1, max: 1_000_000 });
const hundredths = (count: number) => decimal(String(count)).times(decimal('0.01'));

describe('the limit of an order (contract 10)', () => {
  it.each([
    // bid, ask, collar, step, buy at most, sell at least
    ['100', '100.02', '0.01', '0.01', '101.02', '99'],
    ['100', '100.02', '0.01', '0.0001', '101.0202', '99'],
    ['99.99', '100', '0.01', '0.01', '101', '99'],
    ['99.99', '100', '0.02', '1', '102', '98'],
    ['0.0501', '0.0502', '0.02', '0.0001', '0.0512', '0.0491'],
    ['100', '100', '0', '0.01', '100', '100'],
    ['3', '3', '0.5', '2', '4', '2'],
    ['1', '1', '0.5', '2', '0', '2'],
  ])(
    'at %s / %s, collar %s, steps of %s: buys at %s, sells at %s',
    (bid, ask, collar, step, buy, sell) => {
      const within = { collar: decimal(collar), priceStep: decimal(step) };
      const limit = (action: 'buy' | 'sell') =>
        decimalText(collarPrice(prices(bid, ask), action, within) ?? decimal('-1'));
      expect([limit('buy'), limit('sell')]).toEqual([buy, sell]);
    },
  );

  it.each([
    // bid, ask, buy at most, sell at least
    ['0.0504', '0.0506', '0.0511', '0.0499'],
    ['0.99', '0.9999', '1', '0.9801'],
    ['1.01', '1.02', '1.03', '0.9999'],
  ])('at %s / %s has finer steps below a dollar: %s, %s', (bid, ask, buy, sell) => {
    const [collar, priceStepBelowOne] = [decimal('0.01'), decimal('0.0001')];
    const limit = (action: 'buy' | 'sell') =>
      collarPrice(prices(bid, ask), action, {
        ...{ collar, priceStepBelowOne },
        priceStep: decimal('0.01'),
      })?.toFixed();
    expect([limit('buy'), limit('sell')]).toEqual([buy, sell]);
  });

  it('does not exist where the venue has no limit orders', () => {
    const within = { collar: decimal('0.01'), priceStep: null };
    expect(collarPrice(prices('1', '1'), 'buy', within)).toBeNull();
  });

  it('is a whole number of price steps, within the collar, and less than a step away from it', () => {
    fc.assert(
      fc.property(positive, positive, fc.nat(50), positive, (low, more, percent, stepCount) => {
        const bid = hundredths(low);
        const quote = { bid, ask: bid.plus(hundredths(more)) };
        const collar = hundredths(percent);
        const priceStep = hundredths(stepCount);
        const [buy, sell] = (['buy', 'sell'] as const).map((action) =>
          collarPrice(quote, action, { collar, priceStep }),
        );
        if (!buy || !sell) throw new Error('no limit');
        const [most, least] = [quote.ask.times(ONE.plus(collar)), bid.times(ONE.minus(collar))];
        expect(isMultipleOf(buy, priceStep) && isMultipleOf(sell, priceStep)).toBe(true);
        expect(buy.lte(most) && buy.gt(most.minus(priceStep))).toBe(true);
        expect(sell.gte(least) && sell.lt(least.plus(priceStep))).toBe(true);
      }),
    );
  });
});

describe('the spread (contract 10)', () => {
  it.each([
    ['100', '100', '0', '0.02', false],
    ['99', '101', '0.02', '0.02', false],
    ['99', '101', '0.02', '0.019999', true],
    ['98', '102', '0.04', '0.03', true],
    ['0', '100', '2', '0.5', true],
  ])('of %s / %s is %s: wider than %s %s', (bid, ask, spread, most, isWide) => {
    expect(decimalText(spreadOf(prices(bid, ask)))).toBe(spread);
    expect(isTooWide(prices(bid, ask), decimal(most))).toBe(isWide);
  });

  it('is never compared by a rounded quotient', () => {
    fc.assert(
      fc.property(positive, positive, (low, more) => {
        const quote = { bid: hundredths(low), ask: hundredths(low + more) };
        const exact = quote.ask.minus(quote.bid).times(TWO);
        expect(isTooWide(quote, decimal('0.02'))).toBe(
          exact.gt(quote.ask.plus(quote.bid).times(decimal('0.02'))),
        );
      }),
    );
  });
});

describe('whether a price is good enough for an order (contract 10)', () => {
  const maxSpread = decimal('0.02');
  const seen = { quote: prices('100', '100.1'), isFresh: true, brokerPrice: undefined, maxSpread };

  it.each([
    ['a fresh quote of a stock that is not held', {}, null],
    ['the same price at the broker', { brokerPrice: decimal('109') }, null],
    ['no quote', { quote: undefined }, 'no fresh quote'],
    ['a stale quote', { isFresh: false }, 'no fresh quote'],
    [
      'a split in transit',
      { brokerPrice: decimal('10') },
      "the broker's price 10 and ours, 100, differ by more than 10%",
    ],
    ['a wide spread', { quote: prices('97', '103') }, 'the spread of 6% is wider than 2%'],
    ['nobody who bids', { quote: prices('0', '100') }, 'the spread of 200% is wider than 2%'],
  ] as const)('%s', (_, change, doubt) => {
    expect(priceDoubt({ ...seen, ...change })).toBe(doubt);
  });
});
