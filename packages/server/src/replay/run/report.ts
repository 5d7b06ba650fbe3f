import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RefusedRequest, StatisticsView, TrackEntry } from '@slipstream/domain';
import { reportHtml, segmentsOf, tradesOf } from '@slipstream/report';
import { FILES } from './folder.js';
import type { ReplayedService } from './service.js';

/** Everything of a replay that its report shows. */
export interface ReplayToReport {
  readonly folder: string;
  /** The file of what traded. */
  readonly orders: string;
  /** The answer of getStrategyStatistics, with its series. */
  readonly statistics: StatisticsView;
  readonly entries: readonly TrackEntry[];
  readonly refused: readonly RefusedRequest[];
  readonly notes: readonly string[];
}

/** Writes the page. Its figures are those of `statistics.json`, and its time is the last one of the replay. */
export async function writeReport(
  { application, caller, strategyId, live, clock }: ReplayedService,
  { folder, orders, statistics, entries, refused, notes }: ReplayToReport,
): Promise<void> {
  const [found] = await application.operations.getStrategies(caller, { strategyIds: [strategyId] });
  const createdAt = found?.strategy.createdAt;
  const { series, maxDrawdown } = statistics;
  const page = reportHtml({
    ...{ at: clock.now(), name: `Replay of ${basename(orders)}` },
    ...{ statistics, series: series ?? [], refused, notes },
    segments: segmentsOf(entries, createdAt, maxDrawdown.value),
    trades: tradesOf(entries, (stockId) => live.stocks.find(stockId)?.symbol ?? stockId),
    beside: 'files',
    benchmark: null,
    head: entries.at(-1)?.hash ?? null,
  });
  writeFileSync(join(folder, FILES.report), page);
}
