import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Lanes {
  /** Runs the task after all earlier ones of the same name, and after others had a turn. */
  enter<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer>;
  /** The number of names with a running task. */
  readonly busy: number;
}

/** Tasks of one name run one after another, so that others never wait for more than one of them. */
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
