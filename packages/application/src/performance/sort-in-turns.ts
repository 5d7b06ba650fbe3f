/** The number of items that are sorted or merged between two pauses. */
const PIECE = 500;

/** Like `toSorted` with a total order, but awaits `breathe` after every few items. */
export async function sortInTurns<Item>(
  items: readonly Item[],
  compare: (first: Item, second: Item) => number,
  breathe: () => Promise<void>,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += PIECE) {
    runs.push(items.slice(at, at + PIECE).sort(compare));
    await breathe();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let pair = 0; pair < runs.length; pair += 2)
      merged.push(await mergeInTurns(runs[pair] ?? [], runs[pair + 1] ?? [], compare, breathe));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists; of equal items, those of the first come first. */
export async function mergeInTurns<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (first: Item, second: Item) => number,
  breathe: () => Promise<void>,
): Promise<readonly Item[]> {
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
  const merged: Item[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [one, other] = [first[left], second[right]];
    if (one === undefined || other === undefined)
      return [...merged, ...first.slice(left), ...second.slice(right)];
    if (compare(one, other) <= 0) {
      merged.push(one);
      left += 1;
    } else {
      merged.push(other);
      right += 1;
    }
    if (merged.length % PIECE === 0) await breathe();
  }
}
