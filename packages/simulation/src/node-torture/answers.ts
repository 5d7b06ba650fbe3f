import type { Node } from './nodes.js';

/** When trading requests were answered, by those that no fault hit. */
export interface Answers {
  /** From now on the answers of these nodes do not count. */
  hit(...nodes: readonly Node[]): void;
  traded(node: Node): void;
  /** How long an answer or the end of its connection took. */
  waited(node: Node, milliseconds: number): void;
  /** How many came since the fault. */
  readonly count: number;
  /** The longest time without one since the fault, in milliseconds. */
  longestSilence(): number;
  /** The longest wait for an answer since the fault, in milliseconds. */
  readonly longestWait: number;
}

export function answersFrom(now: () => number): Answers {
  let struck: readonly Node[] = [];
  let [last, longest, count, longestWait] = [now(), 0, 0, 0];
  return {
    hit(...nodes) {
      struck = nodes;
      [last, longest, count, longestWait] = [now(), 0, 0, 0];
    },
    traded(node) {
      if (struck.includes(node)) return;
      longest = Math.max(longest, now() - last);
      last = now();
      count += 1;
    },
    waited(node, milliseconds) {
      if (!struck.includes(node)) longestWait = Math.max(longestWait, milliseconds);
    },
    longestSilence: () => Math.max(longest, now() - last),
    get count() {
      return count;
    },
    get longestWait() {
      return longestWait;
    },
  };
}
