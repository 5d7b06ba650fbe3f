import type {
  BotOrder,
  BotOrderView,
  Order,
  Position,
  StockId,
  StrategyId,
  OrderView,
  PositionsView,
} from '@slipstream/domain';
import type { Event, Ports } from '@slipstream/ports';
import type { Caller } from './caller.js';
import type { Core } from './core.js';
import { viewBotOrder } from './mirroring/bot-views.js';
import { followedStrategy } from './strategies/access.js';
import { viewOrder, viewPositions } from './trading/order-views.js';

/** The data of live streams beside the operations: events in the form in which a read would show them. */
export const createStreams = (
  { clock, unitOfWork }: Pick<Ports, 'clock' | 'unitOfWork'>,
  { live, watch }: Pick<Core, 'live' | 'watch'>,
) => ({
  /** Refuses a caller to whom getOrders and getPositions would refuse the strategy. */
  async requireFollower(caller: Caller, strategyId: string): Promise<void> {
    await unitOfWork.read((stores) => followedStrategy(stores, caller, strategyId));
  },
  /** Publishes the strategy's value as `value_changed` until the returned function is called. */
  watchValue: (strategyId: StrategyId): (() => void) => watch.watch(strategyId),
  /** Publishes moves of the prices of what the strategy holds as `prices_moved` until the returned function is called. */
  watchPrices: (strategyId: StrategyId): (() => void) => watch.watchPrices(strategyId),
  /** The committed positions at the present prices; undefined without a book. */
  valuedPositions(strategyId: StrategyId): PositionsView | undefined {
    const book = live.book(strategyId);
    return book && viewPositions(book, live.market(clock.now()));
  },
  /** An order of an event as a read would show it now. */
  presentableOrder(order: Order): OrderView {
    const book = live.book(order.strategyId);
    if (!book) throw new Error(`strategy ${order.strategyId} has no book`);
    return viewOrder(order, live.market(clock.now()), book);
  },
  /** An order of a bot as getBotOrders would show it. */
  presentableBotOrder: (order: BotOrder): BotOrderView =>
    viewBotOrder(order, live.market(clock.now())),
  /** The answer of getPositions with only the positions that the event's fills or corporate action changed; undefined if there are none. */
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
