import type { Timestamp } from '../../ids.js';
import { type Decimal, ZERO, decimal, divide, sign } from '../../numbers/decimal.js';
import { DAY } from '../../time.js';
import { type Span, spanOfBoth } from './drawdown.js';

/** A strategy's value at a moment, normalized. */
export interface ValueSample {
  readonly at: Timestamp;
  readonly value: Decimal;
  /** Gross exposure, normalized: the sum of the absolute values of the positions. */
  readonly gross: Decimal;
}

/** The samples of a strategy on one UTC day, the day of `lastAt`. The track record gets it when the day is over (contract 9). */
export interface ValueDay extends Span {
  readonly last: Decimal;
  readonly lastAt: Timestamp;
  /** Gross exposure at the last sample, normalized. */
  readonly gross: Decimal;
  /** Milliseconds of the day with a position, until the last sample. */
  readonly heldFor: number;
  readonly isRecorded: boolean;
}

/** The number of the UTC day, as days since 1970. */
export const dayOf = (at: Timestamp): number => Math.floor(at / DAY);

/** The milliseconds until `at`, on its day, for which the position of the last sample was held. */
const heldUntil = (day: ValueDay | undefined, at: Timestamp, dayNumber = dayOf(at)): number =>
  day && sign(day.gross) > 0 ? at - Math.max(day.lastAt, dayNumber * DAY) : 0;

/** The day with one more sample, which is not earlier than the last one; the sample of a later day begins another one. */
export function withSample(day: ValueDay | undefined, { at, value, gross }: ValueSample): ValueDay {
  const sample = { high: value, low: value, drawdown: ZERO };
  const before = day && dayOf(day.lastAt) === dayOf(at) ? day : undefined;
  const { high, low, drawdown } = before ? spanOfBoth(before, sample) : sample;
  const heldFor = (before?.heldFor ?? 0) + heldUntil(day, at);
  return { last: value, lastAt: at, high, low, drawdown, gross, heldFor, isRecorded: false };
}

/** The day of a moment in which the clock was ahead, as the day of now. */
export const dayBroughtBack = (day: ValueDay, now: Timestamp): ValueDay => ({
  ...day,
  lastAt: now,
  heldFor: Math.min(day.heldFor, now - dayOf(now) * DAY),
  isRecorded: false,
});

/** The fraction of the whole day with a position, if nothing changes after the last sample. */
export function heldFraction(day: ValueDay): Decimal {
  const dayNumber = dayOf(day.lastAt);
  const heldFor = day.heldFor + heldUntil(day, (dayNumber + 1) * DAY, dayNumber);
  return divide(decimal(String(heldFor)), decimal(String(DAY)));
}
