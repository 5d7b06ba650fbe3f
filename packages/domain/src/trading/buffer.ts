import { type Decimal, TWO, decimal } from '../numbers/decimal.js';

/** The figures of the sizing buffer, normalized cash (spec 4.4, "Sizing buffer"). */
export interface Buffer {
  readonly buyingPower: Decimal;
  readonly maxOrderTotal: Decimal;
  readonly conservativeFeeTotal: Decimal;
  readonly conservativeSlippageTotal: Decimal;
  readonly finalBuyingPower: Decimal;
}

/** Fraction of cash reserved when sizing, unless the request says otherwise (spec 4.4). */
export const DEFAULT_SLIPPAGE = decimal('0.002');

/**
 * `fee` and `slippage` are fractions.
 * @example
 * const { finalBuyingPower } = sizingBuffer(decimal('1'), decimal('0'), decimal('0.002'));
 * decimalText(finalBuyingPower) // => '1.992'
 */
export function sizingBuffer(strategyValue: Decimal, fee: Decimal, slippage: Decimal): Buffer {
  const buyingPower = strategyValue.times(TWO);
  const maxOrderTotal = buyingPower.times(TWO);
  const conservativeFeeTotal = maxOrderTotal.times(fee.times(TWO));
  const conservativeSlippageTotal = maxOrderTotal.times(slippage);
  return {
    buyingPower,
    maxOrderTotal,
    conservativeFeeTotal,
    conservativeSlippageTotal,
    finalBuyingPower: buyingPower.minus(conservativeFeeTotal).minus(conservativeSlippageTotal),
  };
}
