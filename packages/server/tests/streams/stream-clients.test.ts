import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

describe('wrong frames of clients', () => {
  let server: ComposedServer;
  let owner: string;
  let strategy_id: string;
  beforeAll(async () => {
    server = await composedServer();
    owner = await server.user('ada');
    ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Streamed' }, owner));
  });
  afterAll(() => server.close());

  it.each([
    ['no JSON', 'hello', /^Request failed\. /],
    ['an unknown action', '{"id":"x","action":"shout"}', /^Request failed\. /],
    [
      'an unknown channel',
      '{"id":"x","action":"subscribe","channels":["wsNews:1"]}',
      /^Request failed\. unknown channel/,
    ],
    [
      '101 channels',
      JSON.stringify({
        id: 'x',
        action: 'subscribe',
        channels: Array.from({ length: 101 }, (_, index) => `wsOrders:${index}`),
      }),
      /at most 100/,
    ],
    ['an unknown field', '{"id":"x","action":"ping","loud":true}', /^Request failed\. /],
    [
      'a token that is none',
      '{"id":"x","action":"authenticate","token":"nope"}',
      /^Authentication failed\.$/,
    ],
  ])('are answered with the error in %s, and the stream continues', async (_, text, reason) => {
    const stream = await server.stream(owner);
    stream.send(text);
    const answer = await stream.next(({ success }) => success !== undefined);
    expect(answer).toMatchObject({ success: false, response: expect.stringMatching(reason) });
    expect((await stream.ask({ action: 'ping' })).success).toBe(true);
  });

  it('of an anonymous client show nothing until it has authenticated', async () => {
    const stream = await server.stream();
    const channels = [`wsOrders:${strategy_id}`];
    expect(await stream.ask({ action: 'subscribe', channels })).toMatchObject({
      success: false,
      response: 'Authentication failed.',
    });
    expect(await stream.ask({ action: 'authenticate', token: owner })).toMatchObject({
      success: true,
    });
    expect(await stream.ask({ action: 'subscribe', channels })).toMatchObject({
      success: true,
      response: { channels },
    });
  });

  it('of an anonymous client show the values of public strategies, and nothing else', async () => {
    const stream = await server.stream();
    const hidden = await server.ask(
      'newStrategy',
      { type: 'stock', name: 'Hidden', private: true },
      owner,
    );
    const ask = (...channels: readonly string[]) => stream.ask({ action: 'subscribe', channels });
    expect(await ask(`wsStrategyValue:${strategy_id}`)).toMatchObject({ success: true });
    const value = await stream.next(({ event }) => event === 'snapshot');
    expect(value.data).toMatchObject({ strategy_id, strategy_value: '1' });
    expect(await ask(`wsStrategyValue:${hidden.strategy_id}`)).toMatchObject({
      success: false,
      response: expect.stringContaining('does not exist'),
    });
    expect(await ask(`wsPositions:${strategy_id}`)).toMatchObject({
      success: false,
      response: 'Authentication failed.',
    });
  });

  it('end the connection if too long, and refuse an upgrade with an invalid token', async () => {
    const stream = await server.stream(owner);
    stream.send('x'.repeat(16 * 1024 + 1));
    expect(await stream.closed).toBe(1009);
    const status = await new Promise<number | undefined>((resolve) => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`, {
        headers: { authorization: 'nope' },
      });
      socket.on('unexpected-response', (_, response) => {
        resolve(response.statusCode);
        response.resume();
      });
      socket.on('error', () => undefined);
    });
    expect(status).toBe(401);
  });

  it("require the scope of the channel's read", async () => {
    const { token } = await server.ask(
      'newToken',
      { name: 'orders', scope: ['getOrders'], strategy_ids: [strategy_id] },
      owner,
    );
    const stream = await server.stream(token);
    await stream.subscribe(`wsOrders:${strategy_id}`);
    for (const channel of [
      `wsPositions:${strategy_id}`,
      `wsStrategyValue:${strategy_id}`,
      'wsOrders:another',
      'wsBot:x',
    ]) {
      expect(await stream.ask({ action: 'subscribe', channels: [channel] })).toMatchObject({
        success: false,
        response: 'Authentication failed.',
      });
    }
  });
});
