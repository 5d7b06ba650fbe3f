import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Pause, oneATurn } from '@slipstream/ports';

/** Where the costly tasks of callers wait for each other. */
export interface Lanes {
  /** Runs the task after all earlier ones of the same name. At its rests, as before it begins, everybody else goes first. */
  enter<Answer>(name: string, work: (rest: Pause) => Promise<Answer>): Promise<Answer>;
  /** The number of names with a running task. */
  readonly busy: number;
}

/**
 * Tasks of one name run one after another, and of all names together one begins or goes on in each turn of the event loop: others
 * never wait for more than one of them, however many callers have tasks.
 */
export function lanes(): Lanes {
  const last = new Map<string, Promise<void>>();
  const inTurn = oneATurn(() => nextTurn());
  const rest: Pause = () => inTurn(Promise.resolve());
  return {
    async enter(name, work) {
      const own = inTurn(last.get(name) ?? Promise.resolve()).then(() => work(rest));
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
