import { RequestFailed } from '@slipstream/client';
import { Refusal, type ReportContent } from '@slipstream/domain';
import { type RecordChoices, contentOf, symbolsIn } from '../reports/record-content.js';
import { PAGE, reportFiles } from '../reports/report-files.js';
import { filesOfBot, filesOfService } from '../reports/service-files.js';
import type { Remote } from './remote.js';
import { type TrackFile, downloadTrack, entriesOf, readTrackFile } from './track-file.js';

/** What of a report was asked for. */
export interface ReportOptions extends RecordChoices {
  readonly strategy?: string;
  readonly bot?: string;
  readonly out: string;
}

const download = (client: Remote['client'], strategy: string): Promise<TrackFile> =>
  downloadTrack(client, strategy, {
    proof: false,
    counted: (entries) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${entries} entries`);
    },
  });

export { PAGE };

/** A file of a report with its name. */
type Files = Readonly<Record<string, string>>;

async function filesOfRecord(
  file: TrackFile,
  options: ReportOptions,
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
const termsOf = ({ from, to, riskFree, minN }: ReportOptions) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...{ risk_free: riskFree.toFixed(), min_n: String(minN) },
});

/** A bot's report is computed by the service: its readings are nowhere else. */
function filesOfOwnBot({ client }: Remote, bot_id: string, options: ReportOptions): Promise<Files> {
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
  options: ReportOptions,
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

/** The files of the report that was asked for. Throws a `Refusal` when the options do not go together. */
export async function filesOf(connection: Remote, options: ReportOptions): Promise<Files> {
  const { strategy, record, bot } = options;
  const given = [strategy, record, bot].filter((one) => one !== undefined).length;
  if (given === 1 && strategy !== undefined) return filesOfStrategy(connection, strategy, options);
  if (given === 1 && record !== undefined)
    return filesOfRecord(await readTrackFile(record), options);
  if (given === 1 && bot !== undefined) return filesOfOwnBot(connection, bot, options);
  throw new Refusal('invalid_field', 'give either --strategy, --record or --bot');
}
