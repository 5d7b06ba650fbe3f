import {
  type Decimal,
  type EqualSteps,
  INTERVALS,
  type Interval,
  Refusal,
  TIMEFRAME_LENGTHS,
  type Timestamp,
  type Timeframe,
  type HistoryPoint,
  type Strategy,
  atEqualTimes,
  baselineOf,
  countSteps,
  max,
  min,
  stepsOf,
} from '@slipstream/domain';
import { visibleStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';

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

/** The span and the steps of a history. */
export interface HistoryCommand {
  readonly strategyId: string;
  readonly timeframe?: Timeframe | 'all' | undefined;
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
  readonly interval?: Interval | undefined;
}

/** The start that was asked for, before the strategy's own is known, and the end. */
function spanOf({ timeframe, from, to }: HistoryCommand, now: Timestamp) {
  if (timeframe !== undefined && (from ?? to) !== undefined)
    throw new Refusal('invalid_field', 'give a timeframe, or from and to, not both');
  const until = Math.min(to ?? now, now);
  if (from !== undefined && from >= until)
    throw new Refusal('invalid_field', 'from must be before to, and before now');
  const isWhole = timeframe === 'all' || (timeframe === undefined && to !== undefined);
  const since = isWhole ? -Infinity : now - TIMEFRAME_LENGTHS[timeframe ?? 'month'];
  return { from: from ?? since, to: until };
}

function stepsFor(from: Timestamp, to: Timestamp, interval: Interval | undefined): EqualSteps {
  if (interval === undefined) return stepsOf(from, to, MAX_POINTS - 1);
  const fits = Object.entries(INTERVALS).find(
    ([, step]) => countSteps({ from, to, step }) < MAX_POINTS,
  );
  const steps = { from, to, step: INTERVALS[interval] };
  if (countSteps(steps) < MAX_POINTS) return steps;
  throw new Refusal(
    'invalid_field',
    `interval ${interval} would give more than ${MAX_POINTS} points${fits ? `; ${fits[0]} fits` : ''}`,
  );
}

/**
 * The strategy's value at equal steps of time, oldest first. It starts with the past_value at the start of the timeframe, of the
 * segment or of the strategy, and ends with the present value if that is available (contract 7b.8, 14).
 */
export const getStrategyHistory =
  ({ unitOfWork, clock, live }: Core) =>
  async (caller: Caller, command: HistoryCommand): Promise<HistoryPoint[]> => {
    const now = clock.now();
    const span = spanOf(command, now);
    return unitOfWork.read(async (stores) => {
      const strategy = await visibleStrategy(stores, caller, command.strategyId);
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
  };

/** The last point has the present value; without one the history ends before it. */
function endingNow(points: readonly HistoryPoint[], value: Decimal | null): HistoryPoint[] {
  const [last, before] = [points.at(-1), points.slice(0, -1)];
  if (!last) return [];
  if (!value) return before.length > 0 ? before : [last];
  return [...before, { ...last, value, high: max(last.high, value), low: min(last.low, value) }];
}
