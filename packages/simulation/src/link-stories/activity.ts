/** How often anything moved. */
let moves = 0;

/** Something moved: what follows from it may move next. */
export const moved = (): void => void (moves += 1);

/** Turns of the event loop after which nothing moves any more. */
const QUIET_TURNS = 6;

/** Resolves when all that follows at once has happened. */
export async function quiet(): Promise<void> {
  for (let before = -1; before !== moves;) {
    before = moves;
    for (let turn = 0; turn < QUIET_TURNS; turn += 1)
      await new Promise((then) => setImmediate(then));
  }
}
