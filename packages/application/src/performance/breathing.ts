import type { Core } from '../core.js';

/** Milliseconds of work after which other tasks run. */
const TURN = 5;

/** A long job awaits it between its parts: other tasks then run whenever it has worked for long. */
export function breathing({ clock, pause }: Pick<Core, 'clock' | 'pause'>): () => Promise<void> {
  let turnBegan = clock.now();
  return async () => {
    if (clock.now() - turnBegan < TURN) return;
    await pause();
    turnBegan = clock.now();
  };
}
