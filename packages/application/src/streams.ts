import type { Order, Position, StockId, StrategyId } from '@slipstream/domain';
import type { Event, Ports } from '@slipstream/ports';
import type { Core } from './core.js';
import { viewOrder, viewPositions } from './trading/order-views.js';
import type { OrderView, PositionsView } from './views.js';

/** What live streams show beside what the operations read: events as a read would show them. */
export const createStreams = (
  { clock }: Pick<Ports, 'clock'>,
  { live, watch }: Pick<Core, 'live' | 'watch'>,
) => ({
  /** The strategy's value is published as `value_changed` until the returned function is called. */
  watchValue: (strategyId: StrategyId): (() => void) => watch.watch(strategyId),
  /** An order of an event as a read would show it now. */
  presentableOrder(order: Order): OrderView {
    const book = live.book(order.strategyId);
    if (!book) throw new Error(`strategy ${order.strategyId} has no book`);
    return viewOrder(order, live.market(clock.now()), book);
  },
  /** getPositions' answer holding only what the fills (or the corporate action) of the event changed; undefined when it had none. */
  changedPositions({
    before,
    after,
    changes,
    at,
    adjusted,
  }: Event & { kind: 'book_changed' }): PositionsView | undefined {
    const left = new Map(
      changes.flatMap((change): [StockId, Position][] =>
        change.kind === 'filled' ? [[change.position.stockId, change.position]] : [],
      ),
    );
    const moved =
      adjusted && (left.get(adjusted.stockId) ?? before.positions.get(adjusted.stockId));
    if (moved) left.set(moved.stockId, moved);
    if (left.size === 0) return undefined;
    return viewPositions(after, live.market(at), [...left.values()]);
  },
});
