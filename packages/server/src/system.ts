import type { Clock, Pause } from '@slipstream/ports';

/** The host's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Until the host has looked at everything else. */
export const systemPause: Pause = () => new Promise((resolve) => setImmediate(resolve));

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
