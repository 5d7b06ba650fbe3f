import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { deflatedSharpeOf } from '@slipstream/domain';
import { type Played, csvOf, daysOf, played, scratch, written } from './replay-scene.js';

interface Run {
  readonly deflated_sharpe?: {
    readonly value: string | null;
    readonly trials: number;
    readonly reason: string | null;
  };
}
const deflated = (run: Played) => (JSON.parse(run.text('run.json')) as Run).deflated_sharpe;
const LABEL = 'Deflated Sharpe ratio';

describe('the trials of a search', () => {
  let data: readonly { readonly path: string }[];
  const trial = (percent: string, trials?: string): Promise<Played> =>
    played({
      data,
      minN: 2,
      ...(trials !== undefined && { trials }),
      orders: {
        kind: 'allocations',
        file: written(
          'targets.csv',
          `at,stock_id,percent\n2024-01-02,AAPL,${percent}\n2024-01-20,AAPL,1\n`,
        ),
      },
    });
  const ratiosIn = (file: string): number[] =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => Number((JSON.parse(line) as { sharpe: string }).sharpe));

  beforeAll(() => {
    data = [{ path: written('prices.csv', csvOf({ AAPL: daysOf(1) })) }];
  });

  it('are not counted without a file, and no deflated ratio is named', async () => {
    const run = await trial('0.5');
    expect(deflated(run)).toBeUndefined();
    expect(run.text('report.html')).not.toContain(LABEL);
  });

  it('deflate the Sharpe ratio of each by all of them', async () => {
    const file = scratch('search.jsonl');
    expect(deflated(await trial('0.5', file))).toMatchObject({ value: null, trials: 1 });
    await trial('0', file);
    const third = await trial('1.5', file);
    const ratios = ratiosIn(file);
    expect(new Set(ratios).size).toBe(3);
    const values = third.rows('equity.csv').map(({ value }) => Number(value));
    const series = values.map((value, day) => ({
      ...{ date: '2024-01-02', value: '1' },
      return: String(value / (values[day - 1] ?? 1) - 1),
    }));
    const expected = deflatedSharpeOf(series, ratios, { from: '', to: '', minN: 2 });
    const found = deflated(third);
    expect(found).toMatchObject({ trials: 3, reason: null });
    expect(Number(found?.value)).toBeCloseTo(Number(expected.value), 9);
    const page = third.text('report.html');
    expect(page).toContain(LABEL);
    expect(page).toContain('the best one of 3 trials');
  });

  it('count the same replay once, which gives the same bytes', async () => {
    const file = scratch('search.jsonl');
    await trial('0.5', file);
    const first = await trial('0.7', file);
    const counted = readFileSync(file, 'utf8');
    const again = await trial('0.7', file);
    expect(readFileSync(file, 'utf8')).toBe(counted);
    expect(deflated(again)).toEqual(deflated(first));
    expect(again.text('run.json')).toBe(first.text('run.json'));
  });

  it.each([
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    [
      'Windows line ends and blank lines',
      (text: string) => `${text}\n \n`.replaceAll('\n', '\r\n'),
    ],
    ['no end of the last line', (text: string) => text.trimEnd()],
  ])('are read and counted on in a file that an editor left with %s', async (_, edited) => {
    const file = scratch('search.jsonl');
    await trial('0.5', file);
    writeFileSync(file, edited(readFileSync(file, 'utf8')));
    expect(deflated(await trial('0.7', file))).toMatchObject({ trials: 2 });
    expect(deflated(await trial('0.9', file))).toMatchObject({ trials: 3 });
  });

  it('are refused before the replay where the file is another one, and where days are counted otherwise', async () => {
    const prices = written('prices.csv', csvOf({ AAPL: daysOf(1) }));
    await expect(trial('0.5', prices)).rejects.toThrow(`${prices}:1 is no trial of a replay`);
    const file = scratch('search.jsonl');
    await trial('0.5', file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('_year":252', '_year":365'));
    await expect(trial('0.7', file)).rejects.toThrow('give each search a file of its own');
  });
});
