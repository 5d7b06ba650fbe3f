import { type Decimal, ZERO, divide, max, min, sign } from '../numbers/decimal.js';

/** A stretch of time in a strategy's values: all that its drawdown needs of them. */
export interface Span {
  readonly high: Decimal;
  readonly low: Decimal;
  /** The largest (peak - value) / peak inside the span, a positive fraction. */
  readonly drawdown: Decimal;
}

/** The fall from `peak` to `value` as a positive fraction, zero when there is none. */
export const fall = (peak: Decimal, value: Decimal): Decimal =>
  sign(peak) > 0 && value.lt(peak) ? divide(peak.minus(value), peak) : ZERO;

/** Two spans that follow each other, as one. */
export const spanOfBoth = (earlier: Span, later: Span): Span => ({
  high: max(earlier.high, later.high),
  low: min(earlier.low, later.low),
  drawdown: max(max(earlier.drawdown, later.drawdown), fall(earlier.high, later.low)),
});
