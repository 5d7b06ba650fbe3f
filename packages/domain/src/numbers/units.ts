import { type Decimal, ZERO, divide } from './decimal.js';

/** input_value / strategy_value at the input date; null if that value is missing or not positive (contract 2). */
export const inputMultiplier = (
  inputValue: Decimal,
  strategyValue: Decimal | null | undefined,
): Decimal | null => (strategyValue?.gt(ZERO) ? divide(inputValue, strategyValue) : null);

/** The gain since `past` as a fraction; null if the denominator is missing or zero. */
export const percentChange = (past: Decimal | null, now: Decimal | null): Decimal | null =>
  past && now && !past.eq(ZERO) ? divide(now.minus(past), past) : null;
