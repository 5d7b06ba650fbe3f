import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@slipstream/client';
import { openApi } from '@slipstream/wire';
import { parse } from 'csv-parse/sync';
import { someDetails } from '../../../wire/src/billing/examples.js';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

const DAY = 86_400_000;

let server: ComposedServer;
let owner: string;
let strategy_id: string;
let bot_id: string;

/** The bot brings its account in line: it has orders then. */
async function mirrorOnce(): Promise<void> {
  await server.quotes({ 'AAPL:NASDAQ': [199, 201] });
  await server.ask('startBot', { bot_id }, owner);
  await server.application.background.runBots();
}

/** The owner follows a strategy of somebody else that costs money: there is an invoice then. */
async function payForAMonth(): Promise<void> {
  const fields = { type: 'stock', name: 'Priced', price: 29 };
  const priced = await server.ask('newStrategy', fields, await server.user('ben'));
  await server.ask('newPaymentSource', { token: 'test_card_paid', ...someDetails }, owner);
  const followed = { strategy_id: priced.strategy_id, price: 29 };
  await server.ask('newStrategySubscription', followed, owner);
}

beforeAll(async () => {
  server = await composedServer();
  owner = await server.user('ada');
  ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'A' }, owner));
  ({ bot_id } = await server.ask(
    'newBot',
    { type: 'stock', broker: 'simulated', allocations: [{ strategy_id, percent: 1 }] },
    owner,
  ));
  for (const percent of ['0.5', '0.2']) {
    await server.quotes({ 'AAPL:NASDAQ': [199, 201] });
    const allocations = [{ stock_id: 'AAPL:NASDAQ', percent }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, owner);
    server.clock.advance(DAY);
  }
  await mirrorOnce();
  await payForAMonth();
});
afterAll(() => server.close());

const get = (path: string) => fetch(`${server.url}${path}`);
/** The cells of a table without quotes. */
const cells = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));

describe('format=csv', () => {
  it('answers the history that JSON has, as text/csv, also without a token', async () => {
    const query = `?strategy_id=${strategy_id}&to=2999-01-01&format=`;
    const table = await get(`/getStrategyHistory${query}csv`);
    expect([table.status, table.headers.get('Content-Type')]).toEqual([
      ...[200, 'text/csv; charset=utf-8'],
    ]);
    expect(table.headers.get('Content-Disposition')).toBe(
      'inline; filename="getStrategyHistory.csv"',
    );
    const { response } = (await (await get(`/getStrategyHistory${query}json`)).json()) as {
      response: Record<string, string>[];
    };
    const [header = [], first = []] = cells(await table.text());
    expect(header).toEqual(['at', 'strategy_value', 'high', 'low']);
    expect(first).toEqual(header.map((name) => response[0]?.[name]));
  });

  it('answers the months and days of statistics', async () => {
    const table = await get(`/getStrategyStatistics?strategy_id=${strategy_id}&format=csv`);
    const [header, ...rows] = cells(await table.text());
    expect(header).toEqual(['basis', 'kind', 'date', 'value', 'return', 'partial']);
    expect(rows.map(([basis, kind]) => `${basis} ${kind}`)).toEqual([
      ...['supplied month', 'supplied day', 'supplied day'],
    ]);
  });

  const tables = () =>
    [
      ['getTrades', { strategy_id }],
      ['getOrders', { strategy_id, order_status: 'filled' }],
      ['getInvoices', {}],
      ['getBotOrders', { bot_id }],
    ] as const;
  const client = () => createClient({ url: server.url, token: owner });
  const written = (field: unknown): string =>
    field === null ? '' : typeof field === 'object' ? JSON.stringify(field) : String(field);

  it('answers the lists that JSON has, field by field', async () => {
    for (const [name, request] of tables()) {
      const ask = client()[name] as (fields: object) => Promise<unknown>;
      const records = (await ask(request)) as Record<string, unknown>[];
      const rows = parse<Record<string, string>>(
        (await ask({ ...request, format: 'csv' })) as string,
        { columns: true },
      );
      expect([name, rows.length]).toEqual([name, records.length]);
      expect([name, rows]).toEqual([
        name,
        records.map((one) =>
          Object.fromEntries(Object.entries(one).map(([field, value]) => [field, written(value)])),
        ),
      ]);
      expect([name, rows.length > 0]).toEqual([name, true]);
    }
  });

  it('answers a span of a list: days count from their start and to their end', async () => {
    const [last, first] = await client().getTrades({ strategy_id });
    const [day, next] = [first, last].map((trade) => trade?.created_at.slice(0, 10) ?? '');
    const idsOf = async (span: object) =>
      (await client().getTrades({ strategy_id, ...span })).map(({ trade_id }) => trade_id);
    expect(await idsOf({ to: day })).toEqual([first?.trade_id]);
    expect(await idsOf({ from: next })).toEqual([last?.trade_id]);
    expect(await idsOf({ from: day, to: next })).toEqual([last?.trade_id, first?.trade_id]);
    expect(await idsOf({ from: last?.created_at })).toEqual([last?.trade_id]);
    expect(await idsOf({ to: last?.created_at })).toEqual([first?.trade_id]);
    for (const [name, request] of tables())
      await expect(
        (client()[name] as (fields: object) => Promise<unknown>)({
          ...request,
          ...{ from: next, to: '2020-01-01' },
        }),
      ).rejects.toMatchObject({ code: 'invalid_field', message: /from must be before to/ });
  });

  it('is the text for clients', async () => {
    const client = createClient({ url: server.url });
    const text: string = await client.getStrategyHistory({ strategy_id, format: 'csv' });
    expect(text).toContain('at,strategy_value,high,low\n');
    const points = await client.getStrategyHistory({ strategy_id, interval: '1h' });
    expect(points[0]?.strategy_value).toBe('1');
  });

  it.each([
    ['/getStrategyHistory?strategy_id=not-there&format=csv', 'not_found'],
    ['/getStrategyHistory?strategy_id=not-there&format=xml', 'invalid_field'],
  ])('fails in the envelope: %s', async (path, code) => {
    const refused = await get(path);
    expect([refused.status, refused.headers.get('X-Error-Code')]).toEqual([400, code]);
    expect(await refused.json()).toMatchObject({ success: false });
  });

  it('stands in the documents', () => {
    const { paths } = openApi({ version: '1' }) as unknown as {
      paths: Record<string, { get: { responses: { 200: { content: object } } } }>;
    };
    for (const path of [
      ...['/getStrategyHistory', '/getStrategyStatistics', '/getTrades', '/getOrders'],
      ...['/getInvoices', '/getBotOrders'],
    ])
      expect(Object.keys(paths[path]?.get.responses[200].content ?? {})).toEqual([
        ...['application/json', 'text/csv'],
      ]);
  });
});
