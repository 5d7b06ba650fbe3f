import type { StockId } from '../../ids.js';
import { type Decimal, PLACES, divide, sum } from '../../numbers/decimal.js';

/** Signed shares of an account's equity; stocks that are not named have none. */
export type Weights = ReadonlyMap<StockId, Decimal>;

/** Weights are kept finer than what is printed, so that drift is right to the last printed digit. */
export const WEIGHT_PLACES = 2 * PLACES;

export const grossOf = (weights: Weights): Decimal =>
  sum([...weights.values()].map((weight) => weight.abs()));

/** Each weight times `part / whole`, divided last and toward zero, so that the scaled gross is never above what was meant. */
export const scaledBy = (weights: Weights, part: Decimal, whole: Decimal): Weights =>
  new Map(
    [...weights].map(([stockId, weight]) => [
      stockId,
      divide(weight.times(part), whole, 'down', WEIGHT_PLACES),
    ]),
  );

/** The very same weights while their gross is not above `most`. */
export const scaledTo = (weights: Weights, most: Decimal): Weights => {
  const gross = grossOf(weights);
  return gross.lte(most) ? weights : scaledBy(weights, most, gross);
};
