import type { Pause, Timers } from '@slipstream/ports';

/** The timers of the streams. Each returns a function that cancels. */
export interface StreamTimers extends Timers {
  after(milliseconds: number, call: () => void): () => void;
}

/** The host's timers; they do not keep the process alive. */
export const hostTimers: StreamTimers = {
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds).unref();
    return () => clearTimeout(timer);
  },
  every(milliseconds, call) {
    const timer = setInterval(call, milliseconds).unref();
    return () => clearInterval(timer);
  },
};

/** Until the host has handled everything else. */
export const hostPause: Pause = () => new Promise((resolve) => setImmediate(resolve));
