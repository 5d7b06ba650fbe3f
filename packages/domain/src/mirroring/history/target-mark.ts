import type { StrategyId } from '../../ids.js';
import { type Decimal, ONE, ZERO, divide, max, round18, sum } from '../../numbers/decimal.js';
import { NOTHING_UNHELD, type Unheld } from './unheld.js';

/** The allocations of a bot, as far as its target's value depends on them. */
interface Shares {
  readonly leverage: Decimal;
  readonly allocations: readonly { readonly strategyId: StrategyId; readonly percent: Decimal }[];
}

/** How the target of a bot has done since its first start, and the strategies' values that it was last known at. */
export interface TargetMark {
  /** 1 at the first start. */
  readonly level: Decimal;
  /** Empty after a start: what the strategies did meanwhile is no return of the bot's target. */
  readonly values: ReadonlyMap<StrategyId, Decimal>;
  /** What the account does not hold of the target, as the last check found it. */
  readonly unheld: Unheld;
}

/** The mark of a bot that never ran. */
export const FIRST_MARK: TargetMark = { level: ONE, values: new Map(), unheld: NOTHING_UNHELD };

/** The mark of a bot that starts again: nothing of while it was off counts. */
export const markAtStart = ({ level }: TargetMark): TargetMark => ({ ...FIRST_MARK, level });

/** Finer than what is kept, so that a level is right to its last digit. */
const RETURN_PLACES = 36;

/**
 * The value of a bot's target at the strategies' present values, 1 at its first start: it earns leverage x sum of percent x return,
 * always at these shares and without costs, and never falls below zero. Null while a strategy has no value above zero: the next known
 * one then contains the return since the last known one.
 */
export function nextMark(
  before: TargetMark,
  { leverage, allocations }: Shares,
  valueOf: (strategyId: StrategyId) => Decimal | undefined,
): { readonly target: Decimal | null; readonly mark: TargetMark } {
  const values = new Map<StrategyId, Decimal>();
  const returns: Decimal[] = [];
  for (const { strategyId, percent } of allocations) {
    if (percent.eq(ZERO)) continue;
    const value = valueOf(strategyId);
    if (!value?.gt(ZERO)) return { target: null, mark: before };
    const known = before.values.get(strategyId) ?? value;
    returns.push(percent.times(divide(value.minus(known), known, 'half_even', RETURN_PLACES)));
    values.set(strategyId, value);
  }
  const growth = ONE.plus(leverage.times(sum(returns)));
  const level = max(ZERO, round18(before.level.times(growth)));
  return { target: level, mark: { ...before, level, values } };
}
