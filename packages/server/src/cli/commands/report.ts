import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RequestFailed } from '@slipstream/client';
import {
  type Decimal,
  Refusal,
  type ReportContent,
  type Security,
  ZERO,
  decimal,
} from '@slipstream/domain';
import type { Command } from 'commander';
import { type RecordChoices, contentOf, symbolsIn } from '../../reports/record-content.js';
import { PAGE, reportFiles } from '../../reports/report-files.js';
import { filesOfBot, filesOfService } from '../../reports/service-files.js';
import { isDate } from '../dates.js';
import { MIN_RETURNS, returnsOf } from '../fewest-returns.js';
import { type Environment, type Remote, remote } from '../remote.js';
import { type TrackFile, downloadTrack, entriesOf, readTrackFile } from '../track-file.js';

interface Options extends RecordChoices {
  readonly strategy?: string;
  readonly bot?: string;
  readonly out: string;
}

function dateOf(text: string): string {
  if (isDate(text)) return text;
  throw new Refusal('invalid_field', `${text} is not a date (YYYY-MM-DD)`);
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

const download = (client: Remote['client'], strategy: string): Promise<TrackFile> =>
  downloadTrack(client, strategy, {
    proof: false,
    counted: (entries) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${entries} entries`);
    },
  });

/** A file of a report with its name. */
type Files = Readonly<Record<string, string>>;

async function filesOfRecord(
  file: TrackFile,
  options: Options,
  claimed?: ReportContent['claimed'],
): Promise<Files> {
  const entries = entriesOf(file);
  const content = await contentOf(file, entries, options, Date.now());
  return reportFiles({ ...content, claimed }, entries, symbolsIn(file));
}

/** The imported history of the strategy; no record has it. */
async function claimsOf(
  client: Remote['client'],
  strategy_id: string,
): Promise<ReportContent['claimed']> {
  const [strategy] = await client.getStrategies({ strategy_id: [strategy_id] });
  if (!strategy?.claimed) return undefined;
  const points = await client.getStrategyHistory({ strategy_id, claimed: 'true' });
  return {
    importedAt: Date.parse(strategy.claimed.imported_at),
    points: points.map(({ at, strategy_value: value }) => ({ date: at.slice(0, 10), value })),
  };
}

const mayNotRead = (error: unknown): boolean =>
  error instanceof RequestFailed && ['unauthenticated', 'not_owner'].includes(error.code);

/** The terms that the service takes. */
const termsOf = ({ from, to, riskFree, minN }: Options) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...{ risk_free: riskFree.toFixed(), min_n: String(minN) },
});

/** A bot's report is computed by the service: its readings are nowhere else. */
function filesOfOwnBot({ client }: Remote, bot_id: string, options: Options): Promise<Files> {
  const { benchmark, hours, type } = options;
  if (benchmark !== undefined || hours !== undefined || type !== undefined)
    throw new Refusal(
      'invalid_field',
      '--benchmark, --hours and --type are for strategies: a bot is compared with its target',
    );
  return filesOfBot(client, { bot_id, ...termsOf(options) });
}

/** The record is for the owner and active subscribers; others get the report that the service draws. */
async function filesOfStrategy(
  { client }: Remote,
  strategy_id: string,
  options: Options,
): Promise<Files> {
  let file: TrackFile;
  try {
    file = await download(client, strategy_id);
  } catch (error) {
    if (!mayNotRead(error)) throw error;
    if (options.benchmark !== undefined || options.hours !== undefined)
      throw new Refusal(
        'not_owner',
        'only the owner and active subscribers may read the record, which --benchmark and --hours need',
      );
    return filesOfService(client, { strategy_id, ...termsOf(options) });
  }
  return filesOfRecord(file, options, await claimsOf(client, strategy_id));
}

async function filesOf(connection: Remote, options: Options): Promise<Files> {
  const { strategy, record, bot } = options;
  const given = [strategy, record, bot].filter((one) => one !== undefined).length;
  if (given === 1 && strategy !== undefined) return filesOfStrategy(connection, strategy, options);
  if (given === 1 && record !== undefined)
    return filesOfRecord(await readTrackFile(record), options);
  if (given === 1 && bot !== undefined) return filesOfOwnBot(connection, bot, options);
  throw new Refusal('invalid_field', 'give either --strategy, --record or --bot');
}

/** `report` writes what a strategy's record proves, or how a bot's account did, as one HTML file, with its figures and tables beside it. */
export function reports(program: Command, environment: Environment): void {
  const command = program
    .command('report')
    .description(
      'write a report of a strategy or of a bot: report.html, statistics.json, equity.csv, and trades.csv or orders.csv',
    )
    .option('--strategy <id>', 'a strategy of the server; one that is public needs no token')
    .option('--record <file>', 'a record that "track" downloaded; no server is asked')
    .option('--bot <id>', 'your own bot: its account beside its target')
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
    const files = await filesOf(connection, options);
    await mkdir(options.out, { recursive: true });
    const names: string[] = [];
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(options.out, name), text);
      names.push(join(options.out, name));
    }
    const { from, to, total_return } = JSON.parse(files['statistics.json'] ?? '{}') as {
      readonly from: string | null;
      readonly to: string;
      readonly total_return: { readonly value: string | null };
    };
    connection.showText(
      { files: names, from, to, total_return: total_return.value },
      [
        `Written for ${from ?? 'no day'} to ${to}:`,
        ...names.map((name) => `  ${name}`),
        `Open ${join(options.out, PAGE)} in a browser.`,
      ].join('\n'),
    );
  });
}
