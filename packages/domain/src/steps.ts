/** A computation in steps: at each `yield` its host may do other work first. It depends on nothing that changes meanwhile. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** The result of all steps, without a break. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Items that are handled in one step: a fraction of a millisecond each at most. */
const ITEMS_PER_STEP = 50;

/** What `of` makes of each item, in steps. */
export function* mapInSteps<Item, Result>(
  items: Iterable<Item>,
  of: (item: Item) => Result,
): Steps<Result[]> {
  const made: Result[] = [];
  for (const item of items) {
    made.push(of(item));
    if (made.length % ITEMS_PER_STEP === 0) yield;
  }
  return made;
}
