import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ResponseOf } from '@slipstream/wire';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';

const AAPL = 'AAPL:NASDAQ';
const [MINUTE, DAY] = [60_000, 86_400_000];
const PRICES = [200, 210, 205, 221, 219, 230];
const NAME = '<script>alert(1)</script>';

type Statistics = ResponseOf<'getBotStatistics'>;

/** A fraction as the page writes it. */
const percent = (value: string): string => {
  const text = `${(Number(value) * 100).toFixed(2).replace('-', '\u2212')}\u00a0%`;
  return Number(value) > 0 ? `+${text}` : text;
};

describe("the report of a bot's account", () => {
  let server: ComposedServer;
  let token: string;
  let bot_id: string;
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-bot-report-'));
  const path = (name: string): string => join(folder, name);
  const read = (...names: string[]): string => readFileSync(join(folder, ...names), 'utf8');
  const report = (out: string, args: readonly string[] = [], owner = token) =>
    runCommand(['report', '--bot', bot_id, '--out', path(out), '--min-n', '2', ...args], {
      SLIPSTREAM_URL: server.url,
      SLIPSTREAM_TOKEN: owner,
    });
  const text = (answer: { readonly text: string }): string => answer.text;
  const run = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      server.clock.advance(MINUTE);
      await server.application.background.runBots();
      await server.application.background.tick();
    }
  };

  beforeAll(async () => {
    server = await composedServer({ environment: { TRADING_HOURS: 'always' } });
    token = await server.user('ada');
    const strategy = { type: 'stock', name: NAME } as const;
    const { strategy_id } = await server.ask('newStrategy', strategy, token);
    const bot = {
      ...{ type: 'stock', broker: 'simulated', limits: { max_drawdown: '0.9' } },
      allocations: [{ strategy_id, percent: '1' }],
    } as const;
    ({ bot_id } = await server.ask('newBot', bot, token));
    await server.quotes({ [AAPL]: [PRICES[0] ?? 0, (PRICES[0] ?? 0) + 0.02] });
    const allocations = [{ stock_id: AAPL, percent: '0.9' }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, token);
    await server.ask('startBot', { bot_id }, token);
    for (const [day, price] of PRICES.entries()) {
      await server.quotes({ [AAPL]: [price, price + 0.02] });
      const percentOfDay = [{ stock_id: AAPL, percent: day % 2 === 0 ? '0.9' : '0.3' }];
      await server.ask('newOrderAllocations', { strategy_id, allocations: percentOfDay }, token);
      await run(3);
      server.clock.advance(DAY - 3 * MINUTE);
    }
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('has the figures, orders and readings of the service, to the digit', async () => {
    expect(await report('bot')).toMatchObject({
      code: 0,
      out: expect.stringContaining('report.html'),
    });
    expect(readdirSync(path('bot')).sort()).toEqual(
      ['equity.csv', 'orders.csv', 'report.html', 'statistics.json'], // oxfmt-ignore
    );
    const online = await server.ask('getBotStatistics', { bot_id, min_n: '2' }, token);
    expect(JSON.parse(read('bot', 'statistics.json'))).toEqual(online);
    expect(online.sharpe.value).not.toBeNull();
    const orders = await server.ask('getBotOrders', { bot_id, limit: 100 }, token);
    expect(orders.length).toBeGreaterThan(3);
    const table = text(await server.attempt('getBotOrders', { bot_id, format: 'csv' }, token));
    const [header = '', ...rows] = table.trimEnd().split('\n');
    expect(read('bot', 'orders.csv').trimEnd().split('\n')).toEqual([header, ...rows.reverse()]);
    const history = await server.ask('getBotHistory', { bot_id, timeframe: 'five_year' }, token);
    expect(read('bot', 'equity.csv').trimEnd().split('\n').slice(1)).toEqual(
      history.map(({ at, equity, cash, flow, target }) =>
        [at, equity, cash, flow ?? '', target ?? ''].join(','),
      ),
    );
  });

  it('draws these figures: of the account, of its target, and the difference by cause', async () => {
    const page = text(await server.attempt('getReport', { bot_id, min_n: '2' }, token));
    const online: Statistics = await server.ask('getBotStatistics', { bot_id, min_n: '2' }, token);
    const { total_return, target, tracking, sharpe } = online;
    for (const { value } of [
      ...[total_return, target.total_return, target.worst_day],
      ...[tracking.total, tracking.slippage, tracking.delay, tracking.other],
    ])
      expect(page).toContain(`>${percent(value ?? 'none')}<`);
    expect(page).toContain(`>${Number(sharpe.value).toFixed(2).replace('-', '\u2212')}<`);
    for (const title of ['Account and target', 'Below the highest close', 'Flows', 'Orders'])
      expect(page).toContain(`<h2>${title}</h2>`);
    expect(page).toContain('Target, scaled to the same start');
    expect(page).toContain('The account holds play money');
  });

  it('loads nothing, runs nothing, and shows names as text', async () => {
    const page = text(await server.attempt('getReport', { bot_id }, token));
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/<(script|link|img|iframe)\b|url\(|@import|\bon\w+=|(src|href)=/);
    expect(page).toContain('&lt;script>alert(1)');
    const again = text(await server.attempt('getReport', { bot_id }, token));
    expect(again).toBe(page);
  });

  it('calls the bot by its name, and without one by what it mirrors', async () => {
    const title = async (): Promise<string | undefined> =>
      /<title>(.*?)<\/title>/.exec(text(await server.attempt('getReport', { bot_id }, token)))?.[1];
    expect(await title()).toMatch(/^Bot of &lt;script>/);
    await server.ask('updateBot', { bot_id, name: 'Pension' }, token);
    expect(await title()).toMatch(/^Pension\b/);
    await server.ask('updateBot', { bot_id, name: null }, token);
  });

  it('is for its owner alone, whose token may read its statistics and orders', async () => {
    const other = await server.user('bea');
    const scoped = async (...scope: string[]): Promise<string> =>
      (await server.ask('newToken', { name: scope.join(' '), scope }, token)).token;
    const ofBot = ['getBotStatistics', 'getBotOrders'];
    const by = async (given?: string) => {
      const { status, headers } = await server.attempt('getReport', { bot_id }, given);
      return [status, headers.get('X-Error-Code')];
    };
    expect(await by(other)).toEqual([400, 'not_found']);
    expect(await by()).toEqual([401, 'unauthenticated']);
    expect(await by(await scoped('getReport'))).toEqual([401, 'unauthenticated']);
    expect(await by(await scoped('getReport', ...ofBot))).toEqual([200, null]);
    expect((await report('other', [], other)).code).toBe(1);
  });

  it.each([
    ['both a strategy and a bot', { bot_id: 'one', strategy_id: 'two' }],
    ['a benchmark beside the target', { bot_id: 'one', benchmark: AAPL }],
    ['neither', {}],
  ])('refuses %s', async (_, fields) => {
    const answer = await server.attempt('getReport', fields, token);
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([400, 'invalid_field']);
  });

  it.each([
    ['--benchmark', 'closes.csv'],
    ['--record', 'track.json'],
  ])('takes no %s', async (...args) => {
    const { code, complaints } = await report('none', args);
    expect(code).toBe(1);
    expect(complaints).toMatch(/a bot is compared with its target|give either/);
    expect(readdirSync(folder)).not.toContain('none');
  });
});
