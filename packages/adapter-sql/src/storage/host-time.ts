import { setTimeout as delay } from 'node:timers/promises';
import type { Timers } from '@slipstream/ports';

/** Elapsed milliseconds, and waiting. */
export interface Time {
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

/** The same, and what is done again and again. */
export interface TimeAndTimers extends Time, Timers {}

/** The host's. Its timers do not keep the process alive. */
export const hostTime: TimeAndTimers = {
  now: () => performance.now(),
  wait: (ms) => delay(ms),
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A transaction waited for something other than its stores, such as another transaction. */
export class TransactionTimeout extends Error {
  override readonly name = 'TransactionTimeout';
}

/**
 * A promise that rejects with `TransactionTimeout` once so many milliseconds go by without a use of the stores, while no
 * answer of the database is awaited.
 * Transactions that wait only for their stores never see it, however many they are and however slow the machine is.
 */
export function idleTimeout(
  milliseconds: number,
  uses: () => number,
  isBusy: () => boolean,
): { readonly timeout: Promise<never>; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    let seen = uses();
    timer = setInterval(() => {
      if (uses() === seen && !isBusy())
        reject(new TransactionTimeout('a work waits for more than its stores: for another work?'));
      seen = uses();
    }, milliseconds).unref();
  });
  // The caller may have stopped waiting.
  timeout.catch(() => undefined);
  return { timeout, clear: () => clearInterval(timer) };
}
