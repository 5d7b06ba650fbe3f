import {
  type Decimal,
  ONE,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  type Timeframe,
  type HistoryPoint,
} from '@slipstream/domain';
import { requireUser, visibleStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { downsample } from '../strategies/strategy-views.js';

/** The most points in an answer of getStrategyHistory (contract 3). */
const MAX_POINTS = 500;

const pointOf = (at: Timestamp, value: Decimal): HistoryPoint => ({
  at,
  value,
  high: value,
  low: value,
});

/**
 * The strategy's value over the timeframe, oldest first. It starts with the past_value at the start of the timeframe or of the strategy,
 * and ends with the present value if that is available (contract 7b.8).
 */
export const getStrategyHistory =
  ({ unitOfWork, clock, live }: Core) =>
  async (
    caller: Caller,
    command: { readonly strategyId: string; readonly timeframe?: Timeframe | undefined },
  ): Promise<HistoryPoint[]> => {
    requireUser(caller);
    const now = clock.now();
    const from = now - TIMEFRAME_LENGTHS[command.timeframe ?? 'month'];
    return unitOfWork.read(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      const buckets = await stores.valueHistory.list(strategy.id, from);
      const past = buckets.findLast((bucket) => bucket.lastAt <= from);
      const inside = buckets.filter((bucket) => bucket.lastAt > from);
      const value = live.valueOf(strategy.id, now);
      return [
        pointOf(Math.max(from, strategy.createdAt), past?.last ?? ONE),
        ...downsample(inside, MAX_POINTS - 2).map(({ lastAt, last, high, low }) => ({
          at: lastAt,
          value: last,
          high,
          low,
        })),
        ...(value ? [pointOf(now, value)] : []),
      ];
    });
  };
