import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { claimReader } from '../../src/claims/claimed-columns.js';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';

const DAY = 86_400_000;

describe('import-history', () => {
  let server: ComposedServer;
  let token: string;
  let strategy_id: string;
  let created: number;
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-import-'));
  const run = (...args: string[]) =>
    runCommand(['import-history', ...args, '--strategy', strategy_id], {
      SLIPSTREAM_URL: server.url,
      SLIPSTREAM_TOKEN: token,
    });
  /** Writes the lines as a file and imports it. */
  const importing = (lines: readonly string[], ...flags: string[]) => {
    const file = join(folder, 'claims.csv');
    writeFileSync(file, lines.join('\n'));
    return run(file, ...flags);
  };
  const claims = (interval: string) =>
    server.ask('getStrategyHistory', { strategy_id, claimed: 'true', interval });
  const imported = async () => {
    const [strategy] = await server.ask('getStrategies', { strategy_id: [strategy_id] });
    return strategy?.claimed;
  };
  /** The date so many days before the strategy was created. */
  const date = (daysBefore: number): string =>
    new Date(created - daysBefore * DAY).toISOString().slice(0, 10);

  beforeAll(async () => {
    server = await composedServer();
    token = await server.user('ada');
    const made = await server.ask('newStrategy', { type: 'stock', name: 'Momentum' }, token);
    strategy_id = made.strategy_id;
    created = Date.parse(made.created_at);
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('imports an equity curve: whole days end in UTC, and later days are the own record', async () => {
    const { code, out } = await importing([
      'Date,Equity',
      ...[`${date(3)},"10,000"`, `${date(2)},10500.50`, `${date(1)},9000`, `${date(-1)},99000`],
    ]);
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^Imported 3 points from .*\n.*Left out 1 point .* its own\.\nIt is shown apart/,
      ),
    });
    const points = await claims('1d');
    expect(points.map(({ at, strategy_value, basis }) => [at, strategy_value, basis])).toEqual([
      [`${date(3)}T23:59:59.000Z`, '1', 'claimed'],
      [`${date(2)}T23:59:59.000Z`, '1.05005', 'claimed'],
      [`${date(1)}T23:59:59.000Z`, '0.9', 'claimed'],
    ]);
    expect(await imported()).toEqual({
      start: points[0]?.at,
      end: points[2]?.at,
      imported_at: new Date(created).toISOString(),
    });
  });

  it('reads numbers as any program writes them, also without a digit before the point', async () => {
    const before = await imported();
    const { out } = await importing(['Date,Equity', `${date(3)},.5`, `${date(2)},+.25`]);
    expect(out).not.toContain('Left out');
    expect((await claims('1d')).map(({ strategy_value }) => strategy_value)).toEqual(['1', '0.5']);
    const lines = [`${date(3)},1`, `${date(2)},1.05005`, `${date(1)},0.9`];
    await importing(['Date,Equity', ...lines]);
    expect(await imported()).toEqual(before);
  });

  it.each(['+-5', '-+5', '++5', '+\u22125', '+', '.', '-.', '5+'])(
    'reads no profit in %s: it is no number',
    (profit) => {
      const header = ['Trade number', 'Type', 'Date and time', 'Cumulative P&L %'];
      const read = claimReader(header, { timeZone: 'UTC' });
      expect(read(['1', 'Exit long', '2024-01-02 10:00', '+5 %'])).toMatchObject({
        at: 1704189600000,
      });
      expect(read(['1', 'Exit long', '2024-01-02 10:00', profit])).toBe('has no cumulative profit');
    },
  );

  it('answers it as a table whose rows say that they are claimed', async () => {
    const asked = new URLSearchParams({ strategy_id, claimed: 'true', format: 'csv' });
    const answer = await fetch(`${server.url}/getStrategyHistory?${asked}&interval=1d`);
    const [header, first] = (await answer.text()).split('\n');
    expect(header).toBe('at,strategy_value,high,low,basis');
    expect(first).toBe(`${date(3)}T23:59:59.000Z,1,1,1,claimed`);
    asked.delete('claimed');
    const own = await fetch(`${server.url}/getStrategyHistory?${asked}`);
    expect((await own.text()).split('\n')[0]).toBe('at,strategy_value,high,low');
  });

  it('is drawn apart from the record in the report of the service, and in that of the program', async () => {
    const section = /<section><h2>Before this record[^]*?<\/section>/;
    const service = await fetch(`${server.url}/getReport?strategy_id=${strategy_id}`);
    const [drawn = ''] = section.exec(await service.text()) ?? [];
    expect(drawn).toContain(`Claimed by the owner, ${date(3)} to ${date(1)}`);
    const out = join(folder, 'report');
    const written = await runCommand(['report', '--strategy', strategy_id, '--out', out], {
      SLIPSTREAM_URL: server.url,
      SLIPSTREAM_TOKEN: token,
    });
    expect(written.code).toBe(0);
    const [own] = section.exec(readFileSync(join(out, 'report.html'), 'utf8')) ?? [];
    expect(own).toContain(`Claimed by the owner, ${date(3)} to ${date(1)}`);
  });

  describe('of a list of trades', () => {
    const header =
      'Trade #,Type,Signal,Date/Time,Price USD,Contracts,Net P&L USD,Net P&L %,Cumulative P&L USD,Cumulative P&L %';
    const trades = () => [
      `1,Entry long,Buy,${date(9)} 09:30,100,10,500,5.00%,500,3.33%`,
      `1,Exit long,Sell,${date(8)} 16:00,105,10,500,5.00%,500,3.33%`,
      `2,Entry short,Sell,${date(6)} 09:30,105,10,-200,-1.90%,300,2.00%`,
      `2,Exit short,Cover,${date(5)} 16:00,107,10,-200,-1.90%,"\u2212300.00",\u22122.00%`,
      `3,Entry long,Buy,${date(4)} 09:30,107,10,70,0.65%,370,2.47%`,
      `3,Exit long,Open,${date(2)} 16:00,114,10,70,0.65%,370,2.47%`,
    ];
    const zone = ['--time-zone', 'America/New_York'];
    const values = async () => (await claims('1h')).map(({ strategy_value }) => strategy_value);

    it.each([
      ['oldest first', false],
      ['newest first', true],
    ])(
      'takes the cumulative profit at each exit of a file that is %s',
      async (_, isNewestFirst) => {
        const lines = isNewestFirst ? trades().reverse() : trades();
        const { code, out } = await importing([header, ...lines], ...zone);
        expect({ code, out }).toMatchObject({
          code: 0,
          out: expect.stringMatching(/Imported 3 points[^]*Left out 1 row; .* still open/),
        });
        expect([...new Set(await values())]).toEqual(['1', '1.0333', '0.98']);
      },
    );

    it.each([
      'Trade #,Type,Signal,Date/Time,Price,Contracts,Profit USD,Profit %,Cum. Profit USD,Cum. Profit %',
      'Trade #,Type,Signal,Date and time,Price USD,Size,Net P&L USD,Net P&L %,Cumulative P&L USD,Cumulative P&L %',
      'Trade number,Type,Signal,Date and time,Price USDT,Size (qty),Net PnL USDT,Return %,Cumulative PnL USDT,Cumulative PnL %',
    ])(
      'is read with the names that platforms gave the columns over the years: %s',
      async (names) => {
        const percents = await importing([names, ...trades()], ...zone);
        expect(percents).toMatchObject({
          code: 0,
          out: expect.stringContaining('Imported 3 points'),
        });
        expect([...new Set(await values())]).toEqual(['1', '1.0333', '0.98']);
        const money = await importing([names, ...trades()], ...zone, '--capital', '15000');
        expect(money.code).toBe(0);
        expect([...new Set(await values())]).toEqual(['1', '1.033333333333333333', '0.98']);
      },
    );

    it('takes the profit in the currency when it knows what the test began with', async () => {
      await importing([header, ...trades()], ...zone, '--capital', '15000');
      expect([...new Set(await values())]).toEqual(['1', '1.033333333333333333', '0.98']);
    });

    it('asks for the zone of clock times instead of guessing it', async () => {
      const before = await imported();
      const { code, complaints } = await importing([header, ...trades()]);
      expect({ code, complaints }).toMatchObject({
        code: 1,
        complaints: expect.stringContaining('give --time-zone'),
      });
      expect(await imported()).toEqual(before);
    });
  });

  it('takes values with more places than it keeps, and with an exponent, so that no fall is left out', async () => {
    const { code, out } = await importing([
      'date,value',
      `${date(4)},1e+4`,
      `${date(3)},98.7654321098765432`,
      `${date(2)},0.0123456789012345678`,
      `${date(1)},2.5E3`,
    ]);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Imported 4 points/) });
    expect(out).not.toContain('Left out');
    const values = (await claims('1d')).map(({ strategy_value }) => strategy_value);
    expect(values).toEqual(['1', '0.009876543210987654', '0.000001234567890123', '0.25']);
  });

  it('keeps the last of each day, or of each week, of a curve with too many points', async () => {
    const minutes = Array.from({ length: 6_000 }, (_, index) =>
      [new Date(created - (6_000 - index) * 60_000).toISOString(), 100 + index].join(),
    );
    const { out } = await importing(['timestamp,value', ...minutes]);
    expect(out).toMatch(/Imported [56] points[^]*Kept the last of every day: [56] points of 6000/);
    const points = await claims('1d');
    expect([points[0]?.strategy_value, points.at(-1)?.strategy_value]).toEqual(['1', '60.99']);
    const days = Array.from({ length: 6_000 }, (_, index) => `${date(6_000 - index)},1`);
    expect((await importing(['date,value', ...days])).out).toContain(
      'Kept the last of every 7 days',
    );
  });

  it.each<[string, () => string[], string[], RegExp]>([
    ['an empty file', () => [], [], /is empty/],
    ['a file without values', () => ['date,colour', '2020-01-01,red'], [], /no column of values/],
    ['a file without times', () => ['equity', '1'], [], /no column of times/],
    [
      'semicolons between its columns',
      () => ['date;equity', `${date(2)};5`],
      [],
      /no column of times.*must be separated by commas, not by ";"/,
    ],
    ['one point', () => ['date,equity', `${date(2)},5`], [], /fewer than two points/],
    // "1,002" of the same file would be taken for 1002.
    ...['0,998', '10000,5', '-0,5'].map((value): [string, () => string[], string[], RegExp] => [
      `the decimal comma of ${value}`,
      () => ['date,equity', `${date(3)},"1,002"`, `${date(2)},"${value}"`, `${date(1)},"1,01"`],
      [],
      /has a decimal comma: write numbers of the file with a point/,
    ]),
    [
      'values that are none',
      () => ['date,equity', `${date(3)},x`, `${date(2)},0`, `${date(1)},5`],
      [],
      /Left out 2 rows; the first: line 2 has no value above 0/,
    ],
    [
      'days that there are not',
      () => ['date,equity', '2021-02-29,1', '2021-04-31,2'],
      [],
      /Left out 2 rows; the first: line 2 names no time/,
    ],
    ['an unknown zone', () => ['date,equity'], ['--time-zone', 'Mars'], /Mars is not a time zone/],
    ['a capital of nothing', () => ['date,equity'], ['--capital', '0'], /not an amount above 0/],
    [
      'a capital for a curve',
      () => ['date,equity', `${date(3)},1`, `${date(2)},1`],
      ['--capital', '5'],
      /is for lists of trades/,
    ],
  ])('refuses %s and changes nothing', async (_, lines, flags, why) => {
    const before = await imported();
    const { code, complaints } = await importing(lines(), ...flags);
    expect({ code, complaints }).toEqual({ code: 1, complaints: expect.stringMatching(why) });
    expect(await imported()).toEqual(before);
  });

  it('removes it', async () => {
    expect(await run('--remove')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Removed the claimed history of "Momentum"'),
    });
    expect(await imported()).toBeNull();
    expect((await run()).complaints).toContain('give either a file or --remove');
  });
});
