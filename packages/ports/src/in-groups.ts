import type { Pause } from './pause.js';

/** The storage commits so many at once in a few milliseconds. */
const AT_ONCE = 16;

/** A group begins once so many turns of the event loop brought no more: bots that go on one a turn still share it. */
const QUIET_TURNS = 8;

/** Begins a transaction together with others, and answers as it does. */
export type InGroup = <Answer>(begin: () => Promise<Answer>) => Promise<Answer>;

/**
 * Transactions of hundreds of bots, a few at a time: those that come in one turn of the event loop after another wait here for each
 * other, not in the storage. So they share a commit, and one of a user waits for one such group at most.
 */
export function inGroups(pause: Pause): InGroup {
  let waiting: (() => Promise<void>)[] = [];
  let isRunning = false;
  const runAll = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      for (let quiet = 0; quiet < QUIET_TURNS && waiting.length < AT_ONCE;) {
        const before = waiting.length;
        await pause();
        quiet = waiting.length > before ? 0 : quiet + 1;
      }
      const group = waiting.slice(0, AT_ONCE);
      waiting = waiting.slice(AT_ONCE);
      await Promise.all(group.map((begin) => begin()));
    }
    isRunning = false;
  };
  return (begin) =>
    new Promise((resolve, reject) => {
      waiting.push(() => begin().then(resolve, reject));
      if (!isRunning) void runAll();
    });
}
