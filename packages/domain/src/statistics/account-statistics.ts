import { dayStart } from '../billing/months.js';
import type { Timestamp } from '../ids.js';
import type { BotOrder } from '../mirroring/bot.js';
import type { AccountBucket } from '../mirroring/history/account-history.js';
import { type Decimal, decimalText } from '../numbers/decimal.js';
import { dayOf } from '../performance/values/value-day.js';
import type { Steps } from '../steps.js';
import { type Figure, type FigureGap, figureOf } from './figure.js';
import type { DayFigures, RecordFigures } from './record/record-reader.js';
import type { DatedFigure, ReturnFigures } from './return-figures.js';
import {
  type MonthlyReturn,
  type StatisticsRequest,
  type StrategyStatistics,
  statisticsInSteps,
} from './strategy-statistics.js';

/** The figures of an account, or of its target, that its history can give. */
export interface AccountFigures extends ReturnFigures {
  readonly bestMonth: DatedFigure;
  readonly worstMonth: DatedFigure;
  readonly positiveMonths: Figure;
  readonly monthly: readonly MonthlyReturn[];
}

/**
 * The account's return less its target's, by cause: the causes sum to the total. What is not measured apart has no value, and
 * is in `other`.
 */
export interface TrackingFigures {
  readonly total: Figure;
  /** Fills against the prices of the strategies' own fills. */
  readonly slippage: Figure;
  readonly fees: Figure;
  readonly delay: Figure;
  readonly notHeld: Figure;
  readonly leverageAndCaps: Figure;
  readonly other: Figure;
}

/** Statistics of a bot's account beside its target (contract 10, 17). */
export interface AccountStatistics extends AccountFigures {
  readonly from: string | null;
  readonly to: string;
  readonly target: AccountFigures;
  readonly tracking: TrackingFigures;
}

/** A reading of the account in doubles. `level` is its value without flows, 1 at the first reading. */
interface Reading {
  readonly at: Timestamp;
  readonly equity: number;
  readonly level: number;
}

const numberOf = (value: Decimal): number => Number(decimalText(value));

/** Readings that are converted in one step: about a millisecond. */
const READINGS_PER_STEP = 300;

/** The readings after the last flow that is not known: no figure reaches across it. */
function* readingsOf(buckets: readonly AccountBucket[]): Steps<Reading[]> {
  const unknown = buckets.findLastIndex(({ flow }, index) => index > 0 && flow === null);
  if (unknown === buckets.length - 1 && unknown > 0) return [];
  const known = buckets.slice(Math.max(0, unknown));
  const readings: Reading[] = [];
  for (const [index, { at, equity, flow }] of known.entries()) {
    const before = readings.at(-1);
    const worth = numberOf(equity);
    const change = index === 0 || flow === null ? 0 : numberOf(flow);
    const level = before ? (before.level * (worth - change)) / before.equity : 1;
    // An account that had nothing has no return.
    if (!Number.isFinite(level)) return [];
    readings.push({ at, equity: worth, level });
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

/** A record of the last level of each day. */
function recordOf(
  levels: readonly { readonly at: Timestamp; readonly level: number }[],
): RecordFigures {
  const [first] = levels;
  const days = new Map<number, DayFigures>();
  for (const { at, level } of levels)
    days.set(dayOf(at), { day: dayOf(at), close: level, samples: null });
  return {
    segment: first ? { startedAt: first.at, value: first.level } : null,
    ...{ days: [...days.values()], flows: [], trips: [], held: [] },
  };
}

/** The figures that closes alone can give; those without a day name why. */
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
    monthly: found.monthly,
  };
}

/** What the fills gained against the prices of the strategies' fills, in parts of the level at the span's start. */
function slippageOf(
  orders: readonly BotOrder[],
  readings: readonly Reading[],
  base: number,
): number {
  let gained = 0;
  for (const { action, strategyPrice, filledPrice, filledAmount, updatedAt } of orders) {
    if (!strategyPrice || !filledPrice) continue;
    const before = readings.findLast(({ at }) => at <= updatedAt) ?? readings[0];
    if (!before || !(before.equity > 0)) continue;
    const better = strategyPrice.minus(filledPrice).times(filledAmount);
    const gain = numberOf(better) * (action === 'buy' ? 1 : -1);
    gained += ((gain / before.equity) * before.level) / base;
  }
  return gained;
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
  const found = yield* statisticsInSteps(recordOf(readings), request);
  const levels = yield* levelsOf(buckets, isUnknown ? -Infinity : since);
  const target = yield* statisticsInSteps(recordOf(levels), request);
  const { totalReturn } = found;
  const span = { from: totalReturn.from, to: totalReturn.to };
  const known =
    totalReturn.value !== null && target.totalReturn.value !== null
      ? Number(totalReturn.value) - Number(target.totalReturn.value)
      : null;
  const [startDay, endDay] = [dayOf(dayStart(span.from)), dayOf(dayStart(span.to))];
  const filled = orders.filter(
    ({ strategyPrice, filledPrice, updatedAt }) =>
      strategyPrice &&
      filledPrice &&
      updatedAt >= since &&
      dayOf(updatedAt) >= startDay &&
      dayOf(updatedAt) <= endDay,
  );
  const base =
    readings.findLast(({ at }) => dayOf(at) < startDay)?.level ?? readings[0]?.level ?? 1;
  const slippage = slippageOf(filled, readings, base);
  const part = (n: number, value: number | null): Figure =>
    figureOf(span, n, value ?? (totalReturn.value === null ? gap : 'no_target'));
  const unmeasured = figureOf(span, 0, 'not_measured');
  return {
    from: found.from,
    to: found.to,
    ...figuresFrom(found, gap),
    target: figuresFrom(target, 'no_target'),
    tracking: {
      total: part(totalReturn.n, known),
      slippage: part(filled.length, known === null ? null : slippage),
      ...{ fees: unmeasured, delay: unmeasured, notHeld: unmeasured, leverageAndCaps: unmeasured },
      other: part(totalReturn.n, known === null ? null : known - slippage),
    },
  };
}
