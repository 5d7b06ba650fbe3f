import { type Decimal, ZERO, divide, max, min, sign } from '../../numbers/decimal.js';

/** A span of time in a strategy's value history, with the figures that its drawdown needs. */
export interface Span {
  readonly high: Decimal;
  readonly low: Decimal;
  /** The largest (peak - value) / peak inside the span, a positive fraction. */
  readonly drawdown: Decimal;
}

/** The fall from `peak` to `value` as a positive fraction; zero without a fall. */
export const fall = (peak: Decimal, value: Decimal): Decimal =>
  sign(peak) > 0 && value.lt(peak) ? divide(peak.minus(value), peak) : ZERO;

/** Joins two successive spans. */
export const spanOfBoth = (earlier: Span, later: Span): Span => ({
  high: max(earlier.high, later.high),
  low: min(earlier.low, later.low),
  drawdown: max(max(earlier.drawdown, later.drawdown), fall(earlier.high, later.low)),
});
