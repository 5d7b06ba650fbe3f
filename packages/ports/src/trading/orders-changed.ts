import type { BookChange, StrategyId, Timestamp } from '@slipstream/domain';
import type { Event } from '../events.js';

/** A change of a book, as far as its orders tell it: what a stream of the strategy's orders shows of it. */
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

/** What an event tells of orders; undefined when it tells nothing. That an order rests is no news (contract 6). */
export function ordersChanged(event: Event): OrdersChanged | undefined {
  if (event.kind !== 'book_changed') return undefined;
  const changes = event.changes
    .filter(({ kind }) => kind !== 'rested')
    .map(({ kind, order }) => ({ kind, order }));
  if (changes.length === 0) return undefined;
  const { strategyId, at, after } = event;
  return { strategyId, at, version: after.version, changes };
}
