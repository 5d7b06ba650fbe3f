import { setTimeout as wait } from 'node:timers/promises';
import { TortureFailed } from '../torture/checks.js';

/** The answer of the work; fails when it takes longer, in milliseconds. */
export async function within<Answer>(
  milliseconds: number,
  what: string,
  work: Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  const late = wait(milliseconds, undefined, { signal: over.signal }).then(
    () => {
      throw new TortureFailed(`within ${Math.round(milliseconds / 100) / 10} s: ${what}`);
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

/** Resolves when it is so; asks again and again. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(10);
}
