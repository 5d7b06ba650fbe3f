import type { Page } from '@slipstream/ports';

const PAGE = 500;

/** All items of a paged list. */
export async function everyItem<Item extends { readonly id: string }>(
  list: (page: Page) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (let page: readonly Item[] | undefined; page === undefined || page.length === PAGE;) {
    page = await list({ limit: PAGE, cursor: found.at(-1)?.id });
    found.push(...page);
  }
  return found;
}
