import { type Security, SECURITIES, Refusal, decimal, isoDay } from '@slipstream/domain';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ReplayOptions, ReplayProgress } from '../../replay/options.js';
import { isDay, lengthOf } from '../../replay/data/times.js';
import { print, printError } from '../output.js';

const HELP = `
Data are CSV files (also gzipped) with the columns date, time or timestamp, open, high, low, close and symbol, found by name; with
bid_open … ask_close they are quotes. Binance klines and bars of Alpaca (JSON) are read too. Rows that cannot be used are listed in
dropped.csv. A clock time without a zone needs --time-zone, a bar within a day --bar-time: nothing is guessed.

Examples:
  slipstream replay --data prices.csv --strategy targets.csv --out run
  slipstream replay --data SPY=spy-minutes.csv.gz --time-zone America/New_York --bar-time start --strategy ./mine.mjs --out run
  slipstream replay --data BTCUSDT-1m.csv --type cryptocurrency --alerts alerts.jsonl --out run

docs/replay.md has the formats, and how bars become quotes.`;

interface Given {
  readonly data: readonly string[];
  readonly strategy?: string;
  readonly alerts?: string;
  readonly out: string;
  readonly force: boolean;
  readonly type: Security;
  readonly hours: 'exchange' | 'always';
  readonly factors?: string;
  readonly adjusted: boolean;
  readonly symbols?: readonly string[];
  readonly timeZone?: string;
  readonly barTime?: 'start' | 'end';
  readonly interval?: number;
  readonly fee?: string;
  readonly slippage?: string;
  readonly spread?: string;
  readonly from?: string;
  readonly to?: string;
  readonly minN?: number;
  readonly benchmark?: string;
  readonly trials?: string;
  readonly json?: true;
}

const MOST_COSTS = decimal('0.1');

const fraction = (text: string): string => {
  if (!/^(0|1)(\.\d{1,18})?$/.test(text) || decimal(text).gt(MOST_COSTS))
    throw new InvalidArgumentError('must be a fraction from 0 to 0.1, such as 0.0005.');
  return text;
};

const day = (text: string): string => {
  if (!isDay(text)) throw new InvalidArgumentError('must be a date like 2024-06-10.');
  return text;
};

const length = (text: string): number => {
  const read = lengthOf(text);
  if (read === undefined)
    throw new InvalidArgumentError('must be a length like 1m, 15m, 1h or 1d.');
  return read;
};

const fewest = (text: string): number => {
  const count = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (!(count >= 2 && count <= 1_000))
    throw new InvalidArgumentError('must be a whole number from 2 to 1000.');
  return count;
};

/** `SYMBOL=FILE` or `FILE`. */
const dataFile = (text: string): ReplayOptions['data'][number] => {
  const [, symbol, path] = /^([A-Za-z][A-Za-z0-9.-]{0,19})=(.+)$/.exec(text) ?? [];
  return path === undefined ? { path: text } : { path, symbol: symbol?.toUpperCase() };
};

function ordersOf({ strategy, alerts }: Given): ReplayOptions['orders'] {
  if (strategy !== undefined && alerts === undefined)
    return { kind: /\.csv(\.gz)?$/i.test(strategy) ? 'allocations' : 'module', file: strategy };
  if (alerts !== undefined && strategy === undefined) return { kind: 'alerts', file: alerts };
  throw new Refusal('invalid_field', 'give either --strategy or --alerts');
}

const fractionOf = (text: string | undefined) => (text === undefined ? undefined : decimal(text));

const SHOWN_EVERY = { terminal: 200, file: 10_000 } as const;

const lasting = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** Progress with its rate and the time left, in a line that a terminal overwrites, in a file every ten seconds. */
function shownProgress(): ReplayProgress {
  const { isTTY } = process.stderr;
  const every = isTTY ? SHOWN_EVERY.terminal : SHOWN_EVERY.file;
  let shownAt = performance.now();
  let startedAt: number | undefined;
  const show = (line: () => string, isLast = false): void => {
    const now = performance.now();
    if (!isLast && now - shownAt < every) return;
    shownAt = now;
    if (isTTY) process.stderr.write(`\r${line()}\u001b[K${isLast ? '\n' : ''}`);
    else printError(line());
  };
  return {
    reading: (bars) => show(() => `Reading: ${bars.toLocaleString('en')} bars`),
    playing(bars, total, at) {
      startedAt ??= performance.now();
      const since = startedAt;
      show(() => {
        const rate = bars / Math.max((performance.now() - since) / 1_000, 0.001);
        const part = Math.floor((bars / total) * 100);
        return `Playing: ${part}% ${isoDay(at)}, ${Math.round(rate).toLocaleString('en')} bars/s, ${lasting((total - bars) / rate)} left`;
      }, bars >= total);
    },
    said: (line) => printError(isTTY ? `\r${line}\u001b[K` : line),
  };
}

/** The end of a replay by a signal, with the exit code of a process that the signal ended. */
class Interrupted extends Error {
  constructor(readonly exitCode: number) {
    super('the replay was interrupted');
  }
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Ends the work at the first signal, between two bars; a second one ends the process at once. Answers nothing after a signal. */
async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Interrupted> {
  const controller = new AbortController();
  const listeners = Object.entries(SIGNALS).map(([name, exitCode]) => {
    const interrupt = (): void => {
      removeAll();
      controller.abort(new Interrupted(exitCode));
    };
    process.on(name, interrupt);
    return () => process.off(name, interrupt);
  });
  const removeAll = (): void => listeners.forEach((remove) => remove());
  try {
    return await work(controller.signal);
  } catch (error) {
    if (error instanceof Interrupted) return error;
    throw error;
  } finally {
    removeAll();
  }
}

/** `replay` plays years of recorded prices to the application (contract 12). */
export function replaying(program: Command): void {
  program
    .command('replay')
    .description('play years of recorded prices to a strategy, by the same rules as live')
    .requiredOption('--data <files...>', 'files of prices; SYMBOL=FILE for one without symbols')
    .option(
      '--strategy <file>',
      'target allocations (.csv: at,stock_id,percent) or a module with onBar',
    )
    .option('--alerts <file>', 'an alert log: JSON lines {"at", "body"}')
    .requiredOption('--out <folder>', 'the folder for the results')
    .option('--force', 'replace an earlier replay in that folder', false)
    .addOption(
      new Option('--type <type>', 'the type of the instruments')
        .choices(SECURITIES)
        .default('stock'),
    )
    .option(
      '--factors <file>',
      'splits and dividends: symbol,date,price_factor,split_factor,reference_price',
    )
    .option('--adjusted', 'use prices adjusted for dividends, where the file has Adj Close', false)
    .option('--symbols <symbols...>', 'only these; by default those that the orders name')
    .option('--time-zone <name>', 'the zone of times that name none, for example America/New_York')
    .addOption(
      new Option('--bar-time <place>', 'what the time of a bar is').choices(['start', 'end']),
    )
    .option(
      '--interval <length>',
      'the length of a bar, where the file does not show it: 1m, 1h',
      length,
    )
    .option('--fee <fraction>', "instead of each instrument's own", fraction)
    .option('--slippage <fraction>', "instead of each instrument's own", fraction)
    .option(
      '--spread <fraction>',
      'between bid and ask around a price; the slippage by default',
      fraction,
    )
    .option('--from <date>', 'bars before it only become history', day)
    .option('--to <date>', 'bars after it are not read', day)
    .addOption(
      new Option('--hours <hours>', 'when the instruments trade')
        .choices(['exchange', 'always'])
        .default('exchange'),
    )
    .option('--benchmark <symbol>', 'an instrument of the data to compare with')
    .option(
      '--trials <file>',
      'counts the replays of one search in this file: names the deflated Sharpe ratio of all of them',
    )
    .option('--min-n <count>', 'the fewest returns of a return ratio', fewest)
    .option('--json', 'as JSON, for programs')
    .addHelpText('after', HELP)
    .action(async (given: Given) => {
      const orders = ordersOf(given);
      const { replay } = await import('../../replay/replay.js');
      const { adjusted, interval, fee, slippage, spread, data, json, ...same } = given;
      const options = {
        ...same,
        orders,
        data: data.map(dataFile),
        prices: adjusted ? 'adjusted' : 'as_given',
        interval,
        fee: fractionOf(fee),
        slippage: fractionOf(slippage),
        spread: fractionOf(spread),
      } as const;
      const result = await untilInterrupted((signal) =>
        replay({ ...options, signal }, shownProgress()),
      );
      if (result instanceof Interrupted) {
        printError(
          `\nInterrupted. The tables and the database in ${given.out} are whole until then, and there is no report; the same command begins again.`,
        );
        process.exitCode = result.exitCode;
        return;
      }
      if (json) return print(JSON.stringify(result));
      const { bars, trades, refused, dropped, value } = result;
      print(
        `${bars} bars, ${trades} trades, ${refused} refused orders, ${dropped} dropped rows. 1 became ${value ?? 'unknown'}. Everything is in ${given.out}.`,
      );
    });
}
