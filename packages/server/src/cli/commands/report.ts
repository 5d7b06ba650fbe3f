import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exchangeHours } from '@slipstream/adapter-market';
import { sessionOn } from '@slipstream/application';
import {
  type Benchmark,
  DAY,
  type Decimal,
  Refusal,
  type Security,
  type TrackEntry,
  ZERO,
  decimal,
  id,
  isoDay,
  verifyTrack,
} from '@slipstream/domain';
import {
  type RecordToReport,
  type ReportContent,
  type ReportRequest,
  contentOfRecord,
} from '@slipstream/report';
import type { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { PAGE, reportFiles } from '../../reports/report-files.js';
import { type Environment, type Remote, remote } from '../remote.js';
import { type TrackFile, downloadTrack, entriesOf, readTrackFile } from '../track-file.js';

interface Options {
  readonly strategy?: string;
  readonly record?: string;
  readonly out: string;
  readonly from?: string;
  readonly to?: string;
  readonly riskFree: Decimal;
  readonly minN: number;
  readonly hours?: 'exchange' | 'always';
  readonly type?: Security;
  readonly benchmark?: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MIN_RETURNS = 30;
const [LEAST_N, MOST_N] = [2, 1000];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function dateOf(text: string): string {
  if (DATE.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new Refusal('invalid_field', `${text} is not a date (YYYY-MM-DD)`);
}

function returnsOf(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= LEAST_N && value <= MOST_N) return value;
  throw new Refusal('invalid_field', `--min-n must be a whole number from ${LEAST_N} to ${MOST_N}`);
}

function fractionOf(text: string): Decimal {
  if (/^-?\d+(\.\d+)?$/.test(text)) return decimal(text);
  throw new Refusal('invalid_field', `${text} is not a fraction, for example 0.02`);
}

const oneOf =
  <Value extends string>(...values: readonly Value[]) =>
  (text: string): Value => {
    const found = values.find((value) => value === text);
    if (found !== undefined) return found;
    throw new Refusal('invalid_field', `${text} must be one of ${values.join(', ')}`);
  };

/** The closes of a CSV file with the columns `date` and `close`. */
async function readBenchmark(file: string): Promise<Benchmark> {
  const rows = parse<Record<string, string>>(await readFile(file, 'utf8'), {
    bom: true,
    trim: true,
    skip_empty_lines: true,
    columns: (names: string[]) => names.map((name) => name.toLowerCase()),
  });
  const closes = new Map<string, number>();
  for (const [index, { date = '', close = '' }] of rows.entries()) {
    const price = Number(close);
    if (!DATE.test(date) || close === '' || !(price > 0))
      throw new Refusal(
        'invalid_field',
        `${file}, row ${index + 1}: a date (YYYY-MM-DD) and a close above zero are required`,
      );
    closes.set(date, price);
  }
  return { stockId: id<'stock'>(file), closes };
}

/** The days that count: those with a regular session for stocks, all days for coins and with `always` (contract 9). */
function dayRule(
  type: Security,
  hours: Options['hours'],
): Pick<ReportRequest, 'daysPerYear' | 'isTradingDay'> {
  if (type === 'cryptocurrency' || hours === 'always')
    return { daysPerYear: 365, isTradingDay: () => true };
  const calendar = exchangeHours();
  const stock = { id: id<'stock'>('any'), symbol: '', security: type, exchange: 'NYSE' } as const;
  const instrument = { ...stock, slippage: ZERO, fee: ZERO, status: 'active' as const };
  return {
    daysPerYear: 252,
    isTradingDay: (date) => sessionOn(calendar, instrument, date) !== null,
  };
}

/** The content of a report of a downloaded record, which is checked first. */
async function contentOf(
  file: TrackFile,
  entries: readonly TrackEntry[],
  options: Options,
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
  // A live strategy goes on after its last closed day; a file ends there.
  const to = options.to ?? (options.record === undefined ? isoDay(at - DAY) : undefined);
  const benchmark =
    options.benchmark === undefined ? undefined : await readBenchmark(options.benchmark);
  const record: RecordToReport = {
    strategyId: file.strategy_id,
    name: file.strategy?.name ?? file.strategy_id,
    createdAt: file.strategy && Date.parse(file.strategy.created_at),
    entries,
    at,
    stockName: (stockId) => file.stocks?.[stockId] ?? stockId,
  };
  return contentOfRecord(record, {
    ...dayRule(
      type,
      options.hours ?? (file.strategy?.days_per_year === 365 ? 'always' : 'exchange'),
    ),
    ...{ riskFree, minN },
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(benchmark && { benchmark }),
  });
}

async function trackOf({ client }: Remote, { strategy, record }: Options): Promise<TrackFile> {
  if ((strategy === undefined) === (record === undefined))
    throw new Refusal('invalid_field', 'give either --strategy or --record');
  if (record !== undefined) return await readTrackFile(record);
  return await downloadTrack(client, strategy ?? '', (entries) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${entries} entries`);
  });
}

/** `report` writes what a strategy's record proves as one HTML file, with its figures and tables beside it. */
export function reports(program: Command, environment: Environment): void {
  const command = program
    .command('report')
    .description(
      'write a report of a strategy: report.html, statistics.json, trades.csv, equity.csv',
    )
    .option('--strategy <id>', 'a strategy of the server')
    .option('--record <file>', 'a record that "track" downloaded; no server is asked')
    .requiredOption('--out <folder>', 'where the files are written')
    .option('--from <date>', "the first day (UTC); the segment's first without it", dateOf)
    .option(
      '--to <date>',
      'the last day (UTC); the last one that the record closes without it',
      dateOf,
    )
    .option('--benchmark <file>', 'a CSV of daily closes with the columns date and close')
    .option('--risk-free <fraction>', 'the yearly risk-free return', fractionOf, ZERO)
    .option('--min-n <n>', 'the fewest returns of a return ratio', returnsOf, MIN_RETURNS)
    .option(
      '--hours <days>',
      'exchange: only days with a regular session count, for stocks; always: all days; the record says it without it',
      oneOf('exchange', 'always'),
    )
    .option(
      '--type <type>',
      'stock or cryptocurrency, for a record that does not say it',
      oneOf<Security>('stock', 'cryptocurrency'),
    );
  remote(command, environment, async (connection) => {
    const options = command.opts<Options>();
    const file = await trackOf(connection, options);
    const entries = entriesOf(file);
    const content = await contentOf(file, entries, options, Date.now());
    const symbolOf = (stockId: string): string => file.stocks?.[stockId]?.split(':')[0] ?? stockId;
    await mkdir(options.out, { recursive: true });
    const names: string[] = [];
    for (const [name, text] of Object.entries(reportFiles(content, entries, symbolOf))) {
      await writeFile(join(options.out, name), text);
      names.push(join(options.out, name));
    }
    const { from, to, totalReturn } = content.statistics;
    connection.showText(
      { files: names, from, to, total_return: totalReturn.value },
      [
        `Written for ${from ?? 'no day'} to ${to}:`,
        ...names.map((name) => `  ${name}`),
        `Open ${join(options.out, PAGE)} in a browser.`,
      ].join('\n'),
    );
  });
}
