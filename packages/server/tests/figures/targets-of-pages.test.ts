import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SLIPPAGE, decimal, decimalText, divide, sizingBuffer } from '@slipstream/domain';
import { targetsOf } from '../../../dashboard/src/figures/target.js';

describe('the target of a position on the page of its strategy', () => {
  // The page knows the buffer by its own figures: it loads nothing of the domain.
  it.each(['0', '0.0005', '0.001', '0.0025', '0.006'])(
    'is the one that was traded, whatever is reserved of it: with a fee of %s',
    (fee) => {
      for (const value of ['1', '1.218936313785010608']) {
        const { finalBuyingPower } = sizingBuffer(decimal(value), decimal(fee), DEFAULT_SLIPPAGE);
        for (const percent of ['0.01', '12.34', '50', '-75.5', '200']) {
          // The buying power is twice the value, of which targets are percent.
          const total = divide(finalBuyingPower.times(decimal(percent)), decimal('200'));
          const amount = decimalText(divide(total, decimal('199.98'), 'down'));
          const held = { amount, ask: '199.98', fee, percent: null };
          expect(targetsOf([held], value)).toEqual([percent]);
        }
      }
    },
  );
});
