import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, type Socket, connect, createServer as createRelay } from 'node:net';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as library from '@slipstream/client';
import { type Client, type StreamEvent, type Streams, createClient } from '@slipstream/client';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { PACKAGES } from '../helpers/repository.js';

const AAPL = 'AAPL:NASDAQ';

/** Passes bytes on to a server, until it is cut. */
async function relayTo(url: string) {
  const sockets = new Set<Socket>();
  const relay = createRelay({ noDelay: true }, (near) => {
    const far = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cut,
    close: () => {
      cut();
      relay.close();
    },
  };
}

/** Waits for reconnecting take no time here; the watch over a silent connection never ends by itself. */
const hasty = {
  wait: (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (milliseconds < 60_000) setImmediate(resolve);
      else signal?.addEventListener('abort', () => resolve());
    }),
};

/** Collects what a listener is told; a test awaits the next one. */
function listening<Event>() {
  const events: Event[] = [];
  const waiting: ((event: Event) => void)[] = [];
  return {
    listener: (event: Event): void => {
      const next = waiting.shift();
      if (next) next(event);
      else events.push(event);
    },
    next: (): Promise<Event> => {
      const first = events.shift();
      return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
    },
    events,
  };
}

describe('the typed client', () => {
  let server: ComposedServer;
  let token: string;
  let client: Client;
  const opened: Streams[] = [];
  const streamsOf = (owner: Client, options = {}): Streams => {
    const streams = owner.streams(options);
    opened.push(streams);
    return streams;
  };
  beforeAll(async () => {
    server = await composedServer();
    token = await server.user('ada');
    client = createClient({ url: server.url, token, timers: hasty });
    await createClient({ url: server.url, token: OPERATOR_TOKEN }).newQuotes({
      quotes: [{ stock_id: AAPL, bid: '199.98', ask: '200.02', last: '200' }],
    });
  });
  afterAll(async () => {
    for (const streams of opened) streams.close();
    await server.close();
  });

  it('runs the example of its README', async () => {
    const readme = readFileSync(join(PACKAGES, 'client/README.md'), 'utf8');
    const snippet = /```js\nimport .*\n([^]*?)```/.exec(readme)?.[1] ?? '';
    const printed: string[] = [];
    const run = compileFunction(
      `const { RequestFailed, createClient } = library; return (async () => {${snippet}})()`,
      ['library', 'process', 'console'],
    ) as (...given: unknown[]) => Promise<void>;
    await run(
      library,
      { env: { SLIPSTREAM_URL: server.url, SLIPSTREAM_TOKEN: token } },
      { log: (...words: unknown[]) => printed.push(words.join(' ')) },
    );
    expect(printed).toEqual([
      '0 open orders',
      'buy 0.001 AAPL at 150',
      expect.stringMatching(/^400 not_found Request failed\. /),
    ]);
  });

  it('keeps decimals as strings', async () => {
    const { strategy_id } = await client.newStrategy({ type: 'stock', name: 'Exact' });
    const order = await client.newOrder({
      strategy_id,
      stock_id: AAPL,
      action: 'buy',
      type: 'limit',
      amount: '0.001000000000000001',
      price: 190.05,
    });
    expect([order.amount, order.price]).toEqual(['0.001000000000000001', '190.05']);
  });

  it("rejects with the service's sentence", async () => {
    await expect(client.getPositions({ strategy_id: 'unknown' })).rejects.toMatchObject({
      name: 'RequestFailed',
      status: 400,
      code: 'not_found',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const stranger = createClient({ url: server.url });
    await expect(stranger.getBots()).rejects.toMatchObject({
      status: 401,
      message: 'Authentication failed.',
    });
    await expect(client.getBots({}, { token: 'another' })).rejects.toMatchObject({ status: 401 });
  });

  it('does not follow to another address, which gets no token', async () => {
    const elsewhere = createServer((request, response) => {
      response.writeHead(308, { Location: `${server.url}${request.url}` }).end();
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const led = createClient({ url, token, attempts: 1 }).getBots();
    await expect(led).rejects.toThrow(`${url} cannot be reached (unexpected redirect)`);
    elsewhere.close();
  });

  it('continues after a lost connection: orders with what came meanwhile, other channels with a snapshot', async () => {
    const relay = await relayTo(server.url);
    const states: string[] = [];
    const streams = streamsOf(createClient({ url: relay.url, token, timers: hasty }), {
      onConnection(state: string) {
        states.push(state);
        if (state === 'lost') lost();
      },
    });
    let lost = (): void => undefined;
    const isLost = new Promise<void>((resolve) => (lost = resolve));
    const { strategy_id } = await client.newStrategy({ type: 'stock', name: 'Lost and found' });
    const [orders, alerts] = [
      listening<StreamEvent<'wsOrders'>>(),
      listening<StreamEvent<'wsAlerts'>>(),
    ];
    streams.subscribe(`wsOrders:${strategy_id}`, orders.listener);
    streams.subscribe(`wsAlerts:${strategy_id}`, alerts.listener);
    const begun = await orders.next();
    expect(begun).toMatchObject({ event: 'snapshot', data: [] });
    expect(await alerts.next()).toMatchObject({ event: 'snapshot' });
    const order = {
      strategy_id,
      stock_id: AAPL,
      action: 'buy',
      type: 'limit',
      amount: '0.001',
      price: '150',
    } as const;
    relay.cut();
    await isLost;
    const { order_id } = await client.newOrder(order);
    await client.deleteOrder({ strategy_id, order_id });
    const opened = await orders.next();
    expect(opened).toMatchObject({ event: 'opened', data: { order_id } });
    expect(await orders.next()).toMatchObject({ event: 'cancelled', data: { order_id } });
    expect(await alerts.next()).toMatchObject({ event: 'snapshot' });
    if (begun.event === 'ended' || opened.event === 'ended') throw new Error('it ended');
    expect(opened.version).toBe(begun.version + 1);
    expect(states).toEqual(['open', 'lost', 'open']);
    relay.close();
  });

  it('hears the values of positions, although their version is that of the snapshot', async () => {
    const { strategy_id } = await client.newStrategy({ type: 'stock', name: 'Valued' });
    const allocations = [{ stock_id: AAPL, percent: '0.5' }];
    await client.newOrderAllocations({ strategy_id, allocations });
    const { listener, next } = listening<StreamEvent<'wsPositions'>>();
    streamsOf(client).subscribe(`wsPositions:${strategy_id}`, listener);
    const snapshot = await next();
    const quotes = [{ stock_id: AAPL, bid: '209.98', ask: '210.02', last: '210' }];
    await createClient({ url: server.url, token: OPERATOR_TOKEN }).newQuotes({ quotes });
    const valued = await next();
    if (snapshot.event !== 'snapshot' || valued.event !== 'valued') throw new Error(valued.event);
    expect(valued.version).toBe(snapshot.version);
    expect(valued.data.positions).toMatchObject([{ bid: '209.98' }]);
  });

  it('ends one channel with the reason, while the others continue', async () => {
    const { strategy_id } = await client.newStrategy({ type: 'stock', name: 'Mine' });
    const streams = streamsOf(client);
    const [refused, kept] = [
      listening<StreamEvent<'wsPositions'>>(),
      listening<StreamEvent<'wsStrategyValue'>>(),
    ];
    streams.subscribe('wsPositions:unknown', refused.listener);
    streams.subscribe(`wsStrategyValue:${strategy_id}`, kept.listener);
    expect(await refused.next()).toMatchObject({
      event: 'ended',
      data: { reason: expect.stringContaining('Request failed. ') },
    });
    expect(await kept.next()).toMatchObject({ event: 'snapshot', data: { strategy_value: '1' } });
    await client.deleteStrategy({ strategy_id });
    expect(await kept.next()).toMatchObject({ event: 'ended' });
  });

  it('gets nothing more from an unsubscribed channel', async () => {
    const { strategy_id } = await client.newStrategy({ type: 'stock', name: 'Quiet' });
    const streams = streamsOf(client);
    const { listener, next, events } = listening<StreamEvent<'wsOrders'>>();
    const unsubscribe = streams.subscribe(`wsOrders:${strategy_id}`, listener);
    expect(() => streams.subscribe(`wsOrders:${strategy_id}`, listener)).toThrow(
      'has a listener already',
    );
    await next();
    unsubscribe();
    await client.newOrder({
      strategy_id,
      stock_id: AAPL,
      action: 'buy',
      type: 'limit',
      amount: '0.001',
      price: '150',
    });
    const other = listening<StreamEvent<'wsStrategyValue'>>();
    streams.subscribe(`wsStrategyValue:${strategy_id}`, other.listener);
    await other.next();
    expect(events).toEqual([]);
  });

  it('does not reconnect when the token is invalid', async () => {
    const streams = streamsOf(createClient({ url: server.url, token: 'nobody', timers: hasty }));
    const { listener, next } = listening<StreamEvent<'wsOrders'>>();
    streams.subscribe('wsOrders:any', listener);
    expect(await next()).toMatchObject({
      event: 'ended',
      data: { reason: 'Authentication failed.' },
    });
    expect(await streams.closed).toBe('Authentication failed.');
    expect(() => streams.subscribe('wsOrders:other', listener)).toThrow('closed');
  });
});
