import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Storage } from '@slipstream/ports';
import type { ResponseOf } from '@slipstream/wire';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';

const AAPL = 'AAPL:NASDAQ';
const DAY = 86_400_000;
const FILES = ['equity.csv', 'report.html', 'statistics.json', 'trades.csv'];

/** A day of the record on which the exchanges were closed, as their calendar told. */
const MOURNED = '2026-03-09';

/** Returns that need a part of a year to be compared with the server's, with the sessions of the exchange. */
const PRICES = [200, 210, 205, 221, 219, 230, 228.5, 240, 220, 236];

describe('report', () => {
  let server: ComposedServer;
  let live: Awaited<ReturnType<typeof runCommand>>;
  let downloaded: typeof live;
  /** Of the report: its clock is not the server's. */
  let flags: readonly string[];
  let token: string;
  let strategy_id: string;
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-report-'));
  const path = (name: string): string => join(folder, name);
  const read = (...names: string[]): string => readFileSync(join(folder, ...names), 'utf8');
  const run = (...args: string[]) =>
    runCommand(args, { SLIPSTREAM_URL: server.url, SLIPSTREAM_TOKEN: token });

  beforeAll(async () => {
    let kept: Storage | undefined;
    server = await composedServer({ through: (storage) => (kept = storage) });
    await kept?.run(({ marketDays }) => marketDays.save({ date: MOURNED, session: null }));
    token = await server.user('ada');
    ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Momentum' }, token));
    for (const [day, price] of PRICES.entries()) {
      await server.quotes({ [AAPL]: [price - 0.01, price + 0.01] });
      const percent = day % 3 === 0 ? '0.9' : '0.1';
      const allocations = [{ stock_id: AAPL, percent }];
      await server.ask('newOrderAllocations', { strategy_id, allocations }, token);
      server.clock.advance(DAY);
      await server.application.background.tick();
    }
    const { to } = await server.ask('getStrategyStatistics', { strategy_id }, token);
    flags = ['--min-n', '2', '--risk-free', '0.02', '--to', to];
    live = await run('report', '--strategy', strategy_id, '--out', path('live'), ...flags);
    downloaded = await run('track', strategy_id, path('track.json'));
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('of a strategy has the digits of getStrategyStatistics, and so has one of its downloaded record', async () => {
    const terms = { min_n: 2, risk_free: '0.02' };
    const online = await server.ask('getStrategyStatistics', { strategy_id, ...terms }, token);
    expect(live).toMatchObject({ code: 0, out: expect.stringContaining('report.html') });
    expect(readdirSync(path('live')).sort()).toEqual(FILES);
    expect(JSON.parse(read('live', 'statistics.json'))).toEqual(online);
    expect(online.sharpe.value).not.toBeNull();
    expect(online.closed_days).toEqual([MOURNED]);
    expect(read('live', 'equity.csv')).not.toContain(MOURNED);

    expect(downloaded.code).toBe(0);
    await run('report', '--record', path('track.json'), '--out', path('offline'), ...flags);
    for (const name of ['statistics.json', 'trades.csv', 'equity.csv'])
      expect(read('offline', name)).toBe(read('live', name));
    expect(read('offline', 'report.html')).toContain('<bdi>Momentum</bdi>');
  });

  it('names the file for which there is no room, as `track` does', async () => {
    mkdirSync(path('full'));
    symlinkSync('/dev/full', path('full/report.html'));
    const report = await run('report', '--strategy', strategy_id, '--out', path('full'));
    const track = await run('track', strategy_id, '/dev/full');
    expect([report, track].map(({ code, complaints }) => [code, complaints])).toEqual([
      [1, `${path('full/report.html')} cannot be read or written (ENOSPC): its disk is full\n`],
      [1, '/dev/full cannot be read or written (ENOSPC): its disk is full\n'],
    ]);
  });

  it('of a strategy of today says that it has no figures yet', async () => {
    const { strategy_id: young } = await server.ask(
      'newStrategy',
      { type: 'stock', name: 'Young' },
      token,
    );
    const to = new Date(server.clock.now() - DAY).toISOString().slice(0, 10);
    const asked = ['--strategy', young, '--to', to, '--out', path('young')];
    const { out, code } = await run('report', ...asked);
    expect(out).toMatch(
      /^Written\. No day up to \S+ is closed, so it has no figures of returns:\n/,
    );
    expect(code).toBe(0);
  });

  describe('verify --statistics', () => {
    const verify = (name: string, ...flags: string[]) =>
      run('verify', path('track.json'), '--statistics', path(name), '--min-n', '2', ...flags);
    const shown = () =>
      JSON.parse(read('live', 'statistics.json')) as ResponseOf<'getStrategyStatistics'>;

    it('says that figures follow from the record, those of the API and those of a report', async () => {
      const online = await server.ask(
        'getStrategyStatistics',
        { strategy_id, min_n: 2, to: shown().to },
        token,
      );
      writeFileSync(path('online.json'), JSON.stringify(online));
      for (const name of ['online.json', join('live', 'statistics.json')])
        expect(await verify(name)).toMatchObject({
          code: 0,
          out: expect.stringMatching(/follow from the record, each to the digit/),
        });
    });

    it('names the days that they leave out, which only the calendar of the exchanges knows', async () => {
      expect((await verify(join('live', 'statistics.json'))).out).toContain(
        `They leave out ${MOURNED}: the exchanges were closed against their rules`,
      );
      const { closed_days: _, ...silent } = shown();
      writeFileSync(path('silent.json'), JSON.stringify(silent));
      expect((await verify('silent.json')).code).toBe(1);
    });

    it('takes a part of the record, too', async () => {
      const { from, to } = shown();
      const later = new Date(Date.parse(from ?? '') + 3 * DAY).toISOString().slice(0, 10);
      const part = await server.ask(
        'getStrategyStatistics',
        { strategy_id, min_n: 2, from: later, to },
        token,
      );
      writeFileSync(path('part.json'), JSON.stringify(part));
      expect(part.from).toBe(later);
      expect((await verify('part.json')).code).toBe(0);
    });

    it.each<[string, (said: ResponseOf<'getStrategyStatistics'>) => object, RegExp]>([
      [
        'a better return',
        (said) => ({ ...said, total_return: { ...said.total_return, value: '9.9' } }),
        /do NOT follow from the record: total_return\. total_return is .*"9\.9"/,
      ],
      [
        'a fall that is left out',
        (said) => ({ ...said, drawdowns: said.drawdowns?.slice(1) ?? null }),
        /do NOT follow from the record: drawdowns\./,
      ],
      [
        'days below a peak, which a release up to 0.2.0 may have counted otherwise',
        (said) => ({ ...said, underwater_days: { ...said.underwater_days, value: '99' } }),
        /do NOT follow from the record: underwater_days\..* Releases up to 0\.2\.0 counted/,
      ],
      ['another strategy', (said) => ({ ...said, strategy_id: 'x' }), /are of another strategy/],
      ['no statistics', () => ({ total_return: '1' }), /has no answer of getStrategyStatistics/],
    ])('refuses %s', async (_, change, why) => {
      writeFileSync(path('changed.json'), JSON.stringify(change(shown())));
      expect(await verify('changed.json')).toMatchObject({
        code: 1,
        complaints: expect.stringMatching(why),
      });
    });

    it('leaves out the figures of a benchmark, and says so', async () => {
      const said = { ...shown(), benchmark: 'spy', beta: { ...shown().beta, value: '1' } };
      writeFileSync(path('compared.json'), JSON.stringify(said));
      expect((await verify('compared.json')).out).toContain('tracking were not checked');
    });
  });

  it('has the fills with the fields of getTrades; a record does not say what they realized', async () => {
    const trades = await server.ask('getTrades', { strategy_id }, token);
    const cells = (value: unknown) => (value === null ? '' : value);
    const rows = parse<Record<string, string>>(read('live', 'trades.csv'), { columns: true });
    expect(rows).toEqual(
      trades.toReversed().map((trade) => ({
        ...Object.fromEntries(Object.entries(trade).map(([name, value]) => [name, cells(value)])),
        realized: '',
      })),
    );
    expect(rows.length).toBeGreaterThan(3);
  });

  it('compares with the closes of a file', async () => {
    const closes = PRICES.map(
      (price, day) =>
        `${new Date(server.clock.now() - (10 - day) * DAY).toISOString().slice(0, 10)},${price}`,
    );
    writeFileSync(path('closes.csv'), `Date,Close\n${closes.join('\n')}\n`);
    const given = ['--record', path('track.json'), '--out', path('compared'), '--min-n', '2'];
    await run('report', ...given, '--benchmark', path('closes.csv'));
    const { beta } = JSON.parse(read('compared', 'statistics.json')) as {
      beta: { value: string | null };
    };
    expect(Number(beta.value)).toBeGreaterThan(0);
    expect(read('compared', 'report.html')).toContain('Against the benchmark');
  });

  it('takes a token that is set to nothing as none', async () => {
    const args = ['report', '--strategy', strategy_id, '--out', path('nobody'), '--min-n', '2'];
    const { code } = await runCommand(args, { SLIPSTREAM_URL: server.url, SLIPSTREAM_TOKEN: '' });
    expect(code).toBe(0);
  });

  it('of a public strategy needs no token, and has no trades then', async () => {
    const stranger = await runCommand(
      ['report', '--strategy', strategy_id, '--out', path('stranger'), '--min-n', '2'],
      { SLIPSTREAM_URL: server.url },
    );
    expect(stranger).toMatchObject({ code: 0, out: expect.stringContaining('report.html') });
    expect(readdirSync(path('stranger')).sort()).toEqual(
      FILES.filter((name) => name !== 'trades.csv'),
    );
    const online = await server.ask('getStrategyStatistics', { strategy_id, min_n: '2' });
    expect(JSON.parse(read('stranger', 'statistics.json'))).toEqual(online);
    expect(read('stranger', 'equity.csv')).toBe(read('live', 'equity.csv'));
    expect(read('stranger', 'report.html')).not.toContain('>Trades<');
  });

  it.each<[string, readonly string[], string]>([
    ['neither a strategy nor a record', [], 'give either --strategy, --record or --bot'],
    ['a date that is none', ['--from', '2026-13-01'], 'is not a date'],
    ['a day that no month has', ['--from', '2026-02-31'], 'is not a date'],
    ['a fraction that is none', ['--risk-free', '2%'], 'is not a fraction'],
    ['too few returns', ['--min-n', '1'], 'from 2 to 1000'],
    ['a file that is no record', ['--record', 'README.md'], 'is not JSON'],
    ['a file that is not there', ['--record', 'nothing.json'], 'nothing.json'],
    ['a strategy that is not there', ['--strategy', 'nobody'], 'nobody'],
  ])('refuses %s', async (_, args, words) => {
    const { code, complaints } = await run('report', '--out', path('none'), ...args);
    expect(code).toBe(1);
    expect(complaints).toContain(words);
    expect(readdirSync(folder)).not.toContain('none');
  });

  it('refuses a record that was changed', async () => {
    const changed = read('track.json').replace('\\"action\\":\\"sell\\"', '\\"action\\":\\"buy\\"');
    writeFileSync(path('changed.json'), changed);
    const { complaints, code } = await run(
      ...['report', '--record', path('changed.json'), '--out', path('none')],
    );
    expect([code, complaints]).toEqual([1, expect.stringContaining('not intact at entry')]);
  });

  it.each([
    [
      'are none',
      'date,close\n2026-03-04,0\n',
      'line 2: a date (YYYY-MM-DD) and a close above zero',
    ],
    [
      'are of a date that there is not',
      'date,close\n2026-02-28,1\n2026-02-30,1\n',
      'line 3: a date (YYYY-MM-DD) and a close above zero',
    ],
    ['are missing', 'not closes\n', 'bad.csv has no closes'],
  ])('refuses closes that %s', async (_, text, reason) => {
    writeFileSync(path('bad.csv'), text);
    const given = ['--record', path('track.json'), '--out', path('none')];
    const { complaints } = await run('report', ...given, '--benchmark', path('bad.csv'));
    expect(complaints).toContain(reason);
  });
});
