import type { Clock, Pause, Timers } from '@slipstream/ports';

/** The host's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Resolves after other tasks of the event loop have run. */
export const systemPause: Pause = () => new Promise((resolve) => setImmediate(resolve));

export const systemTimers: Timers = {
  every: (milliseconds, run) => {
    const timer = setInterval(run, milliseconds);
    return () => clearInterval(timer);
  },
};
