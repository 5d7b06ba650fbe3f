import { type Decimal, TWO, ZERO, decimal } from '../numbers/decimal.js';
import { requireWithin } from '../numbers/figures.js';

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

/** The most of cash that a request may reserve (spec 4.4); half of it would leave nothing to trade with. */
const MAX_SLIPPAGE = decimal('0.05');

/**
 * Refuses a slippage that no request may reserve: 0 to 0.05.
 * @throws {Refusal} `invalid_field`.
 */
export function requireSlippage(slippage: Decimal): void {
  requireWithin('slippage', slippage, ZERO, MAX_SLIPPAGE);
}

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
