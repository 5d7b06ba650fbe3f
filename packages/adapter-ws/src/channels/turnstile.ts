import type { Pause } from '@slipstream/ports';

/** So many pass before everything else gets its turn: each asks the storage once or twice. */
const AT_ONCE = 8;

/** Admits many callers a few at a time, in order, so that thousands of them delay nobody else. */
export function turnstile(pause: Pause): () => Promise<void> {
  let passed = 0;
  let turn = Promise.resolve();
  return () => {
    passed += 1;
    if (passed % AT_ONCE === 0) turn = turn.then(pause);
    return turn;
  };
}
