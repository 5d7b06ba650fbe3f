import type { Pause } from './pause.js';

/** Answers with the same value or error, in another turn of the event loop. */
export type InTurn = <Answer>(answer: Promise<Answer>) => Promise<Answer>;

/** Promises that settle together go on so many in each turn of the event loop at most, in the order in which they were settled. */
export function fewATurn(pause: Pause, most: number): InTurn {
  let last = Promise.resolve();
  /** How many may still go on in the last turn; none once it has come. */
  let places = 0;
  const nextTurn = (): void => {
    const turn = last.then(pause).then(() => {
      if (last === turn) places = 0;
    });
    last = turn;
    places = most;
  };
  return async (answer) => {
    try {
      return await answer;
    } finally {
      if (places === 0) nextTurn();
      places -= 1;
      await last;
    }
  };
}

/** Each promise goes on in a turn of the event loop of its own, in the order in which they were settled. */
export const oneATurn = (pause: Pause): InTurn => fewATurn(pause, 1);
