import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Lanes {
  /** Does the work when everything that came before it under the same name is over, and others had a turn. */
  enter<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer>;
  /** Names that something goes on under. */
  readonly busy: number;
}

/** What comes under one name goes on one after another, so that however much it is, others wait for one of it. */
export function lanes(): Lanes {
  const last = new Map<string, Promise<void>>();
  return {
    async enter(name, work) {
      const before = last.get(name);
      const own = before ? before.then(() => nextTurn()).then(work) : work();
      const over = own.then(
        () => undefined,
        () => undefined,
      );
      last.set(name, over);
      try {
        return await own;
      } finally {
        if (last.get(name) === over) last.delete(name);
      }
    },
    get busy() {
      return last.size;
    },
  };
}
