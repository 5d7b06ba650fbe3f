import type { Timestamp } from './ids.js';

/** Lengths of time in milliseconds, the unit of every `Timestamp`. */
export const SECOND = 1_000;
/** 60,000 milliseconds. */
export const MINUTE = 60 * SECOND;
/** 3,600,000 milliseconds. */
export const HOUR = 60 * MINUTE;
/** 86,400,000 milliseconds; days of the calendar are in UTC. */
export const DAY = 24 * HOUR;

/** Whether that much time lies between then and now. Then may be yet to come: the clock was ahead, and was set back. */
export const hasPassed = (duration: number, then: Timestamp, now: Timestamp): boolean =>
  Math.abs(now - then) >= duration;
