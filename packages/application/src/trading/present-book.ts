import type { Book } from '@slipstream/domain';
import type { Core } from '../core.js';

/**
 * The book as the market in memory knows it, unless that is an older one. A book that was read may be from before a split that has
 * ended since: at the prices in new shares it would have another value.
 */
export function atPresent({ live }: Pick<Core, 'live'>, read: Book): Book {
  const known = live.book(read.strategyId);
  return known && known.version >= read.version ? known : read;
}
