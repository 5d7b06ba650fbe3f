import type { Clock } from '@slipstream/ports';
import type { Timers } from '../src/index.js';

/** A clock and timers that only move in `pass`. */
export interface HandTimers extends Timers {
  readonly clock: Clock;
  /** Lets `milliseconds` pass; each due timer runs at its time. */
  pass(milliseconds: number): void;
  /** Lets `milliseconds` pass while nothing can run; then every timer runs once. */
  sleep(milliseconds: number): void;
}

export function handTimers(start = 1_800_000_000_000): HandTimers {
  let now = start;
  const timers = new Set<{ due: number; readonly interval: number; readonly run: () => void }>();
  return {
    clock: { now: () => now },
    every: (interval, run) => {
      const timer = { due: now + interval, interval, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: (milliseconds) => {
      const end = now + milliseconds;
      for (;;) {
        const [first] = [...timers].sort((one, other) => one.due - other.due);
        if (!first || first.due > end) break;
        now = first.due;
        first.due += first.interval;
        first.run();
      }
      now = end;
    },
    sleep: (milliseconds) => {
      now += milliseconds;
      for (const timer of timers) {
        timer.due = now + timer.interval;
        timer.run();
      }
    },
  };
}
