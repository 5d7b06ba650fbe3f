import {
  type Decimal,
  type Timestamp,
  type HistoryPoint,
  type Strategy,
  atEqualTimes,
  baselineOf,
  besideBenchmark,
  isoDay,
  max,
  min,
} from '@slipstream/domain';
import { benchmarkOf } from './benchmark.js';
import { claimedHistory } from './claimed-history.js';
import { type HistoryCommand, spanOf, stepsFor } from './history-steps.js';
import { visibleStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';

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
 * The strategy's value at equal steps of time, oldest first. It starts with the past_value at the start of the timeframe, of the
 * segment or of the strategy, and ends with the present value if that is available (contract 7b.8, 14).
 */
export const getStrategyHistory =
  (core: Core) =>
  async (caller: Caller, command: HistoryCommand): Promise<HistoryPoint[]> => {
    const { unitOfWork, clock, live } = core;
    const now = clock.now();
    const span = spanOf(command, now);
    const { benchmark } = command;
    // An unknown one is refused before anything is read.
    const stock = benchmark === undefined ? undefined : live.stocks.resolve(benchmark);
    const history = await unitOfWork.read(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
      if (command.isClaimed) return claimedHistory(stores, strategy, command);
      const value = live.valueOf(strategy.id, now);
      const baseline = baselineOf(strategy);
      if (!baseline) return openingHistory(strategy, value, now);
      const { to } = span;
      const began = Math.max(strategy.createdAt, baseline.since);
      const from = Math.max(span.from, began);
      if (from > to) return [];
      const listed = await stores.valueHistory.list(strategy.id, from);
      const buckets = listed.filter(({ start, lastAt }) => start >= baseline.since && lastAt <= to);
      // A sample at the very beginning is later than the value there, which is the baseline.
      const past = buckets.findLast((bucket) => bucket.lastAt <= span.from);
      const inside = buckets.filter((bucket) => bucket.lastAt > span.from);
      const steps = stepsFor(from, to, command.interval);
      const points = atEqualTimes(inside, steps, past?.last ?? baseline.value);
      return to < now ? points : endingNow(points, value);
    });
    return stock
      ? besideBenchmark(history, await benchmarkOf(core, stock.id, isoDay(span.to)))
      : history;
  };

/** The last point has the present value; without one the history ends before it. */
function endingNow(points: readonly HistoryPoint[], value: Decimal | null): HistoryPoint[] {
  const [last, before] = [points.at(-1), points.slice(0, -1)];
  if (!last) return [];
  if (!value) return before.length > 0 ? before : [last];
  return [...before, { ...last, value, high: max(last.high, value), low: min(last.low, value) }];
}
