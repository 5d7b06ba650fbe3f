import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { alwaysOpen, exchangeHours } from '@slipstream/adapter-market';
import {
  type Decimal,
  type DeflatedSharpe,
  type Security,
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
import type { TradingHours } from '@slipstream/ports';
import { BarStore } from './data/bar-store.js';
import type { PriceChoice } from './data/rows.js';
import { Periods } from './data/periods.js';
import { type DataFile, type FileSummary, type MarketData, readData } from './data/read-data.js';
import type { BarTime } from './data/times.js';
import { type LoggedAlert, alertCommands, namesInAlerts, readAlerts } from './inputs/alerts.js';
import {
  type AllocationSet,
  allocationCommands,
  namesIn,
  readAllocations,
} from './inputs/allocations.js';
import { type ReplayModule, ModuleRunner, readModule } from './inputs/module.js';
import { StockQuotes, sidesOf } from './run/bar-quotes.js';
import { FILES, finish, openFolder } from './run/folder.js';
import { Instruments, type Traded, tradedOf } from './run/instruments.js';
import { distinct, groups, moments } from './run/moments.js';
import { notesOf } from './run/notes.js';
import { headOf, writeReport } from './run/report.js';
import { Outputs, watchBook, writeRecord, writeStatistics } from './run/results.js';
import { type Command, type TimedAction, Player } from './run/player.js';
import { type ReplayedService, openService } from './run/service.js';
import { countTrial, readTrials } from './run/trials.js';

/** The fewest returns of a return ratio. */
const MIN_RETURNS = 30;

/** The user's wishes. */
export interface ReplayOptions {
  readonly data: readonly DataFile[];
  readonly factors?: string | undefined;
  /** What trades: target allocations (.csv), an alert log or a module. */
  readonly orders: { readonly kind: 'allocations' | 'alerts' | 'module'; readonly file: string };
  readonly out: string;
  readonly force?: boolean;
  readonly type: Security;
  readonly hours: 'exchange' | 'always';
  readonly prices?: PriceChoice;
  readonly symbols?: readonly string[] | undefined;
  readonly timeZone?: string | undefined;
  readonly barTime?: BarTime | undefined;
  /** The length of bars in milliseconds. */
  readonly interval?: number | undefined;
  /** Fractions; undefined for those of each instrument. */
  readonly fee?: Decimal | undefined;
  readonly slippage?: Decimal | undefined;
  /** Undefined: the slippage. */
  readonly spread?: Decimal | undefined;
  /** `YYYY-MM-DD`, both included; bars before `from` only become history. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly minN?: number | undefined;
  /** A file that counts the replays of one search; the deflated Sharpe ratio is of all of them. */
  readonly trials?: string | undefined;
  /** Ends the replay with its reason, between two bars. */
  readonly signal?: AbortSignal | undefined;
  /** A stock of the data beside which the statistics are computed. */
  readonly benchmark?: string | undefined;
}

/** How a replay goes on. `total` bars are known when they are read. */
export interface ReplayProgress {
  reading(bars: number): void;
  playing(bars: number, total: number, at: Timestamp): void;
  said(line: string): void;
}

export interface ReplayResult {
  readonly bars: number;
  readonly dropped: number;
  readonly trades: number;
  readonly refused: number;
  readonly value: string | null;
}

type Orders =
  | { readonly kind: 'allocations'; readonly sets: readonly AllocationSet[] }
  | { readonly kind: 'alerts'; readonly alerts: readonly LoggedAlert[] }
  | { readonly kind: 'module'; readonly module: ReplayModule };

async function readOrders(
  { kind, file }: ReplayOptions['orders'],
  periods: Periods,
): Promise<Orders> {
  switch (kind) {
    case 'allocations':
      return { kind, sets: await readAllocations(file, periods) };
    case 'alerts':
      return { kind, alerts: await readAlerts(file, periods) };
    case 'module':
      return { kind, module: await readModule(file) };
  }
}

/** The instruments that matter: a file of orders names them, a module may want all. */
function neededSymbols(
  orders: Orders,
  all: Instruments,
  { symbols: given, benchmark }: Pick<ReplayOptions, 'symbols' | 'benchmark'>,
): ReadonlySet<string> | undefined {
  const named =
    orders.kind === 'allocations'
      ? namesIn(orders.sets)
      : orders.kind === 'alerts'
        ? namesInAlerts(orders.alerts)
        : undefined;
  const names = given ?? named;
  const needed = benchmark === undefined ? names : names?.concat(benchmark);
  return needed && new Set(needed.map((name) => all.symbolOf(name)));
}

function commandsOf(
  orders: Orders,
  file: string,
  traded: Traded,
  service: ReplayedService,
): Command[] {
  if (orders.kind === 'allocations') return allocationCommands(file, orders.sets, traded, service);
  return orders.kind === 'alerts' ? alertCommands(file, orders.alerts, traded, service) : [];
}

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
  if (options.trials !== undefined) readTrials(options.trials);
  const { wasUnfinished, release } = openFolder(out, options.force === true);
  if (wasUnfinished) progress.said(`The last replay in ${out} did not end; it starts again.`);
  const outputs = new Outputs(out);
  const store = new BarStore(join(out, FILES.bars));
  try {
    const symbols = neededSymbols(orders, all, options);
    const data = await readData({ files, factors, type, symbols, to, prices, length }, periods, {
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

/** Everything that is read before the first bar is played. */
interface Prepared {
  readonly options: ReplayOptions;
  readonly orders: Orders;
  readonly data: MarketData;
  readonly all: Instruments;
  readonly periods: Periods;
  readonly outputs: Outputs;
  readonly hours: TradingHours;
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
    const lastBars = await play(
      { ...prepared, requireNoFault },
      service,
      traded,
      startAt,
      progress,
    );
    requireNoFault();
    const statistics = await writeStatistics(service, outputs, { minN, benchmark: beside?.id });
    const head = await headOf(service, options.orders.file, statistics);
    const entries = await writeRecord(service, out, head);
    const notes = notesOf(options.prices ?? 'as_given', data, lastBars, {
      dropped: outputs.counts.dropped,
      absurd: outputs.absurd,
    });
    const { refusals: refused } = outputs;
    const deflatedSharpe = trialOf(options, statistics, entries);
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

/** Signals and timers get a turn of the event loop this often, in milliseconds: a commit does not always give one. */
const TURN_EVERY = 50;

function turnsOfTheLoop(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < TURN_EVERY) return;
    await setImmediate();
    last = performance.now();
  };
}

/** Counts the replay among the trials of its search, if it belongs to one. */
function trialOf(
  { trials, orders, minN = MIN_RETURNS }: ReplayOptions,
  statistics: StatisticsView,
  entries: readonly TrackEntry[],
): DeflatedSharpe | undefined {
  if (trials === undefined) return undefined;
  const record = entries.at(-1)?.hash ?? null;
  return countTrial({ file: trials, record, orders: basename(orders.file), statistics, minN });
}

const presentDeflated = ({ value, trials, n, from, to, gap }: DeflatedSharpe) => ({
  ...{ value, trials, n, from, to, reason: gap && FIGURE_GAPS[gap] },
});

/** Plays every bar and order. Returns the end of each instrument's last bar. */
async function play(
  {
    options,
    orders,
    data,
    periods,
    outputs,
    hours,
    requireNoFault,
  }: Prepared & { requireNoFault(this: void): void },
  service: ReplayedService,
  traded: Traded,
  startAt: Timestamp,
  progress: ReplayProgress,
): Promise<readonly Timestamp[]> {
  const lastBars: Timestamp[] = [];
  const runner =
    orders.kind === 'module'
      ? new ModuleRunner(orders.module, data.symbols, service, outputs)
      : undefined;
  const fileOf = (file: number): string => options.data[file]?.path ?? '?';
  const turn = turnsOfTheLoop();
  const isInTime = ({ at, place }: Command): boolean => {
    const isEarly = options.from !== undefined && at < startAt;
    if (isEarly) outputs.refused(at, place, 'it is before --from');
    return !isEarly;
  };
  const player = new Player(
    service,
    {
      moments: moments(groups(distinct(data.store.sorted(), fileOf, outputs.drop))),
      commands: commandsOf(orders, options.orders.file, traded, service).filter(isInTime),
      actions: actionsOf(data, traded, periods),
      startAt,
      hours,
      stockIds: traded.stocks.map(({ id }) => id),
      quotes: traded.stocks.map(
        ({ id, slippage }) => new StockQuotes(id, sidesOf(options.spread ?? slippage)),
      ),
    },
    {
      dayEnded: outputs.valued,
      refused: outputs.refused,
      closed: async (at, bars, isWarmUp) => {
        requireNoFault();
        for (const bar of bars) lastBars[bar.symbol] = bar.endsAt;
        await runner?.closed(at, bars, isWarmUp);
      },
      progressed: async (bars, at) => {
        progress.playing(bars, data.store.size, at);
        await turn();
        options.signal?.throwIfAborted();
      },
    },
  );
  await player.play();
  return lastBars;
}

const summaryText = ({ file, format, interval, bars, dropped }: FileSummary): string =>
  `${file}: ${format}, bars of ${interval ?? 'a day'}, ${bars} used, ${dropped} dropped`;

const actionsOf = (
  { actions, symbols }: MarketData,
  { stocks }: Traded,
  periods: Periods,
): TimedAction[] =>
  actions
    .map((action): TimedAction => {
      const symbol = symbols.indexOf(action.symbol);
      const stock = stocks[symbol];
      if (!stock) throw new Error(`${action.symbol} is no stock of the data`);
      return { at: periods.bookedAt(action.exDate), symbol, stockId: stock.id, action };
    })
    // As live (contract 11): a dividend of the day of a split is paid on the old shares, in whatever order files give them.
    .sort(
      (one, other) =>
        one.at - other.at ||
        Number(one.action.kind === 'split') - Number(other.action.kind === 'split'),
    );
