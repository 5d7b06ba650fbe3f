import { describe, expect, it } from '@jest/globals';
import { decimal } from '../../numbers/decimal.js';
import { slippageOf } from './bot-views.js';

describe('the fills of a bot against those of its strategies', () => {
  const prices = (strategyPrice: string | null, filledPrice: string | null) => ({
    strategyPrice: strategyPrice === null ? null : decimal(strategyPrice),
    filledPrice: filledPrice === null ? null : decimal(filledPrice),
  });

  it.each([
    ['buy', '200', '201', '0.005'],
    ['buy', '200', '199', '-0.005'],
    ['sell', '200', '201', '-0.005'],
    ['sell', '200', '199', '0.005'],
    ['buy', '3', '3.1', '0.033333333333333333'],
    ['buy', '200', '200', '0'],
  ] as const)(
    'are worse when positive: a %s at %s was filled at %s: %s',
    (action, strategyPrice, filledPrice, expected) => {
      const found = slippageOf({ action, ...prices(strategyPrice, filledPrice) });
      expect(found?.toFixed()).toBe(expected);
    },
  );

  it.each([
    [null, '200'],
    ['200', null],
    [null, null],
  ] as const)('are not compared without both prices: %s, %s', (strategyPrice, filledPrice) => {
    expect(slippageOf({ action: 'buy', ...prices(strategyPrice, filledPrice) })).toBeNull();
  });
});
