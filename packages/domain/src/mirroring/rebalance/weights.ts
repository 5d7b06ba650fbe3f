import type { StockId } from '../../ids.js';
import { type Decimal, PLACES, ZERO, divide, sum } from '../../numbers/decimal.js';

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

/** The weights of the first less those of the second; the stocks that differ. */
export function lessWeights(first: Weights, second: Weights): Weights {
  if (first === second) return new Map();
  const stockIds = new Set([...first.keys(), ...second.keys()]);
  return new Map(
    [...stockIds].flatMap((stockId) => {
      const less = (first.get(stockId) ?? ZERO).minus(second.get(stockId) ?? ZERO);
      return less.eq(ZERO) ? [] : [[stockId, less]];
    }),
  );
}

/** The sum of both. */
export function plusWeights(first: Weights, second: Weights): Weights {
  if (first.size === 0) return second;
  const total = new Map(first);
  for (const [stockId, weight] of second)
    total.set(stockId, (total.get(stockId) ?? ZERO).plus(weight));
  return total;
}
