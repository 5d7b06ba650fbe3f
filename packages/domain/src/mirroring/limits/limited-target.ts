import { type Decimal, ZERO, decimalText, divide } from '../../numbers/decimal.js';
import type { StockId } from '../../ids.js';
import {
  type Bounds,
  NO_BOUNDS,
  WEIGHT_PLACES,
  type Weights,
  scaledBy,
  scaledTo,
  withinBounds,
} from '../rebalance/weights.js';
import type { BotLimits } from './limits.js';

/** Weights that are not all of the target's, cut to the limits; `maxCapital` does not size them once more. */
export function withinLimits(
  weights: Weights,
  equity: Decimal,
  limits: Pick<BotLimits, 'maxCapital' | 'maxGross' | 'maxPerStock'>,
): Weights {
  const { maxCapital } = limits;
  if (!equity.gt(ZERO)) return weights;
  const cut = maxCapital
    ? scaledTo(weights, divide(maxCapital, equity, 'down', WEIGHT_PLACES))
    : weights;
  return limitedTarget(cut, equity, { ...limits, maxCapital: null }, String).weights;
}

/**
 * The target as the limits of its bot allow it. The bot sizes its holdings as if its equity were at most `maxCapital`, and all of
 * them together never cost more than that. What one stock may not have is not given to others. What has a bound is sized as everything
 * else, and has no more than that.
 */
export function limitedTarget(
  wanted: Weights,
  equity: Decimal,
  limits: Pick<BotLimits, 'maxCapital' | 'maxGross' | 'maxPerStock'>,
  symbolOf: (stockId: StockId) => string,
  bounds: Bounds = NO_BOUNDS,
): { readonly weights: Weights; readonly notes: readonly string[] } {
  if (!equity.gt(ZERO)) return { weights: withinBounds(wanted, bounds), notes: [] };
  const { maxCapital, maxGross, maxPerStock } = limits;
  const notes: string[] = [];
  let weights = wanted;
  const take = (next: Weights, note: string): void => {
    if (next !== weights) notes.push(note);
    weights = next;
  };
  if (maxCapital) {
    const sized = maxCapital.lt(equity) ? scaledBy(weights, maxCapital, equity) : weights;
    const share = divide(maxCapital, equity, 'down', WEIGHT_PLACES);
    take(
      weights.size > 0 ? scaledTo(sized, share, bounds) : weights,
      `The target is scaled down to max_capital, ${decimalText(maxCapital)} USD.`,
    );
  }
  if (maxPerStock) {
    const large = [...withinBounds(weights, bounds)].filter(([, weight]) =>
      weight.abs().gt(maxPerStock),
    );
    const names = large.map(([stockId]) => symbolOf(stockId)).join(', ');
    const cut = new Map(
      large.map(([stockId, weight]) => [
        stockId,
        weight.gt(ZERO) ? maxPerStock : ZERO.minus(maxPerStock),
      ]),
    );
    take(
      large.length > 0 ? new Map([...weights, ...cut]) : weights,
      `The target of ${names} is scaled down to max_per_stock, ${decimalText(maxPerStock)} of equity.`,
    );
  }
  if (maxGross)
    take(
      scaledTo(weights, maxGross, bounds),
      `The target is scaled down to max_gross, ${decimalText(maxGross)}x.`,
    );
  return { weights: withinBounds(weights, bounds), notes };
}
