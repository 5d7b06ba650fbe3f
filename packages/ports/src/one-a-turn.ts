import type { Pause } from './pause.js';

/** Answers with the same value or error, in a turn of the event loop of its own. */
export type InTurn = <Answer>(answer: Promise<Answer>) => Promise<Answer>;

/** Each promise goes on in a turn of the event loop of its own, in the order in which they were settled. */
export function oneATurn(pause: Pause): InTurn {
  let last = Promise.resolve();
  return async (answer) => {
    try {
      return await answer;
    } finally {
      last = last.then(pause);
      await last;
    }
  };
}
