import type { Timestamp } from '@slipstream/domain';

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;
/** A connection that lasted so long was a good one: the next pauses are short again. */
const LASTED = 30_000;

/** When to connect next: without end, with full jitter up to 30 s. A pause counts from the start of the attempt before. */
export function reconnection(random: () => number) {
  let attempts = 0;
  let startedAt: Timestamp = -Infinity;
  let nextAt: Timestamp = -Infinity;
  return {
    isDue: (now: Timestamp): boolean => now >= nextAt || nextAt - now > LONGEST_PAUSE,
    started: (now: Timestamp): void => {
      startedAt = now;
    },
    ended: (now: Timestamp): void => {
      const wasGood = now - startedAt >= LASTED;
      attempts = wasGood ? 1 : attempts + 1;
      const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempts - 1, 10));
      nextAt = Math.max(now, (wasGood ? now : startedAt) + random() * longest);
    },
  };
}
