import type { Pause } from '@slipstream/ports';
import type { BotDeps } from '../bot-deps.js';

type Run = BotDeps['unitOfWork']['run'];

/** The storage commits so many at once in a few milliseconds. */
const AT_ONCE = 16;

/**
 * Transactions of hundreds of bots, a few at a time: those that come in one turn of the event loop after another wait here for each
 * other, not in the storage. So they share a commit, and one of a user waits for one such group at most.
 */
export function inGroups(run: Run, pause: Pause): Run {
  let waiting: (() => Promise<void>)[] = [];
  let isRunning = false;
  const runAll = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      for (let before = 0; before < waiting.length && waiting.length < AT_ONCE;) {
        before = waiting.length;
        await pause();
      }
      const group = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      await Promise.all(group.map((begin) => begin()));
    }
    isRunning = false;
  };
  return (work, terms) =>
    new Promise((resolve, reject) => {
      waiting.push(() => run(work, terms).then(resolve, reject));
      if (!isRunning) void runAll();
    });
}
