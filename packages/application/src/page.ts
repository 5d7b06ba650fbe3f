import { Refusal, type Timestamp } from '@slipstream/domain';
import type { Page } from '@slipstream/ports';

/** The page of a list that a request asks for. */
export interface PageRequest {
  readonly limit?: number | undefined;
  /** The id of the last item of the page before. */
  readonly cursor?: string | undefined;
  /** Only items made at that moment or later. */
  readonly from?: Timestamp | undefined;
  /** Only items made before that moment. */
  readonly to?: Timestamp | undefined;
}

/** Items of a page when the request names no limit. */
export const DEFAULT_LIMIT = 100;

/** The page that is read. */
export function pageOf({ limit = DEFAULT_LIMIT, cursor, from, to }: PageRequest): Page {
  if (from !== undefined && to !== undefined && from >= to)
    throw new Refusal('invalid_field', 'from must be before to');
  return { limit, cursor, from, to };
}

/** The items of a list in memory after that of the cursor. An unknown cursor gives an empty list (contract 1). */
export function itemsAfter<Item extends { readonly id: string }>(
  items: readonly Item[],
  cursor: string | undefined,
): readonly Item[] {
  if (cursor === undefined) return items;
  const at = items.findIndex(({ id }) => id === cursor);
  return at === -1 ? [] : items.slice(at + 1);
}

const PIECE = 500;

/** All items of a paged list. */
export async function everyItem<Item extends { readonly id: string }>(
  list: (page: Page) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let page: readonly Item[] | undefined; page === undefined || page.length === PIECE;) {
    page = await list({ limit: PIECE, cursor: found.at(-1)?.id });
    found.push(...page);
  }
  return found;
}
