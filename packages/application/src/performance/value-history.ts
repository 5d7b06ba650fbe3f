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
  type StrategyId,
  type ValueBucket,
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
/** The number of buckets that are read in one turn: a few milliseconds. */
const BUCKETS_AT_ONCE = 500;

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
  (core: Core) =>
  async (caller: Caller, command: HistoryCommand): Promise<HistoryPoint[]> => {
    const { unitOfWork, clock, live } = core;
    const now = clock.now();
    const { from: asked, to } = spanOf(command, now);
    const strategy = await unitOfWork.read((stores) =>
      visibleStrategy(stores, caller, command.strategyId),
    );
    const baseline = baselineOf(strategy);
    if (!baseline) return openingHistory(strategy, live.valueOf(strategy.id, now), now);
    const from = Math.max(asked, strategy.createdAt, baseline.since);
    if (from > to) return [];
    const steps = stepsFor(from, to, command.interval);
    const listed = await bucketsFrom(core, strategy.id, from);
    const buckets = listed.filter(({ start, lastAt }) => start >= baseline.since && lastAt <= to);
    const past = buckets.findLast((bucket) => bucket.lastAt <= from);
    const inside = buckets.filter((bucket) => bucket.lastAt > from);
    await core.pause();
    const points = atEqualTimes(inside, steps, past?.last ?? baseline.value);
    return to < now ? points : endingNow(points, live.valueOf(strategy.id, now));
  };

/** The buckets from that moment on, in turns: years of them would hold the event loop. */
async function bucketsFrom(
  { unitOfWork, pause }: Pick<Core, 'unitOfWork' | 'pause'>,
  strategyId: StrategyId,
  from: Timestamp,
): Promise<ValueBucket[]> {
  const buckets: ValueBucket[] = [];
  for (let since = from; ; await pause()) {
    const page = await unitOfWork.read(({ valueHistory }) =>
      valueHistory.list(strategyId, since, BUCKETS_AT_ONCE),
    );
    // A page begins with the last bucket of the page before.
    const last = buckets.at(-1);
    buckets.push(...page.filter(({ start }) => !last || start > last.start));
    const end = buckets.at(-1);
    if (page.length < BUCKETS_AT_ONCE || !end || end === last) return buckets;
    since = end.start + end.length;
  }
}

/** The last point has the present value; without one the history ends before it. */
function endingNow(points: readonly HistoryPoint[], value: Decimal | null): HistoryPoint[] {
  const [last, before] = [points.at(-1), points.slice(0, -1)];
  if (!last) return [];
  if (!value) return before.length > 0 ? before : [last];
  return [...before, { ...last, value, high: max(last.high, value), low: min(last.low, value) }];
}
