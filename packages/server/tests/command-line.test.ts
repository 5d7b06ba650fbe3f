import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { commandLine } from '../src/cli/command-line.js';
import { liveBoard } from '../src/cli/live-board.js';
import { table } from '../src/cli/output.js';
import { type ComposedServer, composedServer } from './composed-server.js';

const AAPL = 'AAPL:NASDAQ';

describe('the commands that talk to a server', () => {
  let server: ComposedServer;
  let token: string;
  let strategy_id: string;
  beforeAll(async () => {
    server = await composedServer();
    token = await server.user('ada');
    await server.quotes({ [AAPL]: [199.98, 200.02] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const given = { type: 'stock', name: 'Momentum' };
    ({ strategy_id } = await server.ask('newStrategy', given, token));
  });

  /** What a command prints and how it ends. */
  async function run(
    args: readonly string[],
    environment: Record<string, string> = {},
    onText: (text: string) => void = () => undefined,
  ) {
    let [out, complaints] = ['', ''];
    const spies = [
      jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
        onText(String(text));
        return !!(out += String(text));
      }),
      jest
        .spyOn(process.stderr, 'write')
        .mockImplementation((text) => !!(complaints += String(text))),
    ];
    try {
      await commandLine(['node', 'slipstream', ...args], {
        SLIPSTREAM_URL: server.url,
        SLIPSTREAM_TOKEN: token,
        ...environment,
      });
      return { out, complaints, code: process.exitCode ?? 0 };
    } finally {
      process.exitCode = 0;
      for (const spy of spies) spy.mockRestore();
    }
  }

  it('show what a person asked for as a table', async () => {
    const { out, code } = await run(['strategies']);
    expect(code).toBe(0);
    expect(out).toMatch(/^STRATEGY +NAME +TYPE +YOU ARE +VALUE +SUBSCRIBERS +USD\/MONTH\n/);
    expect(out).toMatch(new RegExp(`\n${strategy_id} +Momentum +stock +owner +1 +0 +0\n`));
  });

  it('show what a program asked for as the JSON of the service', async () => {
    await run([
      'orders',
      'new',
      strategy_id,
      'buy',
      AAPL,
      '--amount',
      '0.001',
      '--type',
      'limit',
      '--price',
      '150',
    ]);
    const { out } = await run(['orders', strategy_id, '--json']);
    const [order] = await server.ask('getOrders', { strategy_id }, token);
    expect(JSON.parse(out)).toEqual([order]);
    expect(await run(['orders', 'cancel', strategy_id, order?.order_id ?? ''])).toMatchObject({
      code: 0,
    });
    expect((await run(['orders', strategy_id])).out).toBe('No open orders.\n');
  });

  it('make a strategy', async () => {
    const { out } = await run([
      'strategies',
      'new',
      'Mine',
      '--type',
      'stock',
      '--price',
      '5',
      '--category',
      'a',
      '--category',
      'b',
      '--private',
      '--json',
    ]);
    expect(JSON.parse(out)).toMatchObject({
      name: 'Mine',
      price: 5,
      private: true,
      categories: ['a', 'b'],
    });
  });

  it('allocate, send an alert and preview both', async () => {
    const preview = await run(['allocate', strategy_id, `${AAPL}=0.5`, '--preview']);
    expect(preview.out).toMatch(/buy +AAPL:NASDAQ +market/);
    expect(await server.ask('getTrades', { strategy_id }, token)).toEqual([]);
    await run(['allocate', strategy_id, `${AAPL}=0.5`]);
    expect(await server.ask('getTrades', { strategy_id }, token)).toHaveLength(1);
    await run(['alert', strategy_id, AAPL, 'sell', '--leverage', '0.1']);
    const { positions } = await server.ask('getPositions', { strategy_id }, token);
    expect(positions[0]?.amount).toMatch(/^-/);
    await run(['allocate', strategy_id, '--close-all']);
    expect((await server.ask('getPositions', { strategy_id }, token)).positions).toEqual([]);
  });

  it('do what they write once, however often it has to be sent', async () => {
    const keys: (string | undefined)[] = [];
    const busy = createServer(({ headers }, response) => {
      keys.push(headers['idempotency-key']?.toString());
      const success = keys.length > 1;
      response.statusCode = success ? 200 : 503;
      response.end(JSON.stringify({ success, response: 'Order deleted.' }));
    });
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    try {
      const SLIPSTREAM_URL = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
      const { code } = await run(['orders', 'cancel', strategy_id, 'any'], { SLIPSTREAM_URL });
      expect(code).toBe(0);
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
    } finally {
      busy.close();
    }
  });

  it('start and stop a bot and show its account', async () => {
    const given = {
      type: 'stock',
      broker: 'simulated',
      allocations: [{ strategy_id, percent: 1 }],
      credentials: { starting_balance: '10000' },
    };
    const { bot_id } = await server.ask('newBot', given, token);
    expect((await run(['bots', 'start', bot_id])).out).toMatch(/STATUS +scheduled_rebalance/);
    expect((await run(['bots', 'account', bot_id])).out).toMatch(/EQUITY +10000\n/);
    expect((await run(['bots', 'stop', bot_id, '--no-close'])).out).toMatch(
      /STATUS +(stopping|off)/,
    );
    expect((await run(['bots'])).out).toContain('simulated (no real money)');
  });

  it('watch as lines until what is watched ends', async () => {
    const { out, complaints } = await run(
      ['watch', `wsStrategyValue:${strategy_id}`],
      {},
      (text) => {
        if (text.includes('"snapshot"')) void server.ask('deleteStrategy', { strategy_id }, token);
      },
    );
    expect(
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { event: string }).event),
    ).toEqual(['snapshot', 'ended']);
    expect(complaints).toContain(`wsStrategyValue:${strategy_id} ended: `);
  });

  it.each([
    [
      'what the service refuses, in its sentence',
      ['allocate', 'unknown', `${AAPL}=0.5`],
      {},
      /^Request failed\. .+\.\n$/,
    ],
    [
      'a token that does not count, and what to do',
      ['bots'],
      { SLIPSTREAM_TOKEN: 'nobody' },
      /^Authentication failed\. .*--token or SLIPSTREAM_TOKEN/,
    ],
    [
      'a folder that is not there, before anything is downloaded',
      ['track', 'any', 'nowhere/record.json'],
      {},
      /^there is no folder nowhere\n$/,
    ],
    ['a dangerous slip', ['allocate', 'any'], {}, /--close-all/],
    [
      'a stream that is not open to the token',
      ['watch', 'wsOrders:x'],
      { SLIPSTREAM_TOKEN: 'nobody' },
      /Authentication failed\./,
    ],
  ])('tell of %s, with exit code 1', async (_, args, environment, told) => {
    const { code, complaints, out } = await run(args, environment);
    expect({ code, complaints, out }).toEqual({
      code: 1,
      complaints: expect.stringMatching(told),
      out: expect.any(String),
    });
  });
});

describe('a table', () => {
  it('puts numbers to the right, and keeps control characters of others out of the terminal', () => {
    const rows = [
      { name: 'a\u001b[2Jb\nc', amount: '1.5' },
      { name: 'd', amount: null },
    ];
    expect(table(rows, { NAME: ({ name }) => name, AMOUNT: ({ amount }) => amount })).toBe(
      ['NAME      AMOUNT', 'a [2Jb c     1.5', 'd              -'].join('\n'),
    );
  });
});

describe('the live board', () => {
  it('adds up snapshots and changes to what there is now', () => {
    const board = liveBoard();
    const told = {
      channel: 'wsStrategyValue:s',
      version: 1,
      at: '2026-03-04T15:00:00.000Z',
    } as const;
    const value = (strategy_value: string) => ({ strategy_id: 's', strategy_value });
    board.take({ ...told, event: 'snapshot', data: value('1') });
    board.take({ ...told, event: 'changed', data: value('1.25') });
    expect(board.text()).toBe('STRATEGY  VALUE  AT\ns          1.25  15:00:00.000');
    board.take({ channel: 'wsStrategyValue:s', event: 'ended', data: { reason: 'deleted' } });
    expect(board.text()).toContain('wsStrategyValue:s ended: deleted');
  });
});
