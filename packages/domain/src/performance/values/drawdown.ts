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

/**
 * The largest fall of a span, or from `peak` before it into the span. A fall below zero is a larger fraction of a lower peak, so the
 * span's own one may be from a peak that was none: it counts from the highest one before it.
 */
function deepestAfter(peak: Decimal, { high, low, drawdown }: Span): Decimal {
  const across = fall(peak, low);
  if (sign(low) >= 0 || sign(peak) <= 0) return max(drawdown, across);
  // With a peak of the span's own before its lowest value, `drawdown` is at least the fall from `high`.
  const isFromPeak = peak.gte(high) || drawdown.lt(fall(high, low));
  return isFromPeak ? across : min(drawdown, across);
}

/** Joins two successive spans. */
export const spanOfBoth = (earlier: Span, later: Span): Span => ({
  high: max(earlier.high, later.high),
  low: min(earlier.low, later.low),
  drawdown: max(earlier.drawdown, deepestAfter(earlier.high, later)),
});

/** A span of one value. */
export const spanAt = (value: Decimal): Span => ({ high: value, low: value, drawdown: ZERO });
