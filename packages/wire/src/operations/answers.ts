/** Presents each item of a list. */
export const list =
  <Item, Shown>(present: (item: Item) => Shown) =>
  (items: readonly Item[]): Shown[] =>
    items.map((item) => present(item));

/** Presents a list of items that never change; the items can be presented one by one. */
interface ImmutableListPresenter<Item, Shown> {
  (items: readonly Item[]): Shown[];
  readonly presentItem: (item: Item) => Shown;
}

/**
 * Presents a list of items that never change: one that is shown again is the same object. Whoever sends the list may keep
 * what was encoded of each.
 */
export const immutableList = <Item extends object, Shown>(
  present: (item: Item) => Shown,
): ImmutableListPresenter<Item, Shown> => Object.assign(list(present), { presentItem: present });

/** How an item of the list is presented that never changes; undefined of any other answer. */
export const immutableItemPresenter = (present: object): ((item: object) => unknown) | undefined =>
  'presentItem' in present
    ? (present as ImmutableListPresenter<object, unknown>).presentItem
    : undefined;

/** Answers an operation that has nothing to show with a sentence. */
export const says =
  (sentence: string) =>
  (_done: void): string =>
    sentence;
