import { type Security, type Timestamp, Refusal, isoDay } from '@slipstream/domain';
import type { BarStore } from './bar-store.js';
import type { DataAction, Dropped } from './bar.js';
import { barLength } from './bar-length.js';
import { distinctActions } from './distinct-actions.js';
import type { PriceChoice, SaidRow, Wanted } from './rows.js';
import { readFactors } from './factors.js';
import { type FoundFormat, type NumberedRow, rowsOf } from './file-rows.js';
import type { Periods } from './periods.js';
import { lengthText } from './times.js';

/** A file of prices; the symbol is for files without one. */
export interface DataFile {
  readonly path: string;
  readonly symbol?: string | undefined;
}

export interface DataOptions {
  readonly files: readonly DataFile[];
  readonly factors: string | undefined;
  readonly type: Security;
  /** Only these; undefined for all, by the names that the data gives them. */
  readonly symbols: ReadonlySet<string> | undefined;
  /** The symbol that a name of the data means. */
  readonly symbolOf: (name: string) => string;
  /** Bars that start later are not read; `YYYY-MM-DD`, included. */
  readonly to: string | undefined;
  readonly prices: PriceChoice;
  /** The length of a bar, where the file does not show it. */
  readonly length: number | undefined;
}

/** The use that was made of a file. */
export interface FileSummary {
  readonly file: string;
  format: string;
  /** The length of its bars, as `1m`; null where each row is of a whole day. */
  interval: string | null;
  bars: number;
  actions: number;
  dropped: number;
  /** Of other instruments or another type, or after the end. */
  unneeded: number;
}

export interface MarketData {
  readonly store: BarStore;
  readonly symbols: readonly string[];
  readonly actions: readonly DataAction[];
  readonly summaries: readonly FileSummary[];
  readonly firstAt: Timestamp;
  readonly lastAt: Timestamp;
}

/** The receivers of what is read. */
export interface DataTargets {
  readonly store: BarStore;
  drop(this: void, dropped: Dropped): void;
  /** Called with the number of bars so far. */
  progressed(this: void, bars: number): void;
}

/** The rows from which the length of bars is seen. */
const SEEN = 2_000;

const isUnneeded = ({ said }: NumberedRow): boolean =>
  typeof said !== 'string' && said.kind === 'unneeded';

type BarRow = Extract<SaidRow, { kind: 'bar' }>;

/** A file while it is read. */
interface OpenFile {
  readonly index: number;
  readonly path: string;
  readonly symbol: string | undefined;
  readonly summary: FileSummary;
  length: number;
  barTime: FoundFormat['barTime'];
}

class DataReader {
  private readonly symbols = new Map<string, number>();
  /** By the data's name. */
  private readonly names = new Map<string, string>();
  private readonly actions: DataAction[] = [];
  private firstAt = Infinity;
  private lastAt = -Infinity;

  constructor(
    private readonly options: DataOptions,
    private readonly periods: Periods,
    private readonly targets: DataTargets,
  ) {}

  async read(): Promise<MarketData> {
    const { files, factors, to, prices } = this.options;
    const summaries: FileSummary[] = [];
    for (const [index, file] of files.entries()) summaries.push(await this.file(file, index));
    if (factors !== undefined)
      for (const action of await readFactors(factors, this.periods))
        this.actions.push({ ...action, symbol: this.nameOf(action.symbol) });
    const { store, drop } = this.targets;
    if (store.size === 0) throw new Refusal('invalid_field', this.nothingUsed(summaries));
    const { firstAt, lastAt, symbols } = this;
    const [first, last] = [isoDay(firstAt), to ?? isoDay(lastAt)];
    const needed = this.actions.filter(
      ({ symbol, exDate }) => symbols.has(symbol) && first <= exDate && exDate <= last,
    );
    const [action] = needed;
    if (action && prices === 'adjusted')
      throw new Refusal(
        'invalid_field',
        `${action.file}:${action.line}: adjusted prices have this ${action.kind} in them already, and it would count twice: leave it out, or --adjusted`,
      );
    const actions = distinctActions(needed, drop);
    return { store, symbols: [...symbols.keys()], actions, summaries, firstAt, lastAt };
  }

  /** Where the rows went, if none could be used. */
  private nothingUsed(summaries: readonly FileSummary[]): string {
    const all = (count: 'dropped' | 'unneeded'): number =>
      summaries.reduce((sum, { [count]: rows }) => sum + rows, 0);
    const { symbols } = this.options;
    return (
      `no row of the files can be used: ${all('dropped')} dropped (dropped.csv says why), ` +
      `${all('unneeded')} of other instruments or after the end` +
      (symbols ? `; needed are ${[...symbols].join(', ') || 'none'}` : '')
    );
  }

  private async file({ path, symbol }: DataFile, index: number): Promise<FileSummary> {
    const { prices, length: given } = this.options;
    const counts = { bars: 0, actions: 0, dropped: 0, unneeded: 0 };
    const summary: FileSummary = { file: path, format: '', interval: null, ...counts };
    const file: OpenFile = { index, path, symbol, summary, length: 0, barTime: undefined };
    const found = ({ name, barTime }: FoundFormat): void => {
      summary.format = name;
      file.barTime = barTime;
    };
    /** The first rows wait until the length of a bar is seen. */
    let waiting: NumberedRow[] | undefined = [];
    const begin = (rows: readonly NumberedRow[]): void => {
      waiting = undefined;
      const length = barLength(path, rows, this.periods, given);
      if (length !== undefined) {
        file.length = length;
        summary.interval = lengthText(length);
      }
      for (const row of rows) this.take(file, row);
    };
    for await (const rows of rowsOf(path, { choice: prices, wanted: this.wanted }, found)) {
      for (const row of rows) {
        // Rows that do not matter say nothing of the length.
        if (!waiting || isUnneeded(row)) this.take(file, row);
        else if (waiting.push(row) === SEEN) begin(waiting);
      }
    }
    if (waiting) begin(waiting);
    return summary;
  }

  /** Takes a row, or lists why it is not used. */
  private take(file: OpenFile, { line, said }: NumberedRow): void {
    const reason = typeof said === 'string' ? said : this.use(file, line, said);
    if (reason === undefined) return;
    file.summary.dropped += 1;
    this.targets.drop({ file: file.path, line, reason });
  }

  private use(file: OpenFile, line: number, said: SaidRow): string | undefined {
    const { path, summary } = file;
    if (said.kind === 'unneeded') return this.unneeded(summary);
    const named = said.symbol ?? file.symbol;
    if (named === undefined)
      throw new Refusal(
        'invalid_field',
        `${path}:${line}: the file names no symbol; say it with --data SYMBOL=${path}`,
      );
    if (named === '') return 'it has no symbol';
    const symbol = this.nameOf(named);
    if (!this.wanted(symbol, undefined)) return this.unneeded(summary);
    if (said.kind === 'bar') return this.bar(file, line, symbol, said);
    const { date: exDate, ...action } = said;
    this.actions.push({ ...action, symbol, exDate, file: path, line });
    summary.actions += 1;
    return undefined;
  }

  private readonly wanted: Wanted = (symbol, security) => {
    const { type, symbols } = this.options;
    const isNamed = symbols === undefined || symbols.has(this.nameOf(symbol));
    return isNamed && (security === undefined || security === type);
  };

  private nameOf(symbol: string): string {
    const { symbols, symbolOf } = this.options;
    if (!symbols) return symbol;
    const known = this.names.get(symbol) ?? symbolOf(symbol);
    this.names.set(symbol, known);
    return known;
  }

  private unneeded(summary: FileSummary): undefined {
    summary.unneeded += 1;
    return undefined;
  }

  private bar(
    { index, path, summary, length, barTime }: OpenFile,
    line: number,
    symbol: string,
    { time, prices, asks, endsAt }: BarRow,
  ): string | undefined {
    const period = this.periods.of(time, { length, endsAt, barTime }, `${path}:${line}`);
    if (typeof period === 'string') return period;
    const { to } = this.options;
    if (to !== undefined && isoDay(period.startsAt) > to) return this.unneeded(summary);
    const { store, progressed } = this.targets;
    store.add({ symbol: this.indexOf(symbol), ...period, file: index, line, prices, asks });
    this.firstAt = Math.min(this.firstAt, period.startsAt);
    this.lastAt = Math.max(this.lastAt, period.endsAt);
    summary.bars += 1;
    progressed(store.size);
    return undefined;
  }

  private indexOf(symbol: string): number {
    const known = this.symbols.get(symbol);
    if (known !== undefined) return known;
    this.symbols.set(symbol, this.symbols.size);
    return this.symbols.size - 1;
  }
}

/** Reads every file. Rows that cannot be used are dropped with a reason; what only the user can say is refused by file and line. */
export const readData = (
  options: DataOptions,
  periods: Periods,
  targets: DataTargets,
): Promise<MarketData> => new DataReader(options, periods, targets).read();
