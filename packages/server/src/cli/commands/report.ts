import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Decimal, Refusal, type Security, ZERO, decimal } from '@slipstream/domain';
import type { Command } from 'commander';
import { isDay } from '../../replay/data/times.js';
import type { ReportOptions } from '../files-of-report.js';
import { MIN_RETURNS, returnsOf } from '../fewest-returns.js';
import { type Environment, remote } from '../remote.js';
import { writing } from '../../settings/writing.js';

function dateOf(text: string): string {
  if (isDay(text)) return text;
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
    const options = command.opts<ReportOptions>();
    // What draws reports is half of the whole program: other commands start without it.
    const { PAGE, filesOf } = await import('../files-of-report.js');
    const files = await filesOf(connection, options);
    await mkdir(options.out, { recursive: true });
    const names: string[] = [];
    for (const [name, text] of Object.entries(files)) {
      const file = join(options.out, name);
      await writing(file, writeFile(file, text));
      names.push(file);
    }
    const { from, to, total_return } = JSON.parse(files['statistics.json'] ?? '{}') as {
      readonly from: string | null;
      readonly to: string;
      readonly total_return: { readonly value: string | null };
    };
    connection.showText(
      { files: names, from, to, total_return: total_return.value },
      [
        from === null
          ? `Written. No day up to ${to} is closed, so it has no figures of returns:`
          : `Written for ${from} to ${to}:`,
        ...names.map((name) => `  ${name}`),
        `Open ${join(options.out, PAGE)} in a browser.`,
      ].join('\n'),
    );
  });
}
