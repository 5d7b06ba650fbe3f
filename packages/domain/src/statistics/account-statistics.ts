import { dayStart } from '../calendar.js';
import type { Timestamp } from '../ids.js';
import type { BotOrder } from '../mirroring/bot.js';
import type { AccountBucket } from '../mirroring/history/account-history.js';
import type { UnheldGain } from '../mirroring/history/unheld.js';
import { type Decimal, decimal, decimalText } from '../numbers/decimal.js';
import { dayOf } from '../performance/values/value-day.js';
import type { Steps } from '../steps.js';
import type { FallFigures } from './fall-figures.js';
import { type Figure, type FigureGap, figureOf } from './figure.js';
import type { DayFigures, RecordFigures } from './record/record-reader.js';
import type { DatedFigure, ReturnFigures } from './return-figures.js';
import {
  type MonthlyReturn,
  type SeriesPoint,
  type StatisticsRequest,
  type StrategyStatistics,
  statisticsInSteps,
  strategySeries,
} from './strategy-statistics.js';
import { type Reading, type TrackingFigures, trackingFigures } from './tracking-difference.js';

/** The figures of an account, or of its target, that its history can give. */
export interface AccountFigures extends ReturnFigures, FallFigures {
  readonly bestMonth: DatedFigure;
  readonly worstMonth: DatedFigure;
  readonly positiveMonths: Figure;
  readonly monthly: readonly MonthlyReturn[];
}

/** Statistics of a bot's account beside its target (contract 10, 17). */
export interface AccountStatistics extends AccountFigures {
  readonly from: string | null;
  readonly to: string;
  readonly target: AccountFigures;
  readonly tracking: TrackingFigures;
  /** The daily values without flows that the figures are of, oldest first: the account's from 1, and the target's own. */
  readonly series: {
    readonly account: readonly SeriesPoint[];
    readonly target: readonly SeriesPoint[];
  };
}

const numberOf = (value: Decimal): number => Number(decimalText(value));

/** Readings that are converted in one step: about a millisecond. */
const READINGS_PER_STEP = 300;

/** The gains as parts of the level of the reading before, which there is none of for the first one. */
function partsOf(unheld: UnheldGain | null, before: Reading | undefined): Reading['unheld'] {
  if (!unheld || !before) return null;
  const partOf = (gain: Decimal): number =>
    before.equity > 0 ? (numberOf(gain) / before.equity) * before.level : 0;
  return { notHeld: partOf(unheld.notHeld), leverageAndCaps: partOf(unheld.leverageAndCaps) };
}

/** The readings after the last flow that is not known: no figure reaches across it. */
function* readingsOf(buckets: readonly AccountBucket[]): Steps<Reading[]> {
  const unknown = buckets.findLastIndex(({ flow }, index) => index > 0 && flow === null);
  if (unknown === buckets.length - 1 && unknown > 0) return [];
  const known = buckets.slice(Math.max(0, unknown));
  const readings: Reading[] = [];
  for (const [index, { at, equity, flow, unheld, target }] of known.entries()) {
    const before = readings.at(-1);
    const worth = numberOf(equity);
    const change = index === 0 || flow === null ? 0 : numberOf(flow);
    const level = before ? (before.level * (worth - change)) / before.equity : 1;
    // An account that had nothing has no return.
    if (!Number.isFinite(level)) return [];
    readings.push({
      ...{ at, equity: worth, level, unheld: partsOf(unheld, before) },
      target: target ? numberOf(target) : (before?.target ?? 0),
    });
    if (index % READINGS_PER_STEP === 0) yield;
  }
  return readings;
}

/** The known values of the target from that moment on. */
function* levelsOf(
  buckets: readonly AccountBucket[],
  since: Timestamp,
): Steps<{ readonly at: Timestamp; readonly level: number }[]> {
  const levels: { readonly at: Timestamp; readonly level: number }[] = [];
  for (const [index, { at, target }] of buckets.entries()) {
    if (target && at >= since) levels.push({ at, level: numberOf(target) });
    if (index % READINGS_PER_STEP === 0) yield;
  }
  return levels;
}

/** The day with one more reading. What an account is exposed to is not in its history. */
function withLevel(before: DayFigures | undefined, day: number, level: number): DayFigures {
  const { high, low, drawdown } = before?.samples ?? { high: level, low: level, drawdown: 0 };
  const peak = Math.max(high, level);
  const samples = {
    ...{ high: peak, low: Math.min(low, level), gross: 0, held: 0 },
    drawdown: Math.max(drawdown, peak > 0 ? 1 - level / peak : 0),
  };
  return { day, close: level, samples };
}

/** A record of the kept levels of each day. */
function recordOf(
  levels: readonly { readonly at: Timestamp; readonly level: number }[],
): RecordFigures {
  const [first] = levels;
  const days = new Map<number, DayFigures>();
  for (const { at, level } of levels)
    days.set(dayOf(at), withLevel(days.get(dayOf(at)), dayOf(at), level));
  return {
    segment: first ? { startedAt: first.at, value: first.level } : null,
    ...{ days: [...days.values()], flows: [], trips: [], held: [] },
  };
}

/** The figures that readings of the value can give; those without a day name why. */
function figuresFrom(found: StrategyStatistics, gap: FigureGap): AccountFigures {
  const named = <One extends Figure>(figure: One): One =>
    figure.gap === 'no_days' ? { ...figure, gap } : figure;
  return {
    totalReturn: named(found.totalReturn),
    cagr: named(found.cagr),
    volatility: named(found.volatility),
    sharpe: named(found.sharpe),
    sortino: named(found.sortino),
    probabilisticSharpe: named(found.probabilisticSharpe),
    minimumTrackRecord: named(found.minimumTrackRecord),
    bestDay: named(found.bestDay),
    worstDay: named(found.worstDay),
    bestMonth: named(found.bestMonth),
    worstMonth: named(found.worstMonth),
    positiveMonths: named(found.positiveMonths),
    maxDrawdown: named(found.maxDrawdown),
    calmar: named(found.calmar),
    underwaterDays: named(found.underwaterDays),
    underwaterDaysNow: named(found.underwaterDaysNow),
    drawdowns: found.drawdowns,
    monthly: found.monthly,
  };
}

/** The difference of two returns, exact in the digits that are shown; without one why not. */
function differenceOf(own: Figure, target: Figure, gap: FigureGap): Figure {
  const { value, n, from, to } = own;
  if (value === null) return figureOf({ from, to }, n, gap);
  if (target.value === null) return figureOf({ from, to }, n, 'no_target');
  const difference = decimal(value).minus(decimal(target.value));
  return { value: decimalText(difference), n, from, to, gap: null };
}

/** The statistics of an account from its history, and from its orders that were filled in it, in steps of a few milliseconds. */
export function* accountStatistics(
  buckets: readonly AccountBucket[],
  orders: readonly BotOrder[],
  request: StatisticsRequest,
): Steps<AccountStatistics> {
  const readings = yield* readingsOf(buckets);
  const since = readings[0]?.at ?? Infinity;
  const isUnknown = buckets.length > 1 && buckets.at(-1)?.flow === null;
  const gap: FigureGap = isUnknown ? 'unknown_flows' : 'no_days';
  const own = recordOf(readings);
  const found = yield* statisticsInSteps(own, request);
  const mirrored = recordOf(yield* levelsOf(buckets, isUnknown ? -Infinity : since));
  const target = yield* statisticsInSteps(mirrored, request);
  const account = strategySeries(own, request);
  yield;
  const { totalReturn } = found;
  const span = { from: totalReturn.from, to: totalReturn.to };
  const [startDay, endDay] = [dayOf(dayStart(span.from)), dayOf(dayStart(span.to))];
  const base =
    readings.findLast(({ at }) => dayOf(at) < startDay)?.level ?? readings[0]?.level ?? 1;
  const total = differenceOf(totalReturn, target.totalReturn, gap);
  const isOfSpan = (at: Timestamp): boolean =>
    at >= since && dayOf(at) >= startDay && dayOf(at) <= endDay;
  return {
    from: found.from,
    to: found.to,
    ...figuresFrom(found, gap),
    target: figuresFrom(target, 'no_target'),
    tracking: trackingFigures(total, {
      orders: orders.filter(({ updatedAt }) => isOfSpan(updatedAt)),
      readings,
      counted: readings.filter(({ at }) => isOfSpan(at)),
      base,
    }),
    series: { account, target: strategySeries(mirrored, request) },
  };
}
