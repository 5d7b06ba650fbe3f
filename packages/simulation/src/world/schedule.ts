/** Decides which waiting task continues next; nothing in a story waits for anything else. */
export interface Schedule {
  /** Resolves when it is this task's turn. */
  turn(): Promise<void>;
  /**
   * Runs tasks one at a time until none waits or `isOver` returns true. `order` picks among the waiting tasks (0: the one
   * that has waited longest), and is 0 after its end.
   */
  run(order: readonly number[], isOver: () => boolean): Promise<void>;
  /** Forgets the waiting tasks: their process has ended. */
  clear(): void;
}

/** Resolves when every running task waits for its turn. */
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
