import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { serve } from './harness.js';

let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  live = await serve();
});
afterEach(() => live.stop());

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

  it.each([
    ['/ws', { Authorization: 'wrong' }, 401, 'Authentication failed.'],
    ['/elsewhere', {}, 404, 'Request failed. there is no such path.'],
    ['/ws', { Origin: 'https://evil.test' }, 400, 'Request failed. this origin may not connect.'],
  ])('an upgrade to %s with %j is refused: %d', async (path, headers, status, response) => {
    const socket = new WebSocket(`ws://127.0.0.1:${live.port}${path}`, { headers });
    const [, answer] = (await once(socket, 'unexpected-response')) as [
      unknown,
      AsyncIterable<Buffer> & { statusCode: number },
    ];
    expect(answer.statusCode).toBe(status);
    let text = '';
    for await (const chunk of answer) text += chunk.toString();
    expect(JSON.parse(text)).toEqual({ success: false, response });
  });
});

describe('frames', () => {
  // prettier-ignore
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

  it('name all channels or none: what may not be seen does not exist', async () => {
    live.known.hidden.add('gone');
    const client = await live.connect('ada');
    expect(await client.ask(subscribe('wsOrders:s', 'wsOrders:gone'))).toEqual(
      failed('Request failed. gone does not exist.'),
    );
    expect(await client.ask({ action: 'ping' })).toMatchObject({ response: { channels: [] } });
  });
});
