import type { Timestamp } from '@slipstream/domain';
import type { Page } from '@slipstream/ports';

interface Dated {
  readonly id: string;
  readonly createdAt: Timestamp;
}

const compare = <Sortable extends string | number>(first: Sortable, second: Sortable): number =>
  first < second ? -1 : first > second ? 1 : 0;

/** Oldest first, ties by id. */
export const byAge = (first: Dated, second: Dated): number =>
  compare(first.createdAt, second.createdAt) || compare(first.id, second.id);

/** Newest first, ties by the later id. */
export const byNewest = (first: Dated, second: Dated): number => byAge(second, first);

export const byId = (first: { readonly id: string }, second: { readonly id: string }): number =>
  compare(first.id, second.id);

export const byText = compare<string>;

/** The values of `ids` that exist, in the order of `ids`, each once. */
export const pick = <Id, Value>(ids: readonly Id[], find: (id: Id) => Value | undefined): Value[] =>
  [...new Set(ids)].flatMap((id) => {
    const value = find(id);
    return value === undefined ? [] : [value];
  });

/**
 * The page of `items`, newest first. The cursor's item need not be in the list any more (an order that was filled
 * meanwhile): the list continues at its place. An unknown cursor, or one of another list, returns `[]`.
 */
export function page<Item extends Dated>(
  items: readonly Item[],
  { limit, cursor, from = -Infinity, to = Infinity }: Page,
  atCursor: (cursor: string) => Dated | undefined,
): Item[] {
  const sorted = items
    .filter(({ createdAt }) => createdAt >= from && createdAt < to)
    .toSorted(byNewest);
  if (cursor === undefined) return sorted.slice(0, limit);
  const last = atCursor(cursor);
  return last ? sorted.filter((item) => byNewest(last, item) < 0).slice(0, limit) : [];
}

/** What is due by `now`, longest due first, ties by id. */
export const due = <Item extends { readonly id: string }>(
  items: readonly Item[],
  dueAt: (item: Item) => Timestamp | null,
  now: Timestamp,
  limit: number,
): Item[] =>
  items
    .map((item) => ({ item, at: dueAt(item) ?? Infinity }))
    .filter(({ at }) => at <= now)
    .toSorted((first, second) => first.at - second.at || byId(first.item, second.item))
    .slice(0, limit)
    .map(({ item }) => item);
