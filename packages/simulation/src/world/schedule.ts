/** Decides which of the tasks that wait goes on next; nothing in a story waits for anything else. */
export interface Schedule {
  /** Resolves when it is this task's turn. */
  turn(): Promise<void>;
  /**
   * Lets tasks go on, one at a time, until none waits or `isOver` says so. `order` picks among those that wait (0: the
   * one that waits longest) and is 0 when it runs out.
   */
  run(order: readonly number[], isOver: () => boolean): Promise<void>;
  /** Forgets who waits: their process has ended. */
  clear(): void;
}

/** Resolves when everything that is under way waits for something. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function newSchedule(): Schedule {
  let waiting: (() => void)[] = [];
  return {
    turn: () => new Promise((resolve) => waiting.push(resolve)),
    async run(order, isOver) {
      const picks = [...order];
      for (;;) {
        await settled();
        if (waiting.length === 0 || isOver()) return;
        const pick = waiting.length > 1 ? (picks.shift() ?? 0) : 0;
        const [next] = waiting.splice(pick % waiting.length, 1);
        next?.();
      }
    },
    clear() {
      waiting = [];
    },
  };
}
