import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type {
  DeflatedSharpe,
  RefusedRequest,
  StatisticsView,
  StockId,
  TrackEntry,
} from '@slipstream/domain';
import { csvText } from '@slipstream/wire';
import { reportHtml, segmentsOf, tradesOf } from '@slipstream/report';
import type { RecordHead } from '../../cli/track-file.js';
import { FILES } from './folder.js';
import type { ReplayedService } from './service.js';
import { writingSync } from '../../settings/writing.js';

/** The names of a replay, for its record and its report: the record alone then gives the same figures. */
export async function headOf(
  { application, caller, strategyId, live }: ReplayedService,
  orders: string,
  { daysPerYear, to }: Pick<StatisticsView, 'daysPerYear' | 'to'>,
): Promise<RecordHead> {
  const [found] = await application.operations.getStrategies(caller, { strategyIds: [strategyId] });
  if (!found) throw new Error('the replay has no strategy');
  const { type, createdAt } = found.strategy;
  return {
    strategy_id: strategyId,
    strategy: {
      name: `Replay of ${basename(orders)}`,
      type,
      created_at: new Date(createdAt).toISOString(),
      days_per_year: daysPerYear === 252 ? 252 : 365,
    },
    to,
    stocks: Object.fromEntries(
      live.stocks.all().map(({ id, symbol, exchange }) => [id, `${symbol}:${exchange}`]),
    ),
  };
}

/** Everything of a replay that its report shows. */
export interface ReplayToReport {
  readonly folder: string;
  readonly head: RecordHead;
  /** The answer of getStrategyStatistics, with its series. */
  readonly statistics: StatisticsView;
  readonly entries: readonly TrackEntry[];
  readonly refused: readonly RefusedRequest[];
  readonly notes: readonly string[];
  readonly deflatedSharpe: DeflatedSharpe | undefined;
}

/** Writes the page, and the closes of the benchmark beside it. Its figures are those of `statistics.json`, and its time is the last one of the replay. */
export async function writeReport(
  { clock, closesOf }: ReplayedService,
  { folder, head, statistics, entries, refused, notes, deflatedSharpe }: ReplayToReport,
): Promise<void> {
  const { strategy, stocks = {} } = head;
  const { series, maxDrawdown, benchmark, to } = statistics;
  const nameOf = (stockId: StockId): string => stocks[stockId] ?? stockId;
  const closes = benchmark && (await closesOf(benchmark, to));
  const write = (name: string, text: string): void =>
    writingSync(join(folder, name), () => writeFileSync(join(folder, name), text));
  if (closes) write(FILES.benchmark, csvText([['date', 'close'], ...closes]));
  const page = reportHtml({
    ...{ at: clock.now(), name: strategy?.name ?? head.strategy_id },
    ...{ statistics, series: series ?? [], refused, notes, deflatedSharpe },
    segments: segmentsOf(entries, strategy && Date.parse(strategy.created_at), maxDrawdown.value),
    trades: tradesOf(entries, nameOf),
    beside: 'files',
    benchmark: benchmark && closes && { name: nameOf(benchmark), closes },
    head: entries.at(-1)?.hash ?? null,
  });
  write(FILES.report, page);
}
