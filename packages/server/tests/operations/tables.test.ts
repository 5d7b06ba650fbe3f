import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@slipstream/client';
import { openApi } from '@slipstream/wire';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

let server: ComposedServer;
let strategy_id: string;
beforeAll(async () => {
  server = await composedServer();
  const owner = await server.user('ada');
  ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'A' }, owner));
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
    expect(cells(await table.text())).toEqual([
      ['basis', 'kind', 'date', 'value', 'return', 'partial'],
    ]);
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
    for (const path of ['/getStrategyHistory', '/getStrategyStatistics'])
      expect(Object.keys(paths[path]?.get.responses[200].content ?? {})).toEqual([
        ...['application/json', 'text/csv'],
      ]);
  });
});
