import {
  DAY,
  type Decimal,
  Refusal,
  type StatisticsView,
  type Strategy,
  TIMEFRAME_LENGTHS,
  ZERO,
  type Timeframe,
  type Timestamp,
  basisOfKind,
  currentSegment,
  dayStart,
  decimalText,
  disclosureOf,
  isoDay,
  kindNow,
  statisticsInSteps,
  strategySeries,
} from '@slipstream/domain';
import type { Caller } from '../caller.js';
import { benchmarkOf } from './benchmark.js';
import type { Core } from '../core.js';
import { finished } from '../finished.js';
import { sessionOn } from '../market/session-on.js';
import { isFollower, visibleStrategy } from '../strategies/access.js';

/** The span and the terms of statistics; dates are `YYYY-MM-DD` in UTC, both included. */
export interface StatisticsCommand {
  readonly strategyId: string;
  readonly timeframe?: Timeframe | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** A yearly fraction. */
  readonly riskFree?: Decimal | undefined;
  readonly minN?: number | undefined;
  /** A stock as a request names it. */
  readonly benchmark?: string | undefined;
  /** A table has the daily series too. */
  readonly format?: 'json' | 'csv' | undefined;
}

const MIN_RETURNS = 30;
const SESSIONS_A_YEAR = 252 as const;
const DAYS_A_YEAR = 365 as const;

/** The number of days whose sessions are looked up in one turn of the event loop: about a millisecond. */
const DAYS_A_TURN = 100;

/** A month is a part one if a day of it counts outside the span: so days around the span are looked up too. */
const AROUND = 31 * DAY;

/** The days that count: those with a regular session of the exchanges, or all days (contract 9). */
async function dayRule(
  { live, tradingHours, pause }: Core,
  { type, createdAt }: Strategy,
  from: string | undefined,
  to: string,
) {
  const stock =
    type === 'stock' ? live.stocks.all().find(({ security }) => security === type) : undefined;
  if (!stock || !tradingHours.nextSession(stock, 0))
    return { daysPerYear: DAYS_A_YEAR, isTradingDay: () => true };
  const sessions = new Set<string>();
  const first = Math.max(createdAt, from === undefined ? 0 : dayStart(from)) - AROUND;
  const last = isoDay(dayStart(to) + AROUND);
  for (let at = first, turn = 1; isoDay(at) <= last; at += DAY, turn += 1) {
    const date = isoDay(at);
    if (sessionOn(tradingHours, stock, date)) sessions.add(date);
    if (turn % DAYS_A_TURN === 0) await pause();
  }
  return { daysPerYear: SESSIONS_A_YEAR, isTradingDay: (date: string) => sessions.has(date) };
}

/** The first and last day of the span. A day counts when it is over. */
function spanOf({ timeframe, from, to }: StatisticsCommand, now: Timestamp) {
  if (timeframe !== undefined && (from ?? to) !== undefined)
    throw new Refusal('invalid_field', 'give a timeframe, or from and to, not both');
  const yesterday = isoDay(now - DAY);
  const last = to ?? yesterday;
  if (last > yesterday)
    throw new Refusal(
      'invalid_field',
      `to must be at most ${yesterday}: a day counts when it is over (UTC)`,
    );
  if (timeframe === undefined) return { to: last, ...(from !== undefined && { from }) };
  return { to: last, from: isoDay(now - TIMEFRAME_LENGTHS[timeframe]) };
}

/** The statistics of the strategy's present segment (contract 9). */
export const getStrategyStatistics =
  (core: Core) =>
  async (caller: Caller, command: StatisticsCommand): Promise<StatisticsView> => {
    const { unitOfWork, clock, live, settings, records } = core;
    const span = spanOf(command, clock.now());
    if (span.from !== undefined && span.from > span.to)
      throw new Refusal('invalid_field', `from must not be after ${span.to}`);
    const { strategy, mayTrade } = await unitOfWork.read(async (stores) => {
      const found = await visibleStrategy(stores, caller, command.strategyId);
      return { strategy: found, mayTrade: await isFollower(stores, caller, found) };
    });
    const basis = basisOfKind(kindNow(strategy));
    const { riskFree = ZERO, minN = MIN_RETURNS } = command;
    const benchmark =
      command.benchmark === undefined
        ? undefined
        : await benchmarkOf(core, live.stocks.resolve(command.benchmark).id, span.to);
    // Statistics are computed in doubles: they are not money (contract 9).
    const terms = {
      ...(await dayRule(core, strategy, span.from, span.to)),
      riskFree: Number(decimalText(riskFree)),
      minN,
    };
    const figures = await records.figures(core, strategy);
    const { roundTrips, ...statistics } = await finished(
      statisticsInSteps(figures, { ...span, ...terms, ...(benchmark && { benchmark }) }),
      core.pause,
    );
    const series = command.format === 'csv' ? strategySeries(figures, { ...span, ...terms }) : null;
    return {
      strategyId: strategy.id,
      basis,
      disclosure: disclosureOf(basis, settings.disclosure),
      segmentSince: currentSegment(strategy)?.startedAt ?? null,
      daysPerYear: terms.daysPerYear,
      riskFree,
      benchmark: benchmark?.stockId ?? null,
      ...statistics,
      series,
      roundTrips: {
        ...roundTrips,
        byStock: mayTrade
          ? roundTrips.byStock.map((trips) => ({
              ...trips,
              symbol: live.stocks.find(trips.stockId)?.symbol ?? null,
            }))
          : null,
      },
    };
  };
