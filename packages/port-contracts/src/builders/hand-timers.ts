import type { Timestamp } from '@slipstream/domain';
import type { Clock, Timers } from '@slipstream/ports';

/** A clock, and timers of a host, that move only by hand. */
export interface HandTimers extends Timers {
  readonly clock: Clock;
  /** Lets `milliseconds` pass; each due timer runs at its time. */
  pass(milliseconds: number): void;
  /** The same; after each timer it waits until everything that it brought about is done. */
  passWith(milliseconds: number, settle: () => Promise<void>): Promise<void>;
  /** Lets `milliseconds` pass while nothing can run; then every timer runs once. */
  sleep(milliseconds: number): void;
  /** Sets the clock back by that much; the timers go on at their pace. */
  setBack(milliseconds: number): void;
}

/** A clock and its timers, which stand still until a test lets time pass. `start` is in milliseconds since 1970. */
export function handTimers(start: Timestamp = 1_800_000_000_000): HandTimers {
  let now = start;
  const timers = new Set<{ due: number; readonly interval: number; readonly run: () => void }>();
  /** Runs the next timer that is due until then, at its time; false when there is none. */
  const runNext = (end: Timestamp): boolean => {
    const [first] = [...timers].sort((one, other) => one.due - other.due);
    if (!first || first.due > end) return false;
    now = first.due;
    first.due += first.interval;
    first.run();
    return true;
  };
  return {
    clock: { now: () => now },
    every: (interval, run) => {
      const timer = { due: now + interval, interval, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: (milliseconds) => {
      const end = now + milliseconds;
      while (runNext(end));
      now = end;
    },
    passWith: async (milliseconds, settle) => {
      const end = now + milliseconds;
      while (runNext(end)) await settle();
      now = end;
    },
    sleep: (milliseconds) => {
      now += milliseconds;
      for (const timer of timers) {
        timer.due = now + timer.interval;
        timer.run();
      }
    },
    setBack: (milliseconds) => {
      now -= milliseconds;
      for (const timer of timers) timer.due -= milliseconds;
    },
  };
}
