import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedServer, STORAGES, composedServer } from '../helpers/composed-server.js';

describe.each(STORAGES)('newAlertTemplate on %s', (storage) => {
  let server: ComposedServer;
  beforeAll(async () => {
    server = await composedServer({ storage });
    await server.quotes({ 'AAPL:NASDAQ': 200 });
  });
  afterAll(() => server.close());

  it('gives a repeated request the same template, and makes one token', async () => {
    const token = await server.user('ada');
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Mine' }, token);
    const ask = () =>
      server.call('POST', '/newAlertTemplate', {
        body: { strategy_id, stock_id: 'AAPL:NASDAQ', leverage: '0.5' },
        headers: { 'idempotency-key': 'once' },
        token,
      });
    const before = await server.ask('getTokens', {}, token);
    const [first, second] = [await ask(), await ask()];
    expect(first.status).toBe(200);
    expect(JSON.parse(String(first.body?.response))).toMatchObject({
      strategy_id,
      leverage: '0.5',
      api_token: expect.stringMatching(/^slipa_/),
    });
    expect(second.text).toBe(first.text);
    expect(await server.ask('getTokens', {}, token)).toHaveLength(before.length + 1);
  });
});
