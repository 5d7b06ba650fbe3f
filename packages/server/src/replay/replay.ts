import { basename, join } from 'node:path';
import { alwaysOpen, exchangeHours } from '@slipstream/adapter-market';
import {
  type DeflatedSharpe,
  type StatisticsView,
  type Timestamp,
  type TrackEntry,
  FIGURE_GAPS,
  Refusal,
  basisOfKind,
  decimalText,
  isoDay,
  segmentKind,
} from '@slipstream/domain';
import { BarStore } from './data/bar-store.js';
import { Periods } from './data/periods.js';
import { type FileSummary, type MarketData, readData } from './data/read-data.js';
import { neededSymbols, readOrders } from './inputs/orders.js';
import type { ReplayOptions, ReplayProgress, ReplayResult } from './options.js';
import { FILES, finish, openFolder } from './run/folder.js';
import { Instruments, tradedOf } from './run/instruments.js';
import { notesOf } from './run/notes.js';
import { type Prepared, play } from './run/play.js';
import { headOf, writeReport } from './run/report.js';
import { Outputs, watchBook, writeRecord, writeStatistics } from './run/results.js';
import { openService } from './run/service.js';
import { countTrial, readTrials } from './run/trials.js';

/** The fewest returns of a return ratio. */
const MIN_RETURNS = 30;

const startOf = ({ from }: ReplayOptions, { firstAt, lastAt }: MarketData): Timestamp => {
  const start = Math.max(firstAt, from === undefined ? firstAt : Date.parse(`${from}T00:00:00Z`));
  if (start >= lastAt)
    throw new Refusal('invalid_field', `--from ${from ?? ''}: the data ends on ${isoDay(lastAt)}`);
  return start;
};

/** Plays years of recorded bars to the unchanged application on a virtual clock (contract 12). */
export async function replay(
  options: ReplayOptions,
  progress: ReplayProgress,
): Promise<ReplayResult> {
  const { out, type, data: files, factors, to, prices = 'as_given', interval: length } = options;
  const hours = options.hours === 'always' ? alwaysOpen() : exchangeHours();
  const periods = new Periods(hours, type, { zone: options.timeZone, barTime: options.barTime });
  const orders = await readOrders(options.orders, periods);
  const all = new Instruments(type);
  if (options.trials !== undefined) await readTrials(options.trials);
  const { wasUnfinished, release } = openFolder(out, options.force === true);
  if (wasUnfinished) progress.said(`The last replay in ${out} did not end; it starts again.`);
  const outputs = new Outputs(out);
  const store = new BarStore(join(out, FILES.bars));
  try {
    const symbols = neededSymbols(orders, all, options);
    const symbolOf = (name: string): string => all.symbolOf(name);
    const read = { files, factors, type, symbols, symbolOf, to, prices, length };
    const data = await readData(read, periods, {
      store,
      drop: outputs.drop,
      progressed: (bars) => {
        options.signal?.throwIfAborted();
        progress.reading(bars);
      },
    });
    for (const summary of data.summaries) progress.said(summaryText(summary));
    const result = await playAll({ options, orders, data, all, periods, outputs, hours }, progress);
    finish(out);
    return result;
  } finally {
    store.close();
    outputs.close();
    release();
  }
}

async function playAll(prepared: Prepared, progress: ReplayProgress): Promise<ReplayResult> {
  const { options, data, all, outputs, hours } = prepared;
  const { type, out, fee, slippage, minN, benchmark } = options;
  const traded = tradedOf(all, data.symbols, { fee, slippage });
  const beside = benchmark === undefined ? undefined : traded.resolve(benchmark, '--benchmark');
  const startAt = startOf(options, data);
  const faults: string[] = [];
  const service = await openService(
    { folder: out, database: FILES.unfinished, stocks: traded.stocks, hours, type, startAt },
    (fault) => faults.push(fault),
  );
  try {
    watchBook(service, outputs);
    const requireNoFault = (): void => {
      if (faults[0] !== undefined) throw new Error(`the service failed: ${faults[0]}`);
    };
    const ready = { ...prepared, service, traded, startAt, requireNoFault };
    const lastBars = await play(ready, progress);
    requireNoFault();
    const statistics = await writeStatistics(service, outputs, { minN, benchmark: beside?.id });
    const head = await headOf(service, options.orders.file, statistics);
    const entries = await writeRecord(service, out, head);
    const waiting = (service.live.book(service.strategyId)?.openOrders ?? []).map(
      ({ stockId }) => head.stocks?.[stockId] ?? stockId,
    );
    const notes = notesOf(
      options.prices ?? 'as_given',
      data,
      lastBars,
      { dropped: outputs.counts.dropped, absurd: outputs.absurd },
      waiting,
    );
    const { refusals: refused } = outputs;
    const deflatedSharpe = await trialOf(options, statistics, entries);
    await writeReport(service, {
      ...{ folder: out, head, statistics, entries, refused, notes, deflatedSharpe },
    });
    const { live, strategyId, clock } = service;
    const value = live.valueOf(strategyId, clock.now());
    const result = {
      bars: data.store.size,
      ...outputs.counts,
      value: value && decimalText(value),
    };
    outputs.json(FILES.run, {
      strategy_id: strategyId,
      basis: basisOfKind(segmentKind('replay')),
      from: new Date(startAt).toISOString(),
      to: new Date(data.lastAt).toISOString(),
      ...result,
      ...(deflatedSharpe && { deflated_sharpe: presentDeflated(deflatedSharpe) }),
      notes,
      files: data.summaries,
    });
    return result;
  } finally {
    await service.close();
  }
}

/** Counts the replay among the trials of its search, if it belongs to one. */
async function trialOf(
  { trials, orders, minN = MIN_RETURNS }: ReplayOptions,
  statistics: StatisticsView,
  entries: readonly TrackEntry[],
): Promise<DeflatedSharpe | undefined> {
  if (trials === undefined) return undefined;
  const record = entries.at(-1)?.hash ?? null;
  return countTrial({ file: trials, record, orders: basename(orders.file), statistics, minN });
}

const presentDeflated = ({ value, trials, n, from, to, gap }: DeflatedSharpe) => ({
  ...{ value, trials, n, from, to, reason: gap && FIGURE_GAPS[gap] },
});

const summaryText = ({ file, format, interval, bars, dropped }: FileSummary): string =>
  `${file}: ${format}, bars of ${interval ?? 'a day'}, ${bars} used, ${dropped} dropped`;
