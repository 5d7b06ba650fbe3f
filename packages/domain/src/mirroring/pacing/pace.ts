import type { StockId, Timestamp } from '../../ids.js';
import type { Security } from '../../market/stock.js';
import { HOUR } from '../../time.js';
import { clockTimes } from '../limits/trading-day.js';
import type { RebalanceRule } from './rebalance-rule.js';

/** How far a bot with a paced rebalance has come. */
export interface Pace {
  /** When the rebalance began that may still go on; null when none does. */
  readonly begunAt: Timestamp | null;
  /** When the last rebalance ordered, or the time of the day that it was for; null before the first one. */
  readonly lastAt: Timestamp | null;
  /** The last time of the day (`at`) that needs no rebalance any more; null before the first one. */
  readonly usedAt: Timestamp | null;
  /** The owner started the bot or changed its shares: what its holdings have too much goes at once. */
  readonly reducesAtOnce: boolean;
  /** Stocks that turn to the other side in two orders. */
  readonly turning: readonly StockId[];
}

/** The pace of a bot that never ran. */
export const FIRST_PACE: Pace = {
  begunAt: null,
  lastAt: null,
  usedAt: null,
  reducesAtOnce: true,
  turning: [],
};

/**
 * A rebalance takes several orders, one after the other; this long after its first one it ends. That of a time of the day begins once more
 * if it could not end in line: its market closed, or nobody looked after it.
 */
const REBALANCE_LASTS = HOUR;
/** A day of the calendar is this much shorter when the clocks go forward. */
const SHORTER_DAY = HOUR;

/** The pace without what came while the clock was ahead: it would hold back until the clock is there again. */
function pastOf(pace: Pace, now: Timestamp): Pace {
  const past = (at: Timestamp | null): Timestamp | null => (at !== null && at > now ? null : at);
  const { begunAt, lastAt, usedAt } = pace;
  return { ...pace, begunAt: past(begunAt), lastAt: past(lastAt), usedAt: past(usedAt) };
}

const timesOf = (rule: RebalanceRule, security: Security, now: Timestamp) =>
  rule === 'every_trade' || rule.at === null ? null : clockTimes(security, rule.at, now);

/** The pace of a bot that starts, or whose rule changes: it does not make up for a time of the day that has passed. */
export const paceFrom = (
  pace: Pace,
  rule: RebalanceRule,
  security: Security,
  now: Timestamp,
): Pace => ({ ...pace, begunAt: null, usedAt: timesOf(rule, security, now)?.last ?? null });

/** Whether what this time of the day began did not end in line, and was not taken up again. */
const isUnfinished = ({ begunAt, lastAt, usedAt }: Pace, slot: Timestamp): boolean =>
  begunAt !== null && lastAt === slot && usedAt !== slot;

/** When increases and corrections of drift may be ordered; a time that has come is now. */
export function opensAt(
  rule: RebalanceRule,
  known: Pace,
  security: Security,
  now: Timestamp,
): Timestamp {
  if (rule === 'every_trade') return now;
  const pace = pastOf(known, now);
  if (pace.begunAt !== null && now - pace.begunAt < REBALANCE_LASTS) return now;
  const cooldown = (rule.cooldownHours ?? 0) * HOUR;
  const rested = pace.lastAt === null ? 0 : pace.lastAt + cooldown;
  if (rule.at === null) return Math.max(now, rested);
  const { last, next } = clockTimes(security, rule.at, now);
  if (isUnfinished(pace, last)) return now;
  let slot = pace.usedAt === null || last > pace.usedAt ? last : next;
  while (slot < rested - SHORTER_DAY) slot = clockTimes(security, rule.at, slot).next;
  return Math.max(now, slot);
}

/** The pace once orders of a rebalance were planned. */
export function paceAfterOrders(
  known: Pace,
  rule: RebalanceRule,
  security: Security,
  now: Timestamp,
): Pace {
  const pace = pastOf(known, now);
  const goesOn = pace.begunAt !== null && now - pace.begunAt < REBALANCE_LASTS;
  const slot = timesOf(rule, security, now)?.last ?? null;
  const begunAt = goesOn ? pace.begunAt : now;
  if (slot === null) return { ...pace, begunAt, lastAt: now, usedAt: null };
  if (goesOn) return { ...pace, begunAt };
  const usedAt = isUnfinished(pace, slot) ? slot : pace.usedAt;
  return { ...pace, begunAt, lastAt: slot, usedAt };
}

/** The pace once nothing is left to do: the rebalance has ended, and the time of the day that came is used. */
export const paceInLine = (
  pace: Pace,
  rule: RebalanceRule,
  security: Security,
  now: Timestamp,
): Pace => ({ ...paceFrom(pace, rule, security, now), reducesAtOnce: false, turning: [] });
