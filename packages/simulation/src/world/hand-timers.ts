import type { StreamTimers } from '@slipstream/adapter-ws';
import type { Clock } from '@slipstream/ports';

/** Timers of one process, which ring when the story's clock has passed them. */
export interface HandTimers extends StreamTimers {
  /** Rings the due timers, in the order of their times. */
  ring(): void;
}

export function handTimers(clock: Clock): HandTimers {
  interface Timer {
    at: number;
    readonly every: number | undefined;
    readonly call: () => void;
  }
  const timers = new Set<Timer>();
  const add = (milliseconds: number, call: () => void, every?: number) => {
    const timer: Timer = { at: clock.now() + milliseconds, every, call };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    after: (milliseconds, call) => add(milliseconds, call),
    every: (milliseconds, call) => add(milliseconds, call, milliseconds),
    ring() {
      const due = [...timers].filter(({ at }) => at <= clock.now()).sort((a, b) => a.at - b.at);
      for (const timer of due) {
        if (timer.every === undefined) timers.delete(timer);
        else timer.at = clock.now() + timer.every;
        timer.call();
      }
    },
  };
}
