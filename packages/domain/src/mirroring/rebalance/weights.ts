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

/** The most, without sign, that an account may have of the stocks that it does not increase: what it holds. Others have no bound. */
export type Bounds = ReadonlyMap<StockId, Decimal>;

export const NO_BOUNDS: Bounds = new Map();

/** As much of the weights as their bounds let be. */
export function withinBounds(weights: Weights, bounds: Bounds): Weights {
  if (bounds.size === 0) return weights;
  const cut = ([stockId, weight]: readonly [StockId, Decimal]): [StockId, Decimal][] => {
    const most = bounds.get(stockId);
    if (most?.eq(ZERO)) return [];
    if (!most || weight.abs().lte(most)) return [[stockId, weight]];
    return [[stockId, weight.gt(ZERO) ? most : ZERO.minus(most)]];
  };
  return new Map([...weights].flatMap(cut));
}

/**
 * The very same weights while their gross, within their bounds, is not above `most`. What is bound is scaled from what is wanted of it, as
 * everything else: scaled from what is held, it would be less each time that it was looked at.
 */
export function scaledTo(weights: Weights, most: Decimal, bounds: Bounds = NO_BOUNDS): Weights {
  if (grossOf(withinBounds(weights, bounds)).lte(most)) return weights;
  const bound = [...weights]
    .flatMap(([stockId, weight]) => {
      const held = bounds.get(stockId);
      return held && !weight.eq(ZERO) ? [{ held, wanted: weight.abs() }] : [];
    })
    .toSorted((one, other) => one.held.times(other.wanted).cmp(other.held.times(one.wanted)));
  let [room, wanted] = [most, grossOf(weights)];
  // The share of the others is larger where a stock has less than its own: it takes what it holds.
  for (const one of bound) {
    if (one.held.times(wanted).gte(room.times(one.wanted))) break;
    room = room.minus(one.held);
    wanted = wanted.minus(one.wanted);
  }
  return scaledBy(weights, room, wanted);
}

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
