import type { Timestamp } from '../../ids.js';
import type { Decimal } from '../../numbers/decimal.js';
import { compactBy } from '../../performance/values/value-history.js';
import { DAY, MINUTE } from '../../time.js';
import type { UnheldGain } from './unheld.js';

/** The part of a brokerage account that a bot manages, at one reading. */
export interface AccountPoint {
  readonly at: Timestamp;
  readonly equity: Decimal;
  readonly cash: Decimal;
  /** What came in less what went out since the point before, in USD; null when it is not known. */
  readonly flow: Decimal | null;
  /** The value of the target, 1 at the bot's first start; null when it is not known. */
  readonly target: Decimal | null;
  /** What was gained since the point before by not holding what the target does; null when it is not known. */
  readonly unheld: UnheldGain | null;
}

/**
 * The readings in `[start, start + length)`: the last of them, and the flows of all. The first reading has the place of the day
 * before it: every figure is measured from it, so that none may be merged with it.
 */
export interface AccountBucket extends AccountPoint {
  readonly start: Timestamp;
  /** Milliseconds: a minute, 15 minutes, an hour or a day. */
  readonly length: number;
}

/** What both gained; where only one is known, that. */
const bothGains = (earlier: UnheldGain | null, later: UnheldGain | null): UnheldGain | null =>
  earlier && later
    ? {
        notHeld: earlier.notHeld.plus(later.notHeld),
        leverageAndCaps: earlier.leverageAndCaps.plus(later.leverageAndCaps),
      }
    : (earlier ?? later);

/** Joins two successive buckets: the later's figures, and the flows and gains of both. */
export const mergeAccounts = (earlier: AccountBucket, later: AccountBucket): AccountBucket => ({
  ...later,
  start: earlier.start,
  length: later.start + later.length - earlier.start,
  flow: earlier.flow && later.flow && earlier.flow.plus(later.flow),
  unheld: bothGains(earlier.unheld, later.unheld),
});

/** The minute of the reading, which the reading before may be in. A reading of before counts at the time of the last one. */
export function addAccount(last: AccountBucket | undefined, point: AccountPoint): AccountBucket {
  if (!last) return { start: (Math.floor(point.at / DAY) - 1) * DAY, length: DAY, ...point };
  const at = Math.max(point.at, last.at);
  const isSame = last.length === MINUTE && at < last.start + MINUTE;
  const start = isSame ? last.start : Math.floor(at / MINUTE) * MINUTE;
  const bucket = { start, length: MINUTE, ...point, at };
  return isSame ? { ...mergeAccounts(last, bucket), length: MINUTE } : bucket;
}

/** Merges old buckets as those of a strategy's value history. */
export const compactAccounts = compactBy(mergeAccounts);
