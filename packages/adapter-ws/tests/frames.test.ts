import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { serve, world } from './harness.js';

let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  live = await serve();
});
afterEach(() => live.stop());

/** What answers an upgrade that is refused. */
async function refused(port: number, path: string, headers: Record<string, string>) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return { answer, text };
}

const failed = (response: string) => ({ id: 'q', success: false, response });
const subscribe = (...channels: string[]) => ({ action: 'subscribe', channels });

describe('authentication', () => {
  it('is by the Authorization header at the upgrade', async () => {
    const client = await live.connect('Bearer ada');
    expect(await client.ask(subscribe('wsOrders:s'))).toEqual({
      id: 'q',
      success: true,
      response: { channels: ['wsOrders:s'] },
    });
  });

  it('is by a frame', async () => {
    const client = await live.connect();
    expect(await client.ask(subscribe('wsOrders:s'))).toEqual(failed('Authentication failed.'));
    expect(await client.ask({ action: 'authenticate', token: 'wrong' })).toEqual(
      failed('Authentication failed.'),
    );
    expect(await client.ask({ action: 'authenticate', token: 'ada' })).toMatchObject({
      success: true,
    });
    expect(await client.ask(subscribe('wsOrders:s'))).toMatchObject({ success: true });
  });

  it.each([
    ['narrow', 'wsOrders:s', true],
    ['narrow', 'wsPositions:s', false],
    ['bound', 'wsOrders:mine', true],
    ['bound', 'wsOrders:s', false],
    ['bound', 'wsBot:b', false],
  ])('the token %s on %s: %s', async (token, channel, success) => {
    const client = await live.connect(token);
    const answer = await client.ask(subscribe(channel));
    expect(answer.success).toBe(success);
    if (!success) expect(answer.response).toBe('Authentication failed.');
  });

  // oxfmt-ignore
  it.each([
    ['/ws', { Authorization: 'wrong' }, 401, 'unauthenticated', 'Authentication failed.'],
    ['/elsewhere', {}, 404, 'unknown_path', 'Request failed. there is no such path.'],
    ['/ws', { Origin: 'https://evil.test' }, 400, 'invalid_request', 'Request failed. this origin may not connect.'],
  ])('an upgrade to %s with %j is refused: %d', async (path, headers, status, code, response) => {
    const { answer, text } = await refused(live.port, path, headers);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({ 'x-request-id': 'request-1', 'x-error-code': code });
    expect(JSON.parse(text)).toEqual({ success: false, response });
    expect(live.logged).toEqual([{ status, request_id: 'request-1' }]);
  });

  it('is refused to a page whose own name points to this server', async () => {
    const guarded = await serve(world(), { answersTo: (host) => host.startsWith('127.0.0.1:') });
    const rebound = { Host: 'evil.test', Origin: 'http://evil.test', Authorization: 'ada' };
    const { answer } = await refused(guarded.port, '/ws', rebound);
    expect(answer.statusCode).toBe(400);
    await guarded.connect('ada');
    await guarded.stop();
  });

  it('at an accepted upgrade returns the request id, too', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${live.port}/ws`);
    const [answer] = (await once(socket, 'upgrade')) as [IncomingMessage];
    expect(answer.headers['x-request-id']).toBe('request-1');
    socket.terminate();
  });
});

describe('failed authentication', () => {
  /** Counts as the server does: the third of an address is one too many. */
  const counted = () => {
    const seen: string[] = [];
    const failures = {
      failed: async (address: string) => (seen.push(address) > 2 ? 7 : undefined),
    };
    return { seen, failures };
  };

  it('at upgrades counts for the address, and gets 429 beyond the limit', async () => {
    const { seen, failures } = counted();
    const guarded = await serve(world(), { failures });
    const statuses: (number | undefined)[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { answer } = await refused(guarded.port, '/ws', { Authorization: 'wrong' });
      statuses.push(answer.statusCode);
      if (attempt === 3) expect(answer.headers['retry-after']).toBe('7');
    }
    expect(statuses).toEqual([401, 401, 429]);
    expect(new Set(seen)).toEqual(new Set(['127.0.0.1']));
    await (await guarded.connect('ada')).subscribe('wsOrders:s');
    await guarded.stop();
  });

  it('by frames counts too, and ends the connection beyond the limit', async () => {
    const guarded = await serve(world(), counted());
    const client = await guarded.connect();
    for (let attempt = 1; attempt <= 3; attempt++)
      client.send({ id: 'q', action: 'authenticate', token: 'wrong' });
    expect(await client.closed).toBe(1008);
    expect(client.texts.map((text) => JSON.parse(text) as unknown)).toEqual(
      [1, 2].map(() => failed('Authentication failed.')),
    );
    await guarded.stop();
  });
});

describe('a client with too many requests in a second', () => {
  const PINGS = 50;
  /** So many frames, never too many at once. */
  async function pings(client: Awaited<ReturnType<typeof live.connect>>): Promise<void> {
    for (let sent = 1; sent <= PINGS; sent++) client.send({ action: 'ping' });
    for (let heard = 1; heard <= PINGS; heard++) await client.next();
  }

  it('may send 250 frames, and as many in the next one', async () => {
    const client = await live.connect('ada');
    for (const _ of [1, 2]) {
      for (let sent = 0; sent < 250; sent += PINGS) await pings(client);
      live.pass(1000);
    }
    expect(live.streams.connections()).toBe(1);
  });

  it('is cut off with the 251st frame', async () => {
    const client = await live.connect('ada');
    for (let sent = 0; sent < 250; sent += PINGS) await pings(client);
    client.send({ action: 'ping' });
    expect(await client.closed).toBe(1008);
  });

  it('is cut off when it sends pings faster than they can be answered', async () => {
    const headers = { Authorization: 'ada' };
    const socket = new WebSocket(`ws://127.0.0.1:${live.port}/ws`, { headers });
    const closed = once(socket, 'close');
    const [{ socket: wire }] = (await once(socket, 'upgrade')) as [IncomingMessage];
    // All of them arrive at once.
    wire.cork();
    for (let sent = 0; sent < 100; sent++) socket.ping();
    wire.uncork();
    expect((await closed)[0]).toBe(1006);
  });

  it('pays for each subscribed channel, because each reads a snapshot', async () => {
    const client = await live.connect('ada');
    const names = Array.from({ length: 100 }, (_, index) => `wsStrategyValue:${index}`);
    for (const _ of [1, 2]) {
      await client.subscribe(...names);
      await client.ask({ action: 'unsubscribe', channels: names });
    }
    client.send({ action: 'subscribe', channels: names });
    expect(await client.closed).toBe(1008);
  });
});

describe('frames', () => {
  // oxfmt-ignore
  it.each([
    ['{', null, 'Request failed. the body must be valid JSON.'],
    ['[]', null, 'Request failed. the body must be a JSON object.'],
    ['{"id":"7","action":"shout"}', '7', 'Request failed. action must be authenticate, subscribe, unsubscribe or ping.'],
    ['{"id":"7","action":"subscribe"}', '7', 'Request failed. channels is required.'],
    ['{"id":"7","action":"subscribe","channels":["wsTrades:s"]}', '7', 'Request failed. unknown channel "wsTrades:s".'],
    ['{"id":"7","action":"subscribe","channels":["wsNothing:u"]}', '7', 'Request failed. unknown channel "wsNothing:u".'],
    ['{"id":"7","action":"ping","extra":1}', '7', 'Request failed. unknown field "extra".'],
  ])('%s', async (text, answerId, response) => {
    const client = await live.connect('ada');
    client.send(text);
    expect(await client.next()).toEqual({ id: answerId, success: false, response });
  });

  it('of more than 16 KiB end the connection', async () => {
    const client = await live.connect('ada');
    client.send(`"${'x'.repeat(16 * 1024)}"`);
    expect(await client.closed).toBe(1009);
  });

  it('in more than 64 pieces end the connection', async () => {
    const client = await live.connect('ada');
    for (let piece = 0; piece <= 64; piece++) client.socket.send(' ', { fin: false });
    expect(await client.closed).toBe(1008);
  });

  it('that are binary end the connection', async () => {
    const client = await live.connect('ada');
    client.socket.send(Buffer.from('{}'), { binary: true });
    expect(await client.closed).toBe(1003);
  });

  it('may name 100 channels in all', async () => {
    const client = await live.connect('ada');
    const names = Array.from({ length: 100 }, (_, index) => `wsBot:${index}`);
    await client.subscribe(...names);
    expect(await client.ask(subscribe('wsBot:100'))).toEqual(
      failed('Request failed. a connection may have 100 channels.'),
    );
    expect(await client.ask(subscribe('wsBot:7'))).toMatchObject({ success: true });
  });

  it('subscribe all channels or none: a hidden channel does not exist', async () => {
    live.known.hidden.add('gone');
    const client = await live.connect('ada');
    expect(await client.ask(subscribe('wsOrders:s', 'wsOrders:gone'))).toEqual(
      failed('Request failed. gone does not exist.'),
    );
    expect(await client.ask({ action: 'ping' })).toMatchObject({ response: { channels: [] } });
  });
});
