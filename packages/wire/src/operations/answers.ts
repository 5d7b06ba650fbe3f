/** Presents each item of a list. */
export const list =
  <Item, Shown>(present: (item: Item) => Shown) =>
  (items: readonly Item[]): Shown[] =>
    items.map((item) => present(item));

/** Presents a list of immutable items, also one at a time. */
interface ImmutableListPresenter<Item, Shown> {
  (items: readonly Item[]): Shown[];
  readonly presentItem: (item: Item) => Shown;
}

/**
 * Presents a list of immutable items: each item is presented once, and then the same object is returned, so the caller can
 * cache its encoding.
 */
export const immutableList = <Item extends object, Shown>(
  present: (item: Item) => Shown,
): ImmutableListPresenter<Item, Shown> => Object.assign(list(present), { presentItem: present });

/** The presenter of one immutable item; undefined for other answers. */
export const immutableItemPresenter = (present: object): ((item: object) => unknown) | undefined =>
  'presentItem' in present
    ? (present as ImmutableListPresenter<object, unknown>).presentItem
    : undefined;

/** Presents the answer of an operation without a record as a sentence. */
export const says =
  (sentence: string) =>
  (_done: void): string =>
    sentence;
