import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Security, type Stock, MINUTE } from '@slipstream/domain';
import { newYorkOffset } from '../hours/exchange-hours.js';
import { type RecordedColumns, type RecordedSeries, recordedSeries } from './recorded-series.js';
import { type RecordedRow, rowReader } from './recording.js';
import { type DayHours, usMarketHours } from '../hours/us-market-days.js';

const MINUTES_A_DAY = 24 * 60;

/** The number of lines of a file by their use. */
export interface FileReport {
  readonly file: string;
  rows: number;
  used: number;
  /** Broken, without a price or with an impossible one. */
  unusable: number;
  /** Of stocks outside the regular session, when spreads are wide. */
  outsideHours: number;
  /** Of instruments that do not trade here. */
  unknown: number;
}

/** The recording of the instruments that share a symbol. */
export interface Recorded {
  readonly stocks: readonly Stock[];
  readonly series: RecordedSeries;
}

interface Growing {
  readonly symbol: string;
  readonly stocks: readonly Stock[];
  readonly columns: RecordedColumns;
}

interface DayTimes {
  readonly hours: DayHours | undefined;
  /** Minutes that New York is behind UTC. */
  readonly offset: number;
}

/** A file cannot be read or is not a recording; the message names it. */
class UnusableRecording extends Error {
  override readonly name = 'UnusableRecording';
}

async function textOf(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    return (isZipped ? await promisify(gunzip)(bytes) : bytes).toString('utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnusableRecording(`${file} cannot be read (${code ?? message})`, { cause: error });
  }
}

async function linesOf(file: string): Promise<string[]> {
  const text = await textOf(file);
  return text.split(/\r?\n/).filter((line) => line !== '');
}

/** The instruments with that symbol, or else those of that coin. */
function matching(
  stocks: readonly Stock[],
  symbol: string,
  security: Security | undefined,
): readonly Stock[] {
  const traded = stocks.filter((stock) => !security || stock.security === security);
  const exact = traded.filter((stock) => stock.symbol.toUpperCase() === symbol);
  return exact.length > 0 ? exact : traded.filter((stock) => stock.stock.toUpperCase() === symbol);
}

/** The symbol in the name of a file with one instrument: `lean_btcusd_daily.csv.gz`. */
function symbolInName(file: string, stocks: readonly Stock[]): string | undefined {
  const known = new Set(stocks.map((stock) => stock.symbol.toUpperCase()));
  return basename(file)
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .find((word) => known.has(word));
}

function memoized<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

const dayTimes = (day: number): DayTimes => ({
  hours: usMarketHours(day),
  offset: newYorkOffset(day) / MINUTE,
});

/** The minute of a row since 1970, or undefined outside the regular session. A day's bar counts at its end. */
function momentOf(
  { day, minute }: RecordedRow,
  security: Security,
  timesOf: (day: number) => DayTimes,
): number | undefined {
  if (security === 'cryptocurrency') return day * MINUTES_A_DAY + (minute ?? MINUTES_A_DAY - 1);
  const { hours, offset } = timesOf(day);
  if (!hours) return undefined;
  const local = minute ?? hours.closes - 1;
  const isOpen = hours.opens <= local && local < hours.closes;
  return isOpen ? day * MINUTES_A_DAY + local + offset : undefined;
}

/** Reads recordings of `stocks` (.csv, also gzipped). Throws `UnusableRecording` if a file cannot be read or is not a recording. */
export async function readRecordings(
  files: readonly string[],
  stocks: readonly Stock[],
): Promise<{ readonly recorded: readonly Recorded[]; readonly reports: readonly FileReport[] }> {
  const growing = new Map<string, Growing>();
  const timesOf = memoized(dayTimes);
  const growingOf = memoized((key: string): Growing | null => {
    const [symbol = '', security] = key.split(' ');
    const meant = matching(stocks, symbol, security as Security | undefined);
    const [first] = meant;
    if (!first) return null;
    const columns = { moments: [], bids: [], asks: [], closes: [] };
    const known = growing.get(first.id) ?? { symbol, stocks: meant, columns };
    growing.set(first.id, known);
    return known;
  });

  const take = (row: RecordedRow, symbol: string, report: FileReport): void => {
    const found = growingOf(row.security ? `${symbol} ${row.security}` : symbol);
    const security = found?.stocks[0]?.security;
    const moment = security && momentOf(row, security, timesOf);
    if (!found) report.unknown += 1;
    else if (moment === undefined) report.outsideHours += 1;
    else {
      report.used += 1;
      found.columns.moments.push(moment);
      found.columns.bids.push(row.bid);
      found.columns.asks.push(row.ask);
      found.columns.closes.push(row.close);
    }
  };

  const reports: FileReport[] = [];
  for (const file of files) {
    const [header = '', ...lines] = await linesOf(file);
    const read = rowReader(header);
    if (!read)
      throw new UnusableRecording(
        `${file} is no recording: its columns are "${header.slice(0, 200)}"`,
      );
    const named = symbolInName(file, stocks);
    const report = { file, rows: lines.length, used: 0, unusable: 0, outsideHours: 0, unknown: 0 };
    for (const line of lines) {
      const row = read(line);
      const symbol = row?.symbol ?? named;
      if (!row) report.unusable += 1;
      else if (symbol === undefined) report.unknown += 1;
      else take(row, symbol, report);
    }
    reports.push(report);
  }
  const recorded = [...growing.values()].map(({ symbol, columns, stocks: of }) => ({
    stocks: of,
    series: recordedSeries(symbol, columns),
  }));
  return { recorded: recorded.filter(({ series }) => series.moments.length > 0), reports };
}
