import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Streams, type Timers, createClient } from '@slipstream/client';
import { type WebSocket, WebSocketServer } from 'ws';
import { composedServer } from '../helpers/composed-server.js';
import { quietRelay } from '../helpers/quiet-relay.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Pauses take no time; nothing is silent. */
const hasty: Timers = {
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (milliseconds < 60_000) setImmediate(resolve);
      else signal?.addEventListener('abort', () => resolve());
    }),
};

interface Frame {
  readonly id: string;
  readonly action: string;
  readonly channels?: readonly string[];
  readonly after?: Readonly<Record<string, number>>;
}

/** A service that accepts everyone, and answers each frame as the test says; `tokens` are those of its connections. */
async function service(answer: (frame: Frame, socket: WebSocket, connection: number) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const tokens: (string | undefined)[] = [];
  server.on('connection', (socket, { headers }) => {
    const connection = tokens.push(headers.authorization);
    socket.on('message', (data: Buffer) => {
      answer(JSON.parse(data.toString('utf8')) as Frame, socket, connection);
    });
  });
  closing.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tokens };
}

/** A snapshot of each of its channels: a client that connects asks for all that it has by then. */
const sendSnapshots = ({ channels = [] }: Frame, socket: WebSocket): void => {
  for (const channel of channels) {
    socket.send(JSON.stringify({ channel, event: 'snapshot', version: 1, at: '', data: [] }));
  }
};

const streamsOf = (url: string, token?: string, timers: Timers = hasty): Streams => {
  const streams = createClient({ url, token, timers }).streams();
  closing.push(() => streams.close());
  return streams;
};

/** Resolves with the event that a new listener of the channel is told first. */
const told = (streams: Streams, channel: `wsOrders:${string}`): Promise<string> =>
  new Promise((resolve) => streams.subscribe(channel, ({ event }) => resolve(event)));

describe('the streams of a client', () => {
  it('begin again when the connection was closed for its frames (1008)', async () => {
    const { url, tokens } = await service((frame, socket, connection) => {
      if (connection === 1) socket.close(1008, 'too many frames at once');
      else sendSnapshots(frame, socket);
    });
    expect(await told(streamsOf(url, 'mine'), 'wsOrders:s')).toBe('snapshot');
    expect(tokens).toHaveLength(2);
  });

  it.each(['Bad gateway', 'null'])(
    'begin again when something else than the service sends %j',
    async (text) => {
      const { url, tokens } = await service((frame, socket, connection) => {
        if (connection === 1) socket.send(text);
        else sendSnapshots(frame, socket);
      });
      expect(await told(streamsOf(url, 'mine'), 'wsOrders:s')).toBe('snapshot');
      expect(tokens).toHaveLength(2);
    },
  );

  it('tell each order once when the connection was lost amid those of one version', async () => {
    const orders = [
      ...['6 a', '7 a', '7 b', '7 c', '8 a'].map((data) => ({ version: Number(data[0]), data })),
    ];
    const { url } = await service(
      ({ channels: [channel = ''] = [], after }, socket, connection) => {
        const from = after?.[channel];
        const events =
          from === undefined
            ? [{ event: 'snapshot', version: 5, data: [] }]
            : orders
                .filter(({ version }) => version > from)
                .map((one) => ({ event: 'opened', ...one }));
        // The second connection ends amid version 7, the third one before all that the client has of it.
        for (const event of events.slice(0, { 1: 1, 2: 3, 3: 1 }[connection]))
          socket.send(JSON.stringify({ channel, at: '', ...event }));
        if (connection < 4) socket.close(1013);
      },
    );
    const heard: unknown[] = [];
    await new Promise<void>((resolve) => {
      streamsOf(url).subscribe('wsOrders:s', (event) => {
        heard.push(event.data);
        if (String(event.data) === '8 a') resolve();
      });
    });
    expect(heard).toEqual([[], ...orders.map(({ data }) => data)]);
  });

  it('rest when nobody wants one of them and there is no token, until somebody does', async () => {
    const { url, tokens } = await service((frame, socket) => {
      if (frame.action === 'subscribe') sendSnapshots(frame, socket);
      else socket.close(1008, 'authenticate first, or subscribe to an open channel');
    });
    const states: string[] = [];
    const streams = createClient({ url, timers: hasty }).streams({
      onConnection: (state) => states.push(state),
    });
    closing.push(() => streams.close());
    let leave = (): void => undefined;
    await new Promise<void>((resolve) => {
      leave = streams.subscribe('wsOrders:s', () => resolve());
    });
    leave();
    while (!states.includes('lost')) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(tokens).toHaveLength(1);
    expect(await told(streams, 'wsOrders:t')).toBe('snapshot');
    expect(states).toEqual(['open', 'lost', 'open']);
  });

  it('go on with another token that could not be checked at once', async () => {
    const { url, tokens } = await service((frame, socket) => {
      const { id, action } = frame;
      const response = 'Request failed. nothing was done, try again in 1 s.';
      if (action === 'subscribe') sendSnapshots(frame, socket);
      else socket.send(JSON.stringify({ id, success: false, response }));
    });
    const streams = streamsOf(url, 'first');
    await told(streams, 'wsOrders:s');
    streams.authenticate('second');
    while (tokens.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(tokens).toEqual(['Bearer first', 'Bearer second']);
    expect(await told(streams, 'wsOrders:t')).toBe('snapshot');
  });

  it('are not waited for when nobody answers', async () => {
    const server = await composedServer();
    closing.push(() => server.close());
    const token = await server.user('ada');
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Far' }, token);
    const relay = await quietRelay(server.url);
    closing.push(() => relay.close());
    const silent = relay.silence();
    const soon: Timers = {
      wait: (milliseconds, signal) =>
        milliseconds < 60_000
          ? hasty.wait(milliseconds, signal)
          : new Promise((resolve) => setTimeout(resolve, 300)),
    };
    const event = told(streamsOf(relay.url, token, soon), `wsOrders:${strategy_id}`);
    await silent;
    relay.speak();
    expect(await event).toBe('snapshot');
  });

  it('take the token of a file, and end for one that cannot be sent, which is not shown', async () => {
    const { url, tokens } = await service(sendSnapshots);
    expect(await told(streamsOf(url, 'of a file\n'), 'wsOrders:s')).toBe('snapshot');
    expect(tokens).toEqual(['Bearer of a file']);
    const streams = streamsOf(url, 'zero\u200bwidth');
    expect(await told(streams, 'wsOrders:s')).toBe('ended');
    expect(await streams.closed).not.toContain('width');
    expect(() => streamsOf('ftp://127.0.0.1')).toThrow('url must be an address');
  });
});
