import type { Clock } from '@slipstream/ports';

/** The host's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Repeats on the host's timers. What is returned stops it. */
export interface Timers {
  every(milliseconds: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds);
    return () => clearInterval(timer);
  },
};
