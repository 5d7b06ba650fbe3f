/** Waits, so that tests need not. */
export interface Timers {
  /** Resolves after that many milliseconds, or at once when `signal` aborts. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const hostTimers: Timers = {
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const ended = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', ended);
        resolve();
      };
      const timer = setTimeout(ended, milliseconds);
      signal?.addEventListener('abort', ended, { once: true });
    }),
};

/** Milliseconds before attempt `number` (1 is the first repetition): twice as long each time, with chance, at most `most`. */
export const backoff = (number: number, first: number, most: number): number =>
  Math.min(most, first * 2 ** (number - 1)) * (0.5 + Math.random() / 2);
