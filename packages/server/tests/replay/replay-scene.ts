import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import { parse } from 'csv-parse/sync';
import type { ReplayOptions, ReplayResult } from '../../src/replay/options.js';
import { replay } from '../../src/replay/replay.js';

/** The recorded prices: a folder beside the repository, or the one that SLIPSTREAM_PRICES names. */
const PRICES =
  process.env['SLIPSTREAM_PRICES'] ??
  fileURLToPath(new URL('../../../../../shared/data/prices', import.meta.url));

export const recorded = (name: string): string => join(PRICES, name);

/** Registers `tests` if the recorded prices are there, else one test that says that they are not checked. */
export function withRecordedPrices(tests: () => void): void {
  if (existsSync(PRICES)) tests();
  else
    it.skip('is not checked: the recorded prices (../shared/data/prices, SLIPSTREAM_PRICES) are absent', () => {});
}

/** The same for tests that read whole files, which only `npm run verify -- --only prices` does. */
export function withWholePrices(tests: () => void): void {
  if (process.env['WHOLE_PRICES'] === 'on') withRecordedPrices(tests);
  else
    it.skip('is not checked here: npm run verify -- --only prices reads the whole files', () => {});
}

const folder = mkdtempSync(join(tmpdir(), 'replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;

/** A path in a folder that ends with the tests. */
export const scratch = (name: string): string => {
  made += 1;
  return join(folder, `${made}-${name}`);
};

/** Writes a file and answers its path. */
export function written(name: string, text: string | Buffer): string {
  const path = scratch(name);
  writeFileSync(path, text);
  return path;
}

/** No costs of trading: fills are at the prices of the bars. */
export const WITHOUT_COSTS = { fee: decimal('0'), slippage: decimal('0'), spread: decimal('0') };

export type Row = Readonly<Record<string, string>>;

export const rowsOf = (text: string): Row[] => parse<Row>(text, { columns: true });

export interface Played {
  readonly out: string;
  readonly result: ReplayResult;
  readonly said: readonly string[];
  text(name: string): string;
  rows(name: string): Row[];
}

/** Plays files of prices, by default of stocks without costs. */
export async function played(
  options: Partial<ReplayOptions> & Pick<ReplayOptions, 'data' | 'orders'>,
): Promise<Played> {
  const { out = scratch('out') } = options;
  const said: string[] = [];
  const quiet = {
    reading: () => undefined,
    playing: () => undefined,
    said: (line: string) => void said.push(line),
  };
  const result = await replay(
    { type: 'stock', hours: 'exchange', ...WITHOUT_COSTS, ...options, out },
    quiet,
  );
  const text = (name: string): string => readFileSync(join(out, name), 'utf8');
  return { out, result, said, text, rows: (name) => rowsOf(text(name)) };
}

export interface Day {
  readonly date: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** The weekdays of January and February 2024 that are days of the exchanges. */
export const DATES: readonly string[] = Array.from({ length: 60 }, (_, index) =>
  new Date(Date.UTC(2024, 0, 2 + index)).toISOString().slice(0, 10),
).filter((date) => {
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6 && date !== '2024-01-15' && date !== '2024-02-19';
});

/** A path of daily prices in cents, always the same for a seed. */
export function daysOf(seed: number, dates: readonly string[] = DATES): Day[] {
  let state = seed;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  let price = 5_000 + seed * 700;
  return dates.map((date) => {
    const open = price + Math.round((random() - 0.5) * 100);
    const close = open + Math.round((random() - 0.48) * 200);
    const high = Math.max(open, close) + Math.round(random() * 50);
    const low = Math.min(open, close) - Math.round(random() * 50);
    price = close;
    return { date, open: open / 100, high: high / 100, low: low / 100, close: close / 100 };
  });
}

/** The days as a file with the columns of most sources. */
export const csvOf = (series: Readonly<Record<string, readonly Day[]>>): string =>
  [
    'symbol,date,open,high,low,close,volume',
    ...Object.entries(series).flatMap(([symbol, days]) =>
      days.map(({ date, open, high, low, close }) =>
        [symbol, date, open, high, low, close, 100].join(','),
      ),
    ),
  ].join('\n');
