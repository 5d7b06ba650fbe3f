import type { Timestamp } from '@slipstream/domain';
import type { Clock } from '@slipstream/ports';

/** A clock that moves only by `advance` and `set`. */
export interface FixedClock extends Clock {
  /** Advances by `milliseconds`. */
  advance(milliseconds: number): void;
  set(now: Timestamp): void;
}

/** A clock that begins at `start`. */
export function fixedClock(start: Timestamp): FixedClock {
  let now = start;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    set: (time) => {
      now = time;
    },
  };
}
