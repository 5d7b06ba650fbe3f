import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { DAY, decimal, id, verifyTrack } from '@slipstream/domain';
import { operations } from '@slipstream/wire';
import {
  DATES,
  type Played,
  type Row,
  csvOf,
  daysOf,
  played,
  recorded,
  scratch,
  withRecordedPrices,
  written,
} from './replay-scene.js';

const allocations = (text: string) => ({
  kind: 'allocations' as const,
  file: written('targets.csv', `at,stock_id,percent\n${text}\n`),
});

const valueOf = ({ result }: Pick<Played, 'result'>): number => Number(result.value);

describe('one buy without costs', () => {
  it('is worth 1 - n + n x close / fill price, to 1e-12', async () => {
    const days = daysOf(1);
    const run = await played({
      data: [{ path: written('prices.csv', csvOf({ AAPL: days })) }],
      orders: allocations('2024-01-02,AAPL,0.8'),
    });
    const [trade] = run.rows('trades.csv');
    const [fill, notional] = [Number(trade?.['price']), Number(trade?.['total'])];
    expect(fill).toBe(days[0]?.open);
    const equity = run.rows('equity.csv').map(({ value }) => Number(value));
    expect(equity).toHaveLength(days.length);
    days.forEach(({ close }, day) =>
      expect(
        Math.abs((equity[day] ?? NaN) - (1 - notional + (notional * close) / fill)),
      ).toBeLessThan(1e-12),
    );
  });

  it('has dividends and splits in it', async () => {
    const days = daysOf(2);
    // 3:1 from the tenth day on, as the market quotes it.
    const quoted = days.map((day, index) =>
      index < 10
        ? day
        : {
            ...day,
            open: day.open / 4,
            high: day.high / 4,
            low: day.low / 4,
            close: day.close / 4,
          },
    );
    const [splitDay = '', dividendDay = ''] = [DATES[10], DATES[20]];
    const actions = [
      'symbol,date,kind,new_shares,old_shares,amount,open,high,low,close',
      `AAPL,${splitDay},split,4,1,,,,,`,
      `AAPL,${dividendDay},dividend,,,0.25,,,,`,
    ].join('\n');
    const run = await played({
      data: [
        { path: written('prices.csv', csvOf({ AAPL: quoted })) },
        { path: written('actions.csv', actions) },
      ],
      orders: allocations('2024-01-02,AAPL,1'),
    });
    const [trade] = run.rows('trades.csv');
    const [fill, notional] = [Number(trade?.['price']), Number(trade?.['total'])];
    const last = quoted.at(-1)?.close ?? NaN;
    const expected = 1 - notional + (notional * 4 * (last + 0.25)) / fill;
    expect(Math.abs(valueOf(run) - expected)).toBeLessThan(1e-12);
  });

  it.each([
    ['after it', (rows: readonly string[]) => rows],
    ['before it', (rows: readonly string[]) => rows.toReversed()],
  ])(
    'has a dividend of the day of a split, on the old shares, also %s in the file',
    async (_, inOrder) => {
      const quoted = daysOf(2).map((day, index) => {
        const old = index < 10 ? 1 : 4;
        const { open, high, low, close } = day;
        return { ...day, open: open / old, high: high / old, low: low / old, close: close / old };
      });
      const day = DATES[10] ?? '';
      const actions = [
        'symbol,date,kind,new_shares,old_shares,amount,open,high,low,close',
        ...inOrder([`AAPL,${day},split,4,1,,,,,`, `AAPL,${day},dividend,,,0.25,,,,`]),
      ].join('\n');
      const run = await played({
        data: [
          { path: written('prices.csv', csvOf({ AAPL: quoted })) },
          { path: written('actions.csv', actions) },
        ],
        orders: allocations('2024-01-02,AAPL,1'),
      });
      const [trade] = run.rows('trades.csv');
      const [fill, notional] = [Number(trade?.['price']), Number(trade?.['total'])];
      const last = quoted.at(-1)?.close ?? NaN;
      const expected = 1 - notional + (notional * (4 * last + 0.25)) / fill;
      expect(Math.abs(valueOf(run) - expected)).toBeLessThan(1e-12);
    },
  );

  it('has a dividend in the value of its own day, and not of the day before', async () => {
    const dividendDay = DATES[20] ?? '';
    const actions = `symbol,date,kind,amount\nAAPL,${dividendDay},dividend,5\n`;
    const run = await played({
      data: [
        { path: written('prices.csv', csvOf({ AAPL: daysOf(2) })) },
        { path: written('actions.csv', actions) },
      ],
      orders: allocations('2024-01-02,AAPL,1'),
    });
    const recordedDays = run
      .text('record.jsonl')
      .split('\n')
      .filter((line) => line.includes('"kind":"value"'))
      .map((line) => JSON.parse(line) as { at: string; body: string });
    const valued = recordedDays.map(({ at, body }) => ({
      at,
      value: (JSON.parse(body) as { strategy_value: string }).strategy_value,
    }));
    expect(valued.some(({ at }) => at.startsWith(dividendDay))).toBe(true);
    expect(run.rows('equity.csv')).toEqual(valued);
  });

  it('refuses a split that the prices do not show: it would be applied twice', async () => {
    const actions = `symbol,date,kind,new_shares,old_shares\nAAPL,${DATES[10] ?? ''},split,4,1\n`;
    const path = written('actions.csv', actions);
    const run = played({
      data: [{ path: written('prices.csv', csvOf({ AAPL: daysOf(3) })) }, { path }],
      orders: allocations('2024-01-02,AAPL,1'),
    });
    await expect(run).rejects.toThrow(`${path}:2: AAPL is split 4:1 on ${DATES[10] ?? ''}`);
  });
});

describe('a rebalance of several stocks', () => {
  const symbols = ['AAPL', 'MSFT', 'JPM', 'KO', 'XOM'];
  const series = Object.fromEntries(symbols.map((symbol, index) => [symbol, daysOf(index + 1)]));
  const dates = DATES.filter((_, index) => index % 8 === 3);
  const target = (symbol: number, time: number): number => 0.1 + ((symbol * 7 + time * 3) % 5) / 20;
  const lines = dates.flatMap((date, time) =>
    symbols.map((symbol, index) => `${date},${symbol},${target(index, time)}`),
  );

  it('is the same as computed from the prices alone', async () => {
    const run = await played({
      data: [{ path: written('prices.csv', csvOf(series)) }],
      orders: allocations(lines.join('\n')),
    });
    // By the contract: a target p is p x value x 0.996 (the reserve of 0.002) at the last price, and fills at the next open.
    let cash = 1;
    const held = symbols.map(() => 0);
    const price = (symbol: number, day: number, name: 'open' | 'close'): number =>
      series[symbols[symbol] as string]?.[day]?.[name] ?? NaN;
    const worth = (day: number): number =>
      held.reduce((sum, amount, symbol) => sum + amount * price(symbol, day, 'close'), cash);
    const values = DATES.map((date, day) => {
      const time = dates.indexOf(date);
      if (time >= 0) {
        const value = worth(day - 1);
        symbols.forEach((_, symbol) => {
          const at = price(symbol, day - 1, 'close');
          const wanted = (target(symbol, time) * value * 0.996) / at;
          const change = wanted - (held[symbol] ?? 0);
          if (Math.abs(change * at) < 0.0001 * value) return;
          held[symbol] = wanted;
          cash -= change * price(symbol, day, 'open');
        });
      }
      return worth(day);
    });
    const equity = run.rows('equity.csv').map(({ value }) => Number(value));
    expect(run.result.refused).toBe(0);
    equity.forEach((value, day) =>
      expect(Math.abs(value - (values[day] ?? NaN))).toBeLessThan(1e-12),
    );
  });

  it('has figures against a benchmark that the orders do not name', async () => {
    const run = await played({
      data: [{ path: written('prices.csv', csvOf({ ...series, SPY: daysOf(9) })) }],
      orders: allocations(lines.join('\n')),
      benchmark: 'SPY',
    });
    const statistics = operations.getStrategyStatistics.response.parse(
      JSON.parse(run.text('statistics.json')),
    );
    expect(statistics.benchmark).toBe('spy.nysearca');
    expect(Number(statistics.beta.value)).toBeGreaterThan(-2);
    expect(statistics.beta.n).toBeGreaterThan(30);
    const page = run.text('report.html');
    expect(page).toContain('SPY:NYSEARCA, scaled to the same start');
    expect(page).toMatch(/<path class="benchmark" d="M[\d.]+,[\d.]+(L[\d.]+,[\d.]+){20,}/);
  });

  const filesOf = ({ out }: Played): Record<string, string> =>
    Object.fromEntries(
      readdirSync(out)
        .filter((name) => name !== 'replay.db' && name !== 'secret.key')
        .map((name) => [name, readFileSync(join(out, name), 'utf8')]),
    );

  it('gives the same bytes twice', async () => {
    const data = [{ path: written('prices.csv', csvOf(series)) }];
    const orders = allocations(lines.join('\n'));
    const [first, second] = [await played({ data, orders }), await played({ data, orders })];
    expect(Object.keys(filesOf(first)).sort()).toEqual([
      ...['dropped.csv', 'equity.csv', 'record.jsonl', 'refused.csv', 'report.html'],
      ...['run.json', 'statistics.json', 'trades.csv'],
    ]);
    expect(filesOf(first)).toEqual(filesOf(second));
  });

  it('is unchanged before a day at which the data is cut', async () => {
    const data = [{ path: written('prices.csv', csvOf(series)) }];
    const orders = allocations(lines.join('\n'));
    const whole = await played({ data, orders });
    for (const day of [5, 17, 30]) {
      const cut = DATES[day] ?? '';
      const part = await played({ data, orders, to: cut });
      const before = ({ created_at: at = '' }: Readonly<Record<string, string>>): boolean =>
        at < cut;
      const trades = part.rows('trades.csv').filter(before);
      expect(trades.length).toBeGreaterThan(0);
      expect(trades).toEqual(whole.rows('trades.csv').filter(before));
      expect(part.rows('equity.csv').slice(0, day)).toEqual(whole.rows('equity.csv').slice(0, day));
    }
  });

  it('is unchanged by what is placed after the cut, also for an instrument that begins later', async () => {
    const young = { AAPL: daysOf(1), MSFT: daysOf(2).slice(30) };
    const data = [{ path: written('prices.csv', csvOf(young)) }];
    const orders = allocations(
      [`${DATES[3]},AAPL,0.9`, `${DATES[35]},AAPL,0.3`, `${DATES[35]},MSFT,0.6`].join('\n'),
    );
    const [whole, cut] = [
      await played({ data, orders }),
      await played({ data, orders, to: DATES[20] }),
    ];
    expect(cut.rows('trades.csv')).toEqual(whole.rows('trades.csv').slice(0, 1));
    expect(cut.rows('refused.csv')).toMatchObject([{ reason: 'the data ends before it' }]);
    const misspelt = allocations(`${DATES[3]},AAPL,0.9\n${DATES[10]},MSTF,0.3`);
    await expect(played({ data, orders: misspelt })).rejects.toThrow(':3: the data has no bars of');
  });

  it('is the same whatever the order of the rows, also before a day at which they are cut', async () => {
    const [head = '', ...rows] = csvOf({ ...series, AAPL: daysOf(1).slice(0, 20) }).split('\n');
    const dateOf = (row: string): string => row.split(',')[1] ?? '';
    // Days newest first: the instrument whose bars end early is the first one only where the data is cut before that.
    const newest = rows.toSorted(
      (one, other) => dateOf(other).localeCompare(dateOf(one)) || one.localeCompare(other),
    );
    const orders = allocations(lines.filter((line) => !line.includes('AAPL')).join('\n'));
    const all = allocations(lines.filter((line) => line < (DATES[20] ?? '')).join('\n'));
    const run = (sorted: readonly string[], to?: string) =>
      played({
        data: [{ path: written('prices.csv', [head, ...sorted].join('\n')) }],
        ...{ orders: to === undefined ? orders : all, to, symbols },
      });
    const same = [rows, newest, newest.toReversed(), rows.toReversed()].map((sorted) =>
      run(sorted),
    );
    const [first, ...others] = (await Promise.all(same)).map(filesOf);
    for (const other of others) {
      expect(other['trades.csv']).toBe(first?.['trades.csv']);
      expect(other['record.jsonl']).toBe(first?.['record.jsonl']);
      expect(other['statistics.json']).toBe(first?.['statistics.json']);
    }
    const [whole, cut] = [await run(newest, DATES.at(-1)), await run(newest, DATES[15])];
    const before = ({ created_at: at = '' }: Row): boolean => at < (DATES[15] ?? '');
    expect(cut.rows('trades.csv').filter(before)).toEqual(whole.rows('trades.csv').filter(before));
  });

  describe('of which one has no bars for a while', () => {
    const without = (from: number, to = DATES.length) => ({
      AAPL: daysOf(1).filter((_, day) => day < from || day >= to),
      MSFT: daysOf(2),
    });
    const orders = allocations(
      [`${DATES[3]},AAPL,0.9`, `${DATES[20]},MSFT,0.5`, `${DATES[25]},MSFT,0.8`].join('\n'),
    );
    const run = (from: number, to?: number, until?: string) =>
      played({
        data: [{ path: written('prices.csv', csvOf(without(from, to))) }],
        ...{ orders, to: until },
      });
    const fillsOf = (one: Played): unknown =>
      one
        .rows('trades.csv')
        .map(({ symbol, action, created_at: at }) => [
          `${action} ${symbol}`,
          DATES.indexOf(at?.slice(0, 10) ?? ''),
        ]);

    it('goes on with the others: what is left of it keeps its last price, and is told', async () => {
      const ended = await run(6);
      expect(fillsOf(ended)).toEqual([
        ['buy AAPL', 3],
        ['buy MSFT', 20],
        ['buy MSFT', 25],
      ]);
      const { notes } = JSON.parse(ended.text('run.json')) as { readonly notes: readonly string[] };
      expect(notes.join(' ')).toContain('keeps its last price');
      expect(notes.join(' ')).toContain('1 order was still open at the end, of AAPL:NASDAQ.');
      expect(ended.text('report.html')).toContain('1 order was still open at the end');
      const cut = await run(6, undefined, DATES[22]);
      expect(fillsOf(cut)).toEqual([
        ['buy AAPL', 3],
        ['buy MSFT', 20],
      ]);
    });

    it('trades it again with its next bar', async () => {
      expect(fillsOf(await run(6, 30))).toEqual([
        ['buy AAPL', 3],
        ['buy MSFT', 20],
        ['buy MSFT', 25],
        ['sell AAPL', 30],
      ]);
    });

    it('waits as a server does when all of them lack the same weeks', async () => {
      const some = (seed: number) => daysOf(seed).filter((_, day) => day < 8 || day >= 20);
      const gap = await played({
        data: [{ path: written('prices.csv', csvOf({ AAPL: some(1), MSFT: some(2) })) }],
        orders: allocations(`${DATES[3]},MSFT,1.9\n${DATES[20]},AAPL,1.9`),
      });
      // Without the sale first, the purchase would have passed twice the value.
      expect(gap.result.refused).toBe(0);
      expect(fillsOf(gap)).toEqual([
        ['buy MSFT', 3],
        ['sell MSFT', 20],
        ['buy AAPL', 20],
      ]);
    });

    it('waits for it when it lacks a day only, as a server does', async () => {
      expect(fillsOf(await run(20, 22))).toEqual([
        ['buy AAPL', 3],
        ['sell AAPL', 22],
        ['buy MSFT', 22],
        ['buy MSFT', 25],
      ]);
    });
  });

  it('is simulated, and its record verifies', async () => {
    const run = await played({
      data: [{ path: written('prices.csv', csvOf(series)) }],
      orders: allocations(lines.join('\n')),
    });
    const statistics = operations.getStrategyStatistics.response.parse(
      JSON.parse(run.text('statistics.json')),
    );
    expect(statistics.basis).toBe('simulated');
    expect(run.text('report.html')).toContain('>simulated</span>');
    expect(new Set(run.rows('trades.csv').map(({ market }) => market))).toEqual(
      new Set(['replay']),
    );
    const entries = run
      .text('record.jsonl')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as Record<string, string> & { seq: number });
    const track = entries.map(
      ({ seq, kind, at = '', body = '', previous_hash: previousHash = '', hash = '' }) => ({
        ...{ strategyId: id<'strategy'>(statistics.strategy_id), seq, body, previousHash, hash },
        ...{ kind: kind as 'trade', at: Date.parse(at) },
      }),
    );
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(verifyTrack(track, sha256)).toMatchObject({ intact: true, entries: entries.length });
  });
});

describe('what trades', () => {
  const minutes = (count: number): string =>
    [
      'time,symbol,open,high,low,close',
      ...Array.from({ length: count }, (_, minute) => {
        const at = new Date(Date.UTC(2024, 0, 2, 14, 30 + minute)).toISOString();
        const open = 100 + minute;
        return `${at},AAPL,${open},${open + 0.7},${open - 0.3},${open + 0.5}`;
      }),
    ].join('\n');
  const data = () => [{ path: written('minutes.csv', minutes(10)) }];

  it('is an allocation that meets the first quote later than its time: at the end of a bar the next open', async () => {
    const run = await played({
      data: data(),
      barTime: 'start',
      orders: allocations(
        [
          '2024-01-02T14:32:00Z,AAPL,0.5',
          '2024-01-02T14:34:59.5Z,AAPL:NASDAQ,0.2',
          '2024-01-02T14:37:00Z,,',
        ].join('\n'),
      ),
    });
    expect(
      run.rows('trades.csv').map(({ action, price, created_at: at }) => [action, price, at]),
    ).toEqual([
      ['buy', '102', '2024-01-02T14:32:00.001Z'],
      ['sell', '104.5', '2024-01-02T14:34:59.999Z'],
      ['sell', '107', '2024-01-02T14:37:00.001Z'],
    ]);
  });

  it('is an alert log, by the rules of the webhook', async () => {
    const alert = (at: string, fields: object) =>
      JSON.stringify({
        at,
        body: { strategy_id: 'other', api_token: 'none', stock_id: 'AAPL', ...fields },
      });
    const file = written(
      'alerts.jsonl',
      [
        alert('2024-01-02T14:31:00Z', { action: 'buy', leverage: 2, pyramiding: 4 }),
        alert('2024-01-02T14:33:00Z', { action: 'buy', leverage: 2, pyramiding: 4 }),
        alert('2024-01-02T14:34:00Z', { action: 'hop' }),
        alert('2024-01-02T14:34:00Z', { action: 'buy', stock_id: 'MSFT' }),
        alert('2024-01-02T14:35:00Z', { action: 'close' }),
      ].join('\n'),
    );
    const run = await played({ data: data(), barTime: 'start', orders: { kind: 'alerts', file } });
    const trades = run.rows('trades.csv');
    expect(trades.map(({ action, price }) => [action, price])).toEqual([
      ['buy', '101'],
      ['buy', '103'],
      ['sell', '105'],
    ]);
    expect(Number(trades[0]?.['total'])).toBeCloseTo(0.498, 12);
    expect(run.rows('refused.csv').map(({ source, reason }) => [source, reason])).toEqual([
      [`${file}:3`, expect.stringContaining('action must be one of')],
      [`${file}:4`, 'the data has no bars of MSFT'],
    ]);
  });

  it('is an alert log with the blanks and unfilled placeholders of a template, as the webhook takes them', async () => {
    const alert = (at: string, fields: object) =>
      JSON.stringify({ at, body: { stock_id: ' AAPL ', alert_id: '{{id}}', ...fields } });
    const file = written(
      'alerts.jsonl',
      [
        alert('2024-01-02T14:31:00Z', { action: 'buy', leverage: ' 1.5 ', market_position: '' }),
        alert('2024-01-02T14:33:00Z', { action: 'close', market_position: null }),
      ].join('\n'),
    );
    const run = await played({ data: data(), barTime: 'start', orders: { kind: 'alerts', file } });
    expect(run.rows('refused.csv')).toEqual([]);
    expect(run.rows('trades.csv').map(({ action }) => action)).toEqual(['buy', 'sell']);
  });

  it('is refused in the words of the service, in an alert log and in a module', async () => {
    const log = { at: '2024-01-02T14:31:00Z', body: { stock_id: 'AAPL' } };
    const module = `let called = false;
      export async function onBar(context) {
        if (called) return;
        called = true;
        await context.newOrder({ stock_id: 'AAPL', action: 'buy', percnt: 1 }).catch(() => {});
      }`;
    const orders = [
      [
        { kind: 'alerts', file: written('alerts.jsonl', JSON.stringify(log)) },
        'action is required',
      ],
      [{ kind: 'module', file: written('module.mjs', module) }, 'unknown field "percnt"'],
    ] as const;
    for (const [given, reason] of orders) {
      const run = await played({ data: data(), barTime: 'start', orders: given });
      expect(run.rows('refused.csv')).toMatchObject([{ reason }]);
    }
  });

  it('is an alert of each of several stocks at one time: none replaces another that waits for its quote', async () => {
    const both = `${minutes(3)}\n${minutes(3).split('\n').slice(1).join('\n').replaceAll('AAPL', 'MSFT')}`;
    const alert = (stock: string) =>
      JSON.stringify({
        at: '2024-01-02T14:31:00Z',
        body: { stock_id: stock, action: 'buy', leverage: 0.5 },
      });
    const file = written('alerts.jsonl', [alert('AAPL'), alert('MSFT')].join('\n'));
    const data = [{ path: written('both.csv', both) }];
    const run = await played({ data, barTime: 'start', orders: { kind: 'alerts', file } });
    expect(run.rows('trades.csv').map(({ symbol, price }) => [symbol, price])).toEqual([
      ['AAPL', '101'],
      ['MSFT', '101'],
    ]);
  });

  it.each([
    [
      'an entry by stop and the stop of its loss',
      `const entry = await context.newOrder({ stock_id: 'AAPL:NASDAQ', action: 'buy', type: 'stop_market', stop_price: '103', amount: '0.005' });
       await context.newOrder({ stock_id: 'AAPL:NASDAQ', action: 'sell', type: 'stop_market', stop_price: '96', amount: '0.005', order_dependencies: [entry.order_id] });`,
      [
        ['buy', '106'],
        ['sell', '94'],
      ],
    ],
    [
      'an entry by limit, and its OCO',
      `const entry = await context.newOrder({ stock_id: 'AAPL:NASDAQ', action: 'buy', type: 'limit', price: '99', amount: '0.005' });
       await context.newOrder({ stock_id: 'AAPL:NASDAQ', action: 'sell', type: 'oco', price: '105', stop_price: '96', amount: '0.005', order_dependencies: [entry.order_id] });`,
      [
        ['buy', '99'],
        ['sell', '94'],
      ],
    ],
  ])('ends in the loss when a bar has both: %s', async (_, orders, fills) => {
    const file = written(
      'module.mjs',
      `let called = false;
       export async function onBar(context) { if (called) return; called = true; ${orders} }`,
    );
    const bars = [
      'time,symbol,open,high,low,close',
      '2024-01-02T14:30:00Z,AAPL,100,100,100,100',
      '2024-01-02T14:31:00Z,AAPL,100,106,94,101',
    ];
    const run = await played({
      data: [{ path: written('bars.csv', bars.join('\n')) }],
      barTime: 'start',
      orders: { kind: 'module', file },
    });
    expect(run.rows('trades.csv').map(({ action, price }) => [action, price])).toEqual(fills);
  });

  it.each(['BTC/USD', 'BTC-USD', 'btcusd', 'BTC'])(
    'is a coin that the data calls %s',
    async (symbol) => {
      const bar = (t: string) => ({ t, o: 100, h: 102, l: 99, c: 101, v: 1 });
      const bars = { [symbol]: [bar('2024-01-02T00:00:00Z'), bar('2024-01-03T00:00:00Z')] };
      for (const name of ['BTCUSD', 'BTC', 'BTCUSD:COINBASE', 'btc/usd']) {
        const run = await played({
          data: [{ path: written('bars.json', JSON.stringify({ bars })) }],
          orders: allocations(`2024-01-02T12:00:00Z,${name},0.5`),
          ...{ type: 'cryptocurrency', interval: DAY },
        });
        expect(run.rows('trades.csv')).toMatchObject([{ symbol: 'BTCUSD', action: 'buy' }]);
      }
    },
  );

  it('is a module that sees closed bars only, the warm-up as history', async () => {
    const seen = scratch('seen.jsonl');
    const file = written(
      'module.mjs',
      `import { appendFileSync } from 'node:fs';
       export async function onBar(context) {
         const shown = [...context.bars.values()].concat(context.history('AAPL', 100));
         const last = shown.map(({ endsAt }) => endsAt).sort().at(-1);
         appendFileSync(${JSON.stringify(seen)}, JSON.stringify({ at: context.at, last, count: context.history('AAPL', 100).length, value: context.value() }) + '\\n');
         if (context.at === '2024-01-03T14:33:00.000Z') await context.newOrder({ stock_id: 'AAPL:NASDAQ', action: 'buy', total: '0.5' });
         if (context.at === '2024-01-03T14:34:00.000Z') await context.newOrder({ stock_id: 'AAPL:NASDAQ', action: 'buy', total: '9' }).catch(() => {});
       }`,
    );
    const both = `${minutes(5)}\n${minutes(5).split('\n').slice(1).join('\n').replaceAll('2024-01-02', '2024-01-03')}`;
    const run = await played({
      data: [{ path: written('both.csv', both) }],
      barTime: 'start',
      from: '2024-01-03',
      orders: { kind: 'module', file },
    });
    const calls = readFileSync(seen, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { at: string; last: string; count: number });
    expect(calls.map(({ count }) => count)).toEqual([6, 7, 8, 9, 10]);
    for (const { at, last } of calls) expect(last).toBe(at);
    expect(run.rows('trades.csv').map(({ price, created_at: at }) => [price, at])).toEqual([
      ['103', '2024-01-03T14:33:00.001Z'],
    ]);
    expect(run.rows('refused.csv')).toMatchObject([{ source: 'newOrder' }]);
  });

  it.each([
    ['a percent', 'at,stock_id,percent\n2024-01-02,AAPL,3', ':2: percent must be between -2 and 2'],
    [
      'a stock',
      'at,stock_id,percent\n2024-01-02,AAPL,0.1\n2024-01-02,NVDA,0.1',
      ':3: the data has no bars of NVDA',
    ],
    ['a time', 'at,stock_id,percent\nsoon,AAPL,1', ':2: "soon" is no time'],
    [
      'an hour that no clock shows',
      'at,stock_id,percent\n2024-01-02 25:00,AAPL,1',
      ':2: "2024-01-02 25:00" is no time',
    ],
    [
      'an hour that clocks skip',
      'at,stock_id,percent\n2024-03-10 02:30,AAPL,1',
      ':2: "2024-03-10 02:30" is no time',
    ],
    ['a column', 'at,percent\n2024-01-02,1', ':1: there is no column stock_id'],
    [
      'semicolons',
      'at;stock_id;percent\n2024-01-02;AAPL;1',
      ':1: there is no column at: its columns must be separated by commas, not by ";"',
    ],
    ['no word', '', ': no line of it names an instrument'],
    ['no target', 'at,stock_id,percent\n', ': no line of it names an instrument'],
    ['exits alone', 'at,stock_id,percent\n2024-01-02,,', ': no line of it names an instrument'],
  ])('is refused by file and line: %s', async (_, text, message) => {
    const file = written('targets.csv', text);
    const run = played({
      ...{ data: data(), barTime: 'start', timeZone: 'America/New_York' },
      orders: { kind: 'allocations', file },
    });
    await expect(run).rejects.toThrow(`${file}${message}`);
  });

  it.each([
    ['no alert', ''],
    ['no stock', '{"at": "2024-01-02T15:00:00Z", "body": {"action": "buy"}}'],
  ])('is refused as an alert log with %s', async (_, text) => {
    const file = written('alerts.jsonl', text);
    const run = played({ data: data(), orders: { kind: 'alerts', file } });
    await expect(run).rejects.toThrow(`${file}: no line of it names an instrument`);
  });

  it.each([{ benchmark: 'AAPL' }, { symbols: ['AAPL'] }])(
    'is refused if no line of it names an instrument, also with %j',
    async (chosen) => {
      const file = written('targets.csv', 'at,stock_id,percent\n');
      const run = played({
        ...{ data: data(), barTime: 'start', timeZone: 'America/New_York' },
        ...{ orders: { kind: 'allocations', file }, ...chosen },
      });
      await expect(run).rejects.toThrow(`${file}: no line of it names an instrument`);
    },
  );
});

describe('the folder of a replay', () => {
  const data = () => [{ path: written('prices.csv', csvOf({ AAPL: daysOf(1) })) }];
  const orders = () => allocations('2024-01-02,AAPL,1');

  it('has its database only when the replay has ended well, and says so at the next start', async () => {
    const out = scratch('out');
    const module = {
      kind: 'module' as const,
      file: written('bad.mjs', 'export function onBar() { throw new Error("stop"); }'),
    };
    await expect(played({ data: data(), orders: module, out })).rejects.toThrow('stop');
    expect(existsSync(join(out, 'replay.db'))).toBe(false);
    expect(existsSync(join(out, 'replay.db.unfinished'))).toBe(true);
    const again = await played({ data: data(), orders: orders(), out });
    expect(again.said[0]).toContain('did not end');
    expect(readdirSync(out).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('is not called unfinished at its first replay, nor when one that ended is replaced', async () => {
    const first = await played({ data: data(), orders: orders() });
    const second = await played({ data: data(), orders: orders(), out: first.out, force: true });
    expect([...first.said, ...second.said].join()).not.toContain('did not end');
    expect(readdirSync(first.out).filter((name) => name.startsWith('replay-'))).toEqual([]);
  });

  it('is replaced only by force, and never when it has other files', async () => {
    const { out } = await played({ data: data(), orders: orders() });
    const again = { data: data(), orders: orders(), out };
    await expect(played(again)).rejects.toThrow('--force replaces it');
    await played({ ...again, force: true });
    writeFileSync(join(out, 'thesis.txt'), 'mine');
    await expect(played({ ...again, force: true })).rejects.toThrow('thesis.txt');
    expect(readFileSync(join(out, 'thesis.txt'), 'utf8')).toBe('mine');
  });
});

describe('the recorded prices', () => {
  withRecordedPrices(() => {
    it('give one buy of AAPL in 2014 its closes, its split and its dividends of three years, to 1e-12', async () => {
      const run = await played({
        data: [{ path: recorded('lean_equity_daily_raw.csv.gz') }],
        factors: recorded('lean_factor_files.csv'),
        orders: allocations('2014-01-02,AAPL,0.5'),
        from: '2014-01-01',
        to: '2016-12-31',
      });
      const rows = (name: string): string[][] =>
        (name.endsWith('.gz')
          ? gunzipSync(readFileSync(recorded(name)))
          : readFileSync(recorded(name))
        )
          .toString('utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(','))
          .filter(([symbol]) => symbol === 'AAPL');
      const days = rows('lean_equity_daily_raw.csv.gz').filter(([, date = '']) => date < '2017');
      // A row holds up to and including its date: what changes in the next one happened after it.
      const factors = rows('lean_factor_files.csv').map(
        ([, date = '', price, split, reference]) => ({
          ...{ date, price: Number(price), split: Number(split), reference: Number(reference) },
        }),
      );
      const last = days.at(-1)?.[1] ?? '';
      let [shares, received] = [1, 0];
      factors.slice(1).forEach((next, index) => {
        const old = factors[index];
        if (!old || old.date < '2014-01-02' || old.date >= last) return;
        received += shares * Number((old.reference * (1 - old.price / next.price)).toFixed(4));
        shares *= Math.round(next.split / old.split);
      });
      expect(shares).toBe(7);
      expect(received).toBeGreaterThan(25);
      const [trade] = run.rows('trades.csv');
      const [fill, notional] = [Number(trade?.['price']), Number(trade?.['total'])];
      const worth = shares * Number(days.at(-1)?.[5]) + received;
      const expected = 1 - notional + (notional * worth) / fill;
      expect(Math.abs(valueOf(run) / expected - 1)).toBeLessThan(1e-12);
    });

    it('end like the back-test of LEAN: 688 SPY at 167.45 (144.78 adjusted) make 101,691.92 of 100,000', async () => {
      const run = await played({
        data: [{ path: recorded('lean_minute_trade.csv.gz') }],
        // Between the first minute's extremes and its close.
        orders: allocations('2013-10-07T13:30:50Z,SPY,1'),
        ...{ timeZone: 'America/New_York', barTime: 'start', to: '2013-10-11', from: '2013-10-07' },
        // LEAN buys at the ask, a cent above the trade of 167.44, and pays 3.44 for 688 shares.
        slippage: decimal('0.000059722885809842'),
        fee: decimal('0.000034534745'),
      });
      const [trade] = run.rows('trades.csv');
      expect(Number(trade?.['price'])).toBeCloseTo(167.45, 12);
      const notional = Number(trade?.['total']);
      const lean = (688 * 144.78172417) / 100_000;
      const cents = Math.round(10_000_000 * (1 + ((valueOf(run) - 1) / notional) * lean));
      expect(Math.abs(cents - 10_169_192)).toBeLessThanOrEqual(1);
    });
  });
});
