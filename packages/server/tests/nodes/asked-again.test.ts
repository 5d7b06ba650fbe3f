import { describe, expect, it } from '@jest/globals';
import { DEFAULT_RATE_LIMITS, createLimiter, httpHandler } from '@slipstream/adapter-http';
import { silentLog } from '@slipstream/adapter-memory/testing';
import { STORAGES, composedServer } from '../helpers/composed-server.js';
import { ends, forwarding } from './linked-nodes.js';

describe('a request whose link broke after the whole server had done it', () => {
  const stock_id = 'AAPL:NASDAQ';
  const alert = { path: '/newOrderWebhook', fields: { stock_id, action: 'buy' } };
  const order = { path: '/newOrder', fields: { stock_id, action: 'buy', amount: '0.0001' } };
  const keyed = { 'Idempotency-Key': 'k-1' };
  const every = [
    { ...alert, status: 200, says: '"order_id"', left: { alerts: 1, trades: 1 } },
    {
      ...alert,
      fields: { ...alert.fields, alert_id: 'a' },
      status: 200,
      says: '"order_id"',
      left: { alerts: 1, trades: 1 },
    },
    {
      ...alert,
      fields: { ...alert.fields, stock_id: 'MSFT:NASDAQ' },
      status: 400,
      says: 'quote',
      left: { alerts: 1, trades: 0 },
    },
    // Its quote comes meanwhile.
    {
      ...alert,
      fields: { ...alert.fields, stock_id: 'GOOG:NASDAQ' },
      status: 200,
      says: '"order_id"',
      left: { alerts: 1, trades: 1 },
    },
    { ...order, headers: keyed, status: 200, says: '"order_id"', left: { alerts: 0, trades: 1 } },
    {
      path: '/newPost',
      fields: { text: 'one' },
      headers: keyed,
      status: 200,
      says: '"post_id"',
      left: { alerts: 0, trades: 0 },
    },
    { ...order, status: 'cut', says: '', left: { alerts: 0, trades: 1 } },
  ];
  it.each(STORAGES.flatMap((storage) => every.map((one) => ({ storage, headers: {}, ...one }))))(
    'gets $status, and is done once: $path $fields $headers, $storage',
    async ({ storage, path, fields, headers, status, says, left }) => {
      const server = await composedServer({ storage });
      ends.push(() => server.close());
      const token = await server.user('owner');
      const { strategy_id } = await server.ask(
        'newStrategy',
        { type: 'stock', name: 'One' },
        token,
      );
      await server.quotes({ 'AAPL:NASDAQ': 100 });
      const handler = httpHandler({
        ...{ application: server.application, log: silentLog(), newId: () => 'r-2' },
        ...{ limiter: createLimiter(DEFAULT_RATE_LIMITS), corsOrigins: [], trustProxy: false },
        ...{ version: '1', ready: () => true },
      });
      let asked = 0;
      const { proxy, send } = await forwarding(
        async (...given) => {
          const answer = await handler.answer(...given);
          if ((asked += 1) === 1) {
            await server.quotes({ 'GOOG:NASDAQ': 100 });
            proxy.cut();
          }
          return answer;
        },
        () => true,
      );
      const answered = await send(
        path,
        {
          ...{ Host: 'x', 'Content-Type': 'application/json', ...headers },
          ...(path === alert.path ? {} : { Authorization: `Bearer ${token}` }),
        },
        JSON.stringify({
          ...{ strategy_id, ...fields },
          ...(path === alert.path ? { api_token: token } : {}),
        }),
      );
      const [seen, body] =
        typeof answered === 'string' ? [answered, ''] : (answered as [number, string]);
      expect([seen, body]).toEqual([status, expect.stringContaining(says)]);
      const [alerts, trades] = await Promise.all([
        server.ask('getAlerts', { strategy_id }, token),
        server.ask('getTrades', { strategy_id }, token),
      ]);
      expect({ alerts: alerts.length, trades: trades.length }).toEqual(left);
    },
  );
});
