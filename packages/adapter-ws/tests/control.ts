import type { StreamTimers } from '../src/index.js';

/** Timers that ring only when told to. */
export function manualTimers() {
  const waiting = new Set<{ readonly milliseconds: number; readonly call: () => void }>();
  const add = (milliseconds: number, call: () => void) => {
    const timer = { milliseconds, call };
    waiting.add(timer);
    return timer;
  };
  const timers: StreamTimers = {
    after(milliseconds, call) {
      const timer = add(milliseconds, () => {
        waiting.delete(timer);
        call();
      });
      return () => void waiting.delete(timer);
    },
    every(milliseconds, call) {
      const timer = add(milliseconds, call);
      return () => void waiting.delete(timer);
    },
  };
  return {
    timers,
    /** Rings all that wait for that long. */
    ring(milliseconds: number): number {
      const due = [...waiting].filter((timer) => timer.milliseconds === milliseconds);
      for (const { call } of due) call();
      return due.length;
    },
  };
}

/** A promise that the test settles, and one that tells when somebody waits for it. */
export function pause() {
  let resume = (): void => undefined;
  let reach = (): void => undefined;
  const resumed = new Promise<void>((resolve) => (resume = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const wait = (): Promise<void> => {
    reach();
    return resumed;
  };
  return { wait, reached, resume };
}
