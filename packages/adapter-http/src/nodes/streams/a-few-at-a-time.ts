import pLimit from 'p-limit';
import type { LinkHost } from '../../link/link-host.js';

/** Streams that go on at once. */
const AT_ONCE = 16;
/** For how long one keeps its place, in milliseconds: whoever reads slowly holds up nobody. */
const A_WHILE = 250;

/** Runs something when its turn comes. */
export type InTurn = <Answer>(run: () => Promise<Answer>) => Promise<Answer>;

/**
 * Thousands of streams that go on at another node at once would all be told last, and keep that node from every request
 * meanwhile. So they go on one after the other, a few at a time.
 */
export function aFewAtATime(host: Pick<LinkHost, 'after'>): InTurn {
  const places = pLimit(AT_ONCE);
  return async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
    let running: Promise<Answer> | undefined;
    await places(() => {
      running = run();
      return endOf(running, host);
    });
    return running as Promise<Answer>;
  };
}

/** Resolves when it has ended, or after a while. */
function endOf(running: Promise<unknown>, host: Pick<LinkHost, 'after'>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = host.after(A_WHILE, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    running.then(end, end);
  });
}
