import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../helpers/run-command.js';
import { type Played, csvOf, daysOf, played, scratch, written } from './replay-scene.js';

/** Weekdays on which the exchanges were closed. */
const CLOSED = ['2024-01-15', '2024-02-19', '2024-03-29', '2024-05-27', '2024-06-19'];

/** The days of the exchanges in half a year: yearly growth needs 90 days. */
const HALF_YEAR = Array.from({ length: 180 }, (_, index) =>
  new Date(Date.UTC(2024, 0, 2 + index)).toISOString().slice(0, 10),
).filter((date) => new Date(date).getUTCDay() % 6 !== 0 && !CLOSED.includes(date));

/** The parts of a page that show figures, without the refusals, the notes and the time, which no record has. */
const figuresOf = (page: string): string =>
  page
    .replace(/<section><h2>Refused<\/h2>.*?<\/section>/s, '')
    .replace(/<footer>.*<\/footer>/s, '');

interface Statistics {
  readonly benchmark: string | null;
  readonly cagr: { readonly value: string | null };
  readonly beta: { readonly value: string | null };
}

describe('the record of a replay', () => {
  let run: Played;
  const record = (): string => join(run.out, 'record.jsonl');
  const report = async (file: string, ...flags: string[]) => {
    const out = scratch('report');
    const { code, complaints } = await runCommand(
      ['report', '--record', file, '--out', out, ...flags],
      {},
    );
    expect([code, complaints]).toEqual([0, '']);
    return (name: string): string => readFileSync(join(out, name), 'utf8');
  };

  beforeAll(async () => {
    // The last weeks are flat: their days have no sample, and so no entry.
    const days = HALF_YEAR.filter((_, day) => day % 9 === 3).slice(0, 12);
    const rows = days.flatMap((date, turn) =>
      turn % 3 === 2 ? [`${date}T18:00:00Z,,`] : [`${date},AAPL,0.9`, `${date},MSFT,0.${turn % 9}`],
    );
    run = await played({
      data: [
        {
          path: written(
            'prices.csv',
            csvOf({
              ...{ AAPL: daysOf(1, HALF_YEAR), MSFT: daysOf(2, HALF_YEAR) },
              SPY: daysOf(9, HALF_YEAR),
            }),
          ),
        },
      ],
      benchmark: 'SPY',
      orders: {
        kind: 'allocations',
        file: written('targets.csv', ['at,stock_id,percent', ...rows].join('\n')),
      },
    });
  });

  it('begins with a line that says what was replayed, since when, and the names of its stocks', () => {
    const [first = ''] = readFileSync(record(), 'utf8').split('\n');
    expect(JSON.parse(first)).toEqual({
      strategy_id: expect.any(String),
      strategy: {
        name: expect.stringMatching(/^Replay of \d+-targets.csv$/),
        type: 'stock',
        created_at: expect.stringMatching(/^2024-01-02T/),
        days_per_year: 252,
      },
      to: HALF_YEAR.at(-1),
      stocks: {
        ...{ 'aapl.nasdaq': 'AAPL:NASDAQ', 'msft.nasdaq': 'MSFT:NASDAQ' },
        'spy.nysearca': 'SPY:NYSEARCA',
      },
    });
  });

  it('gives the report that the replay wrote, to the digit', async () => {
    const closes = join(run.out, 'benchmark.csv');
    const read = await report(record(), '--benchmark', closes);
    const statistics = JSON.parse(read('statistics.json')) as Statistics;
    for (const { value } of [statistics.cagr, statistics.beta]) expect(value).not.toBeNull();
    // A file of closes names no stock.
    const { benchmark: _, ...figures } = JSON.parse(run.text('statistics.json')) as Statistics;
    expect(statistics).toEqual({ ...figures, benchmark: closes });
    const named = read('report.html').replaceAll(closes, 'SPY:NYSEARCA');
    expect(figuresOf(named)).toBe(figuresOf(run.text('report.html')));
    expect(figuresOf(read('report.html'))).toContain('By stock');
  });

  it('is intact for verify, and still read without its first line', async () => {
    const verified = await runCommand(['verify', record()], {});
    expect(verified).toMatchObject({ code: 0, out: expect.stringContaining('is intact') });
    const headless = scratch('record.jsonl');
    writeFileSync(headless, readFileSync(record(), 'utf8').split('\n').slice(1).join('\n'));
    expect((await runCommand(['verify', headless], {})).out).toBe(verified.out);
    await report(headless, '--type', 'stock');
  });
});
