import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@slipstream/client';
import { openApi } from '@slipstream/wire';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';
const DAY = 86_400_000;
const NAME = '</title></style><script>alert(1)</script><b onclick=x>"&amp;';

let server: ComposedServer;
let owner: string;
let strategy_id: string;
let hidden: string;
beforeAll(async () => {
  server = await composedServer({ environment: { TRADING_HOURS: 'always' } });
  owner = await server.user('ada');
  const made = { type: 'stock', description: NAME } as const;
  ({ strategy_id } = await server.ask('newStrategy', { ...made, name: NAME }, owner));
  const secret = { ...made, name: 'Hidden', private: true } as const;
  hidden = (await server.ask('newStrategy', secret, owner)).strategy_id;
  for (const [day, price] of [200, 210, 190].entries()) {
    await server.quotes({ [AAPL]: [price - 0.01, price + 0.01] });
    const allocations = [{ stock_id: AAPL, percent: day % 2 === 0 ? '0.9' : '0' }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, owner);
    server.clock.advance(DAY);
    await server.application.background.tick();
  }
});
afterAll(() => server.close());

const get = (query: string, token?: string) =>
  fetch(`${server.url}/getReport?${query}`, {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  });

describe('getReport', () => {
  it('answers one page that loads nothing and runs nothing, and is no part of this origin', async () => {
    const answer = await get(`strategy_id=${strategy_id}`, owner);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': 'inline; filename="getReport.html"',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*; sandbox$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const page = await answer.text();
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/<(script|link|img|iframe)\b|<b\b|\son\w+="|(src|href)=/);
    expect(page.match(/<\/title>/g)).toHaveLength(1);
    expect(page).toContain('&lt;script>alert(1)');
  });

  it('has the figures of getStrategyStatistics', async () => {
    const { total_return } = await server.ask('getStrategyStatistics', { strategy_id }, owner);
    const page = await (await get(`strategy_id=${strategy_id}`)).text();
    const shown = (Number(total_return.value) * 100).toFixed(2).replace('-', '\u2212');
    expect(page).toContain(`${shown}\u00a0%`);
  });

  it('shows strangers neither trades nor the breakdown by stock', async () => {
    const [own, other] = [
      await (await get(`strategy_id=${strategy_id}`, owner)).text(),
      await (await get(`strategy_id=${strategy_id}`)).text(),
    ];
    expect(own).toContain('>Trades<');
    expect(own).toContain('By stock');
    expect(own).toContain(AAPL);
    expect(other).not.toMatch(/>Trades<|>Refused<|By stock|AAPL/);
    expect(other).toContain('Segments of the record');
  });

  it('says of lists that are longer than it shows where the rest is, and no number that is none', async () => {
    const busy = await server.ask('newStrategy', { type: 'stock', name: 'Busy' }, owner);
    const order = { ...{ strategy_id: busy.strategy_id, stock_id: AAPL }, action: 'buy' };
    // The first of the large ones fills; beside it none of the others does.
    for (const total of ['0.001', '1.5'])
      for (let n = 0; n < 230; n += 1)
        await server.ask('newOrder', { ...order, total, type: 'limit', price: '150' }, owner);
    await server.quotes({ [AAPL]: [149.98, 149.99] });
    const page = await (await get(`strategy_id=${busy.strategy_id}`, owner)).text();
    for (const [title, operation] of [
      ['Trades', 'getTrades'],
      ['Refused', 'getOrders'],
    ] as const) {
      const [, section = ''] = page.split(`<h2>${title}</h2>`);
      const [list = ''] = section.split('</section>');
      expect(list).toContain(`The last 200; all of them are in the answers of ${operation}.`);
      expect(list.match(/<tr>/g)).toHaveLength(201);
    }
  });

  it('compares with a stock', async () => {
    const page = await (await get(`strategy_id=${strategy_id}&benchmark=${AAPL}`)).text();
    expect(page).toContain('Against the benchmark');
  });

  it.each([
    [() => `strategy_id=${hidden}`, 400, 'not_found'],
    [() => 'strategy_id=none', 400, 'not_found'],
    [() => '', 400, 'invalid_field'],
    [() => `strategy_id=${strategy_id}&to=2999-01-01`, 400, 'invalid_field'],
  ])('refuses in the envelope %#', async (query, status, code) => {
    const answer = await get(query());
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([status, code]);
    expect(await answer.json()).toMatchObject({ success: false });
  });

  it('is text for clients and in the documents', async () => {
    const client = createClient({ url: server.url });
    expect(await client.getReport({ strategy_id })).toMatch(/^<!doctype html>/);
    const { paths } = openApi({ version: '1' }) as unknown as {
      paths: Record<string, { get: { responses: { 200: { content: object } } } }>;
    };
    expect(Object.keys(paths['/getReport']?.get.responses[200].content ?? {})).toEqual([
      'text/html',
    ]);
  });
});
