import type { Timestamp } from '@slipstream/domain';
import type { Clock } from '@slipstream/ports';

/** A clock that moves only by `advance` and `set`. */
export interface FixedClock extends Clock {
  /** Advances by `milliseconds`. */
  advance(milliseconds: number): void;
  set(now: Timestamp): void;
  /** From now on it may be wrong, or may not. */
  doubt(isInDoubt: boolean): void;
}

/** A clock that begins at `start`. */
export function fixedClock(start: Timestamp): FixedClock {
  let [now, isInDoubt] = [start, false];
  return {
    now: () => now,
    isSure: () => !isInDoubt,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    set: (time) => {
      now = time;
    },
    doubt: (isSo) => {
      isInDoubt = isSo;
    },
  };
}
