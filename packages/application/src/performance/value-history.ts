import {
  type Decimal,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  type Timeframe,
  type HistoryPoint,
  type Strategy,
  baselineOf,
  mergeBuckets,
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

/** While a segment has no first value: the present value, or the last one of the segment before. */
function openingHistory(
  { segments }: Strategy,
  value: Decimal | null,
  now: Timestamp,
): HistoryPoint[] {
  const { end, startedAt, startValue } = segments.at(-1) ?? segments[0];
  return value ? [pointOf(now, value)] : [pointOf(end?.at ?? startedAt, end?.value ?? startValue)];
}

/**
 * The strategy's value over the timeframe, oldest first. It starts with the past_value at the start of the timeframe, of the segment or of
 * the strategy, and ends with the present value if that is available (contract 7b.8).
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
      const value = live.valueOf(strategy.id, now);
      const baseline = baselineOf(strategy);
      if (!baseline) return openingHistory(strategy, value, now);
      const { since } = baseline;
      const listed = await stores.valueHistory.list(strategy.id, Math.max(from, since));
      const buckets = listed.filter(({ start }) => start >= since);
      const past = buckets.findLast((bucket) => bucket.lastAt <= from);
      const inside = buckets.filter((bucket) => bucket.lastAt > from);
      return [
        pointOf(Math.max(from, strategy.createdAt, since), past?.last ?? baseline.value),
        ...downsample(inside, MAX_POINTS - 2, mergeBuckets).map(({ lastAt, last, high, low }) => ({
          at: lastAt,
          value: last,
          high,
          low,
        })),
        ...(value ? [pointOf(now, value)] : []),
      ];
    });
  };
