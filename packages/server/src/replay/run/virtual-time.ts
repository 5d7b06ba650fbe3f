import { type Id, type Timestamp, id } from '@slipstream/domain';
import type { Clock, Ids, Timers } from '@slipstream/ports';

/** A clock that only the replay moves. */
export interface VirtualClock extends Clock {
  /** Moves to that moment; never back. */
  moveTo(moment: Timestamp): void;
}

export function virtualClock(start: Timestamp): VirtualClock {
  let now = start;
  return {
    now: () => now,
    moveTo: (moment) => {
      now = Math.max(now, moment);
    },
  };
}

/** UUIDv7 of virtual moments with a count for the random part: the same in each run, later ids after earlier ones. */
export function countedIds(clock: Clock): Ids {
  let count = 0;
  return {
    next<Kind extends string>(): Id<Kind> {
      count += 1;
      const time = Math.max(0, clock.now()).toString(16).padStart(12, '0');
      const rest = count.toString(16).padStart(15, '0');
      return id(`${time.slice(0, 8)}-${time.slice(8)}-7000-8${rest.slice(0, 3)}-${rest.slice(3)}`);
    },
  };
}

/** Nothing repeats by itself: the replay calls what is due. */
export const noTimers: Timers = { every: () => () => undefined };
