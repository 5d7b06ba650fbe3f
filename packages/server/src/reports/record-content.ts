import { createHash } from 'node:crypto';
import { exchangeHours } from '@slipstream/adapter-market';
import { sessionOn } from '@slipstream/application';
import {
  type Benchmark,
  DAY,
  type Decimal,
  Refusal,
  type ReportContent,
  type Security,
  type TrackEntry,
  id,
  isoDay,
  verifyTrack,
} from '@slipstream/domain';
import { type RecordToReport, type ReportRequest, contentOfRecord } from '@slipstream/report';
import type { TrackFile } from '../cli/track-file.js';
import { anyInstrument } from '../any-instrument.js';
import { isDay } from '../replay/data/times.js';
import { csvRows } from './csv-rows.js';
import { textOf } from '../settings/text-of.js';

/** What the figures of a record are to be. */
export interface RecordChoices {
  /** Whether the record ends with the file, and not with yesterday. */
  readonly record?: string;
  readonly from?: string;
  readonly to?: string;
  readonly riskFree: Decimal;
  readonly minN: number;
  readonly hours?: 'exchange' | 'always';
  /** Days on which the exchanges were closed against their rules; those of the file without it. */
  readonly closedDays?: readonly string[];
  readonly type?: Security;
  /** A file of closes. */
  readonly benchmark?: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The closes of a CSV file with the columns `date` and `close`. */
async function readBenchmark(file: string): Promise<Benchmark> {
  const rows = csvRows<'date' | 'close'>(file, await textOf(file), (names) =>
    names.map((name) => name.toLowerCase()),
  );
  const closes = new Map<string, number>();
  for (const { line, cells } of rows) {
    const { date = '', close = '' } = cells;
    const price = Number(close);
    if (!isDay(date) || close === '' || !(price > 0))
      throw new Refusal(
        'invalid_field',
        `${file}, line ${line}: a date (YYYY-MM-DD) and a close above zero are required`,
      );
    closes.set(date, price);
  }
  if (closes.size === 0) throw new Refusal('invalid_field', `${file} has no closes`);
  return { stockId: id<'stock'>(file), closes };
}

/** The days that count: those with a regular session for stocks, all days for coins and with `always` (contract 9). */
function dayRule(
  type: Security,
  hours: RecordChoices['hours'],
  closedDays: readonly string[],
): Pick<ReportRequest, 'daysPerYear' | 'isTradingDay' | 'closedDays'> {
  if (type === 'cryptocurrency' || hours === 'always')
    return { daysPerYear: 365, isTradingDay: () => true };
  const calendar = exchangeHours();
  return {
    daysPerYear: 252,
    isTradingDay: (date) =>
      !closedDays.includes(date) && sessionOn(calendar, anyInstrument(type), date) !== null,
    closedDays,
  };
}

/** The symbols of the stocks that a record names. */
export const symbolsIn =
  ({ stocks }: Pick<TrackFile, 'stocks'>) =>
  (stockId: string): string =>
    stocks?.[stockId]?.split(':')[0] ?? stockId;

/** The content of a report of a downloaded record, which is checked first. */
export async function contentOf(
  file: TrackFile,
  entries: readonly TrackEntry[],
  options: RecordChoices,
  at: number,
): Promise<ReportContent> {
  const verdict = verifyTrack(entries, sha256);
  if (!verdict.intact)
    throw new Refusal(
      'invalid_field',
      `the record is not intact at entry ${verdict.seq}: ${verdict.reason}`,
    );
  const type = options.type ?? file.strategy?.type;
  if (!type)
    throw new Refusal(
      'invalid_field',
      'the file does not say what the strategy trades: give --type stock or cryptocurrency',
    );
  const { from, riskFree, minN } = options;
  // A live strategy goes on after its last closed day; a file ends there, and a replay where it says so.
  const to = options.to ?? (options.record === undefined ? isoDay(at - DAY) : file.to);
  const benchmark =
    options.benchmark === undefined ? undefined : await readBenchmark(options.benchmark);
  const record: RecordToReport = {
    strategyId: file.strategy_id,
    name: file.strategy?.name ?? file.strategy_id,
    createdAt: file.strategy && Date.parse(file.strategy.created_at),
    entries,
    at,
    stockName: (stockId) => file.stocks?.[stockId] ?? stockId,
    symbolOf: symbolsIn(file),
  };
  return contentOfRecord(record, {
    ...dayRule(
      type,
      options.hours ?? (file.strategy?.days_per_year === 365 ? 'always' : 'exchange'),
      options.closedDays ?? file.strategy?.closed_days ?? [],
    ),
    ...{ riskFree, minN },
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(benchmark && { benchmark }),
  });
}
