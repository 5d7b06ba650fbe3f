import {
  type Benchmark,
  type SeriesPoint,
  type StatisticsView,
  type Strategy,
  basisOfKind,
  currentSegment,
  disclosureOf,
  kindNow,
  statisticsInSteps,
  strategySeries,
} from '@slipstream/domain';
import type { Caller } from '../caller.js';
import { benchmarkOf } from './benchmark.js';
import { type RequestedStatistics, statisticsSpan, statisticsRequest } from './counted-days.js';
import type { Core } from '../core.js';
import { finished } from '../finished.js';
import { isFollower, visibleStrategy } from '../strategies/access.js';

/** The span and the terms of statistics; dates are `YYYY-MM-DD` in UTC, both included. */
export interface StatisticsCommand extends RequestedStatistics {
  readonly strategyId: string;
  /** A stock as a request names it. */
  readonly benchmark?: string | undefined;
  /** A table has the daily series too. */
  readonly format?: 'json' | 'csv' | undefined;
}

/** The statistics of a strategy, and of what they are. */
interface FoundStatistics {
  readonly strategy: Strategy;
  /** Whether the caller may see the trades. */
  readonly mayTrade: boolean;
  readonly benchmark: Benchmark | null;
  /** With its series. */
  readonly view: StatisticsView & { readonly series: readonly SeriesPoint[] };
}

/** The statistics of the strategy's present segment, as the caller may see them. */
export async function statisticsOf(
  core: Core,
  caller: Caller,
  command: StatisticsCommand,
): Promise<FoundStatistics> {
  const { unitOfWork, clock, live, settings, records } = core;
  const span = statisticsSpan(command, clock.now());
  const { strategy, mayTrade } = await unitOfWork.read(async (stores) => {
    const found = await visibleStrategy(stores, caller, command.strategyId);
    return { strategy: found, mayTrade: await isFollower(stores, caller, found) };
  });
  const basis = basisOfKind(kindNow(strategy));
  const benchmark =
    command.benchmark === undefined
      ? null
      : await benchmarkOf(core, live.stocks.resolve(command.benchmark).id, span.to);
  const { request, riskFree, closedDays } = await statisticsRequest(core, strategy, span, command);
  const figures = await records.figures(core, strategy);
  const { roundTrips, ...statistics } = await finished(
    statisticsInSteps(figures, { ...request, ...(benchmark && { benchmark }) }),
    core.pause,
  );
  return {
    ...{ strategy, mayTrade, benchmark },
    view: {
      strategyId: strategy.id,
      basis,
      disclosure: disclosureOf(basis, settings.disclosure),
      segmentSince: currentSegment(strategy)?.startedAt ?? null,
      daysPerYear: request.daysPerYear,
      closedDays,
      riskFree,
      benchmark: benchmark?.stockId ?? null,
      ...statistics,
      series: strategySeries(figures, request),
      roundTrips: {
        ...roundTrips,
        byStock: mayTrade
          ? roundTrips.byStock.map((trips) => ({
              ...trips,
              symbol: live.stocks.find(trips.stockId)?.symbol ?? null,
            }))
          : null,
      },
    },
  };
}

/** The statistics of the strategy's present segment (contract 9). */
export const getStrategyStatistics =
  (core: Core) =>
  async (caller: Caller, command: StatisticsCommand): Promise<StatisticsView> => {
    const { view } = await statisticsOf(core, caller, command);
    return command.format === 'csv' ? view : { ...view, series: null };
  };
