import type { BookChange, StrategyId, Timestamp } from '@slipstream/domain';
import type { Event } from '../events.js';

/** The changes of orders in one change of a book, as the stream of the strategy's orders shows them. */
export interface OrdersChanged {
  readonly strategyId: StrategyId;
  readonly at: Timestamp;
  /** The book's after the change; each change counts it by one. */
  readonly version: number;
  /** Never empty, in their order. */
  readonly changes: readonly OrderChange[];
}

/** What became of an order, and how it was then. */
export type OrderChange = Pick<BookChange, 'kind' | 'order'>;

/** The changes of orders in an event; undefined without any. An order that comes to rest is none (contract 6). */
export function ordersChanged(event: Event): OrdersChanged | undefined {
  if (event.kind !== 'book_changed') return undefined;
  const changes = event.changes
    .filter(({ kind }) => kind !== 'rested')
    .map(({ kind, order }) => ({ kind, order }));
  if (changes.length === 0) return undefined;
  const { strategyId, at, after } = event;
  return { strategyId, at, version: after.version, changes };
}
