import type { Clock, Pause } from '@slipstream/ports';

/** The host's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Resolves after other tasks of the event loop have run. */
export const systemPause: Pause = () => new Promise((resolve) => setImmediate(resolve));

/** Repeats on the host's timers. The returned function stops it. */
export interface Timers {
  every(milliseconds: number, run: () => void): () => void;
}

export const systemTimers: Timers = {
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds);
    return () => clearInterval(timer);
  },
};
