import type { Pause } from './pause.js';

/** Answers with the same value or error, in a later turn of the event loop when others come with it. */
export type InTurn = <Answer>(answer: Promise<Answer>) => Promise<Answer>;

/** Of promises that are settled together, `few` go on in each turn of the event loop, in the order in which they were settled. */
export function fewATurn(pause: Pause, few: number): InTurn {
  let last = Promise.resolve();
  let place = 0;
  return async (answer) => {
    try {
      return await answer;
    } finally {
      if (place === 0) last = last.then(pause);
      place = (place + 1) % few;
      await last;
    }
  };
}

/** Each promise goes on in a turn of the event loop of its own, in the order in which they were settled. */
export const oneATurn = (pause: Pause): InTurn => fewATurn(pause, 1);
