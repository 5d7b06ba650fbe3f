import {
  type EqualSteps,
  INTERVALS,
  type Interval,
  Refusal,
  TIMEFRAME_LENGTHS,
  type Timeframe,
  type Timestamp,
  countSteps,
  stepsOf,
} from '@slipstream/domain';

/** The most points in an answer of getStrategyHistory (contract 3). */
const MAX_POINTS = 500;

/** The span and the steps of a history. */
export interface HistoryCommand {
  readonly strategyId: string;
  readonly timeframe?: Timeframe | 'all' | undefined;
  readonly from?: Timestamp | undefined;
  readonly to?: Timestamp | undefined;
  readonly interval?: Interval | undefined;
  /** The imported history instead of the strategy's own. */
  readonly isClaimed?: boolean | undefined;
  /** A stock as a request names it, whose closes each point has beside it. */
  readonly benchmark?: string | undefined;
}

/** The start that was asked for, before the strategy's own is known, and the end. */
export function spanOf({ timeframe, from, to }: HistoryCommand, now: Timestamp) {
  if (timeframe !== undefined && (from ?? to) !== undefined)
    throw new Refusal('invalid_field', 'give a timeframe, or from and to, not both');
  const until = Math.min(to ?? now, now);
  if (from !== undefined && from >= until)
    throw new Refusal('invalid_field', 'from must be before to, and before now');
  const isWhole = timeframe === 'all' || (timeframe === undefined && to !== undefined);
  const since = isWhole ? -Infinity : now - TIMEFRAME_LENGTHS[timeframe ?? 'month'];
  return { from: from ?? since, to: until };
}

/** Equal steps of that interval, or those that make the most points. @throws Refusal `invalid_field` for too many of them. */
export function stepsFor(
  from: Timestamp,
  to: Timestamp,
  interval: Interval | undefined,
): EqualSteps {
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
