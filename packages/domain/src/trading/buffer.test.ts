import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SLIPPAGE, sizingBuffer } from './buffer.js';
import { decimal, decimalText } from '../numbers/decimal.js';

describe('the sizing buffer (spec 4.4)', () => {
  it.each([
    // value, fee, slippage -> BuyingPower, MaxOrderTotal, ConservativeFeeTotal, ConservativeSlippageTotal, Final
    ['1', '0.0025', '0.002', '2', '4', '0.02', '0.008', '1.972'],
    ['1', '0', '0.002', '2', '4', '0', '0.008', '1.992'],
    ['1', '0', '0', '2', '4', '0', '0', '2'],
    ['1.2', '0.0025', '0.05', '2.4', '4.8', '0.024', '0.24', '2.136'],
    ['0.5', '0.1', '0.05', '1', '2', '0.4', '0.1', '0.5'],
    ['0', '0.0025', '0.002', '0', '0', '0', '0', '0'],
  ])('of value %s, fee %s, slippage %s', (value, fee, slippage, ...figures) => {
    const buffer = sizingBuffer(decimal(value), decimal(fee), decimal(slippage));
    expect(
      [
        buffer.buyingPower,
        buffer.maxOrderTotal,
        buffer.conservativeFeeTotal,
        buffer.conservativeSlippageTotal,
        buffer.finalBuyingPower,
      ].map(decimalText),
    ).toEqual(figures);
  });

  it('reserves 0.002 by default', () => {
    expect(decimalText(DEFAULT_SLIPPAGE)).toBe('0.002');
  });
});
