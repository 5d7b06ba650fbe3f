import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

/** One turn of the event loop, in milliseconds. */
export interface Hold {
  /** Wall-clock time. */
  readonly wall: number;
  /** The part spent on garbage collection. */
  readonly garbage: number;
  /** The part spent waiting for a core, because other processes had them all. */
  readonly elsewhere: number;
  /** The part spent waiting for the disk. */
  readonly disk: number;
  /** The rest, spent computing: nothing else was served meanwhile. */
  readonly held: number;
}

const NOTHING_HELD: Hold = { wall: 0, garbage: 0, elsewhere: 0, disk: 0, held: 0 };

/** Shorter turns are not recorded. */
const LEAST = 1;

/** The time of this thread so far, in milliseconds. */
interface Spent {
  readonly on: number;
  /** Running on a core. */
  readonly computing: number;
  /** Waiting for a core. */
  readonly waiting: number;
}

/** Reads the times from the system. If the system does not report them, all time counts as computing. */
function timeOfThread(): { now(): Spent; close(): void } {
  const path = '/proc/thread-self/schedstat';
  if (!existsSync(path)) {
    const now = (): Spent => ({ on: performance.now(), computing: performance.now(), waiting: 0 });
    return { now, close: () => undefined };
  }
  const file = openSync(path, 'r');
  const text = Buffer.alloc(128);
  return {
    now: () => {
      const read = text.toString('latin1', 0, readSync(file, text, 0, 128, 0)).split(' ');
      return {
        on: performance.now(),
        computing: Number(read[0]) / 1e6,
        waiting: Number(read[1]) / 1e6,
      };
    },
    close: () => closeSync(file),
  };
}

interface Turn {
  readonly from: Spent;
  readonly to: Spent;
}

/** Watches every turn of this process's event loop from now on, and keeps the loop running. `end` returns the longest turns. */
export function watchLoop(): { end(): Promise<Hold> } {
  const turns: Turn[] = [];
  const collections: { readonly from: number; readonly to: number }[] = [];
  const collected = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ from: startTime, to: startTime + duration });
  });
  collected.observe({ entryTypes: ['gc'] });
  const time = timeOfThread();
  let isWatching = true;
  let from = time.now();
  const turn = (): void => {
    const to = time.now();
    if (to.on - from.on >= LEAST) turns.push({ from, to });
    from = to;
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);

  const holdOf = ({ from: begun, to }: Turn): Hold => {
    const garbage = collections.reduce(
      (sum, each) => sum + Math.max(0, Math.min(to.on, each.to) - Math.max(begun.on, each.from)),
      0,
    );
    const wall = to.on - begun.on;
    const elsewhere = to.waiting - begun.waiting;
    const computing = Math.min(wall, to.computing - begun.computing);
    // A garbage collection waits for a core as often as any other work.
    const held = computing * (1 - garbage / wall);
    return { wall, garbage, elsewhere, disk: Math.max(0, wall - computing - elsewhere), held };
  };
  return {
    async end() {
      isWatching = false;
      // Node reports collections a little later.
      await new Promise((resolve) => setTimeout(resolve, 20));
      collected.disconnect();
      time.close();
      return turns
        .map(holdOf)
        .reduce((longest, hold) => (hold.held > longest.held ? hold : longest), NOTHING_HELD);
    },
  };
}
