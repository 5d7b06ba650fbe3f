import { type Decimal, Refusal, decimal, decimalText } from '@slipstream/domain';
import type { Command } from 'commander';
import { readClaims } from '../../claims/read-claims.js';
import { zoneOf } from '../../replay/data/times.js';
import { type Environment, remote } from '../remote.js';

interface Options {
  readonly strategy: string;
  readonly timeZone?: string;
  readonly capital?: Decimal;
  readonly remove?: true;
}

const HELP = `
The file is an equity curve (CSV with a column date, time, timestamp or at, and one of strategy_value, value, equity, balance,
portfolio_value, nav or close) or a charting platform's list of trades (cumulative profit in percent, or in a currency with --capital).
What it says is kept as claimed: shown apart from the record, never ranked, never proven. An import replaces the one before.

Examples:
  slipstream import-history --strategy 01J… equity.csv
  slipstream import-history --strategy 01J… trades.csv --time-zone America/New_York --capital 10000
  slipstream import-history --strategy 01J… --remove`;

function amount(text: string): Decimal {
  if (/^\d{1,15}(\.\d{1,18})?$/.test(text) && decimal(text).gt('0')) return decimal(text);
  throw new Refusal('invalid_field', `--capital ${text} is not an amount above 0`);
}

function zone(name: string): string {
  try {
    zoneOf(name);
    return name;
  } catch {
    throw new Refusal('invalid_field', `--time-zone ${name} is not a time zone, for example UTC`);
  }
}

/** `import-history` keeps what an owner claims of the time before a strategy was here. */
export function importHistory(program: Command, environment: Environment): void {
  const command = program
    .command('import-history')
    .description('import what you claim of the time before a strategy was here')
    .argument('[file]', 'an equity curve or a list of trades, as CSV; also gzipped')
    .requiredOption('--strategy <id>', 'a strategy of your own')
    .option('--time-zone <name>', 'the zone of times that name none; whole days end in it', zone)
    .option('--capital <amount>', 'what the test of a list of trades began with', amount)
    .option('--remove', 'remove the imported history')
    .addHelpText('after', HELP);
  remote(command, environment, async ({ client, showText }, file: string | undefined) => {
    const { strategy: strategy_id, remove, ...choices } = command.opts<Options>();
    if ((file === undefined) !== (remove === true))
      throw new Refusal('invalid_field', 'give either a file or --remove');
    if (file === undefined) {
      const removed = await client.deleteClaimedHistory({ strategy_id });
      showText(removed, `Removed the claimed history of "${removed.name}".`);
      return;
    }
    const [strategy] = await client.getStrategies({ strategy_id: [strategy_id] });
    if (!strategy) throw new Refusal('not_found', `strategy ${strategy_id} does not exist`);
    const before = Date.parse(strategy.created_at);
    const { points, notes } = await readClaims(file, { ...choices, before });
    const { claimed, name } = await client.newClaimedHistory({
      strategy_id,
      points: points.map(({ at, value }) => ({
        at: new Date(at).toISOString(),
        value: decimalText(value),
      })),
    });
    showText(
      { strategy_id, claimed, points: points.length, notes },
      [
        `Imported ${points.length} points from ${claimed?.start} to ${claimed?.end} as claimed history of "${name}".`,
        ...notes,
        'It is shown apart from the record, as claimed, and is never ranked.',
      ].join('\n'),
    );
  });
}
