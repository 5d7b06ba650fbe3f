import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { WebSocket } from 'ws';
import { aBot, anOrder, bookChanged, pause, serve, valueChanged, world } from './harness.js';

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
    ['{"id":"7","action":"subscribe","channels":["wsNotifications:u"]}', '7', 'Request failed. unknown channel "wsNotifications:u".'],
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

describe('orders and positions', () => {
  it('begin with a snapshot and go on above its version', async () => {
    const client = await live.connect('ada');
    const [orders, positions] = await client.subscribe('wsOrders:s', 'wsPositions:s');
    expect(orders).toMatchObject({ channel: 'wsOrders:s', event: 'snapshot', version: 5 });
    expect(orders?.data).toMatchObject([{ order_id: 'o1', order_status: 'open' }]);
    expect(positions).toMatchObject({
      event: 'snapshot',
      version: 5,
      at: '1970-01-01T00:00:00.000Z',
      data: { strategy_id: 's', cash: '1', version: 5, positions: [] },
    });

    const order = anOrder('o2');
    live.publish(bookChanged(5, [{ kind: 'opened', order }]));
    live.publish(
      bookChanged(6, [
        { kind: 'opened', order },
        { kind: 'rested', order },
        { kind: 'filled', order: anOrder('o1') },
      ]),
    );
    const told = (await client.settle()).map(({ event, version, channel }) => [
      channel,
      event,
      version,
    ]);
    expect(told).toEqual([
      ['wsOrders:s', 'opened', 6],
      ['wsOrders:s', 'filled', 6],
      ['wsPositions:s', 'changed', 6],
    ]);
  });

  it('hold every open order, over all pages', async () => {
    live.known.orders = Array.from({ length: 250 }, (_, index) => anOrder(`o${index}`));
    const client = await live.connect('ada');
    const [snapshot] = await client.subscribe('wsOrders:s');
    expect(snapshot?.data).toHaveLength(250);
  });

  it('keep what happens while the snapshot is read', async () => {
    const { wait, reached, resume } = pause();
    live.known.before = async (read) => (read === 2 ? wait() : undefined);
    const client = await live.connect('ada');
    expect(await client.ask(subscribe('wsPositions:s'))).toMatchObject({ success: true });
    await reached;
    live.publish(bookChanged(6, [{ kind: 'filled', order: anOrder('o1') }]));
    live.publish(bookChanged(7, [{ kind: 'filled', order: anOrder('o2') }]));
    expect(await client.settle()).toEqual([]);
    live.known.version = 6;
    resume();
    expect(await client.next()).toMatchObject({ event: 'snapshot', version: 6 });
    expect(await client.next()).toMatchObject({ event: 'changed', version: 7 });
    expect(await client.settle()).toEqual([]);
  });

  it('read again what changed between the pages of a snapshot', async () => {
    const client = await live.connect('ada');
    // The check, the version, the page, the version again.
    live.known.before = async (read) => {
      if (read === 4) {
        live.known.version = 6;
        live.known.orders = [anOrder('o2')];
      }
    };
    const [snapshot] = await client.subscribe('wsOrders:s');
    expect(snapshot).toMatchObject({ version: 6, data: [{ order_id: 'o2' }] });
  });

  it('end when they are unsubscribed', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s');
    await client.ask({ action: 'unsubscribe', channels: ['wsOrders:s', 'wsOrders:unknown'] });
    live.publish(bookChanged(9, [{ kind: 'opened', order: anOrder('o2') }]));
    expect(await client.settle()).toEqual([]);
  });

  it('are the same bytes for everyone', async () => {
    const [one, two] = [await live.connect('ada'), await live.connect('bob')];
    await Promise.all([one.subscribe('wsOrders:s'), two.subscribe('wsOrders:s')]);
    live.publish(bookChanged(6, [{ kind: 'opened', order: anOrder('o2') }]));
    expect(await one.nextText()).toBe(await two.nextText());
  });
});

describe('values', () => {
  it('are watched while somebody listens', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsStrategyValue:s');
    expect(live.known.watched).toEqual(['s']);
    await client.ask({ action: 'unsubscribe', channels: ['wsStrategyValue:s'] });
    expect(live.known.watched).toEqual([]);
  });

  it('come at most every 100 ms, and the newest always', async () => {
    const client = await live.connect('ada');
    const [snapshot] = await client.subscribe('wsStrategyValue:s');
    expect(snapshot).toMatchObject({
      version: 0,
      data: { strategy_id: 's', strategy_value: '1.5' },
    });
    for (const value of ['1', '2', '3']) live.publish(valueChanged(value));
    const values = async () =>
      (await client.settle()).map(({ version, data }) => [
        version,
        (data as { strategy_value: string }).strategy_value,
      ]);
    expect(await values()).toEqual([[1, '1']]);
    live.ring(100);
    expect(await values()).toEqual([[2, '3']]);
    live.ring(100);
    live.ring(100);
    live.publish(valueChanged('4'));
    expect(await values()).toEqual([[3, '4']]);
  });
});

describe('bots', () => {
  it('are told whenever they change, and when they are gone', async () => {
    const client = await live.connect('ada');
    const [snapshot] = await client.subscribe('wsBot:b');
    expect(snapshot).toMatchObject({ event: 'snapshot', data: { bot_id: 'b', status: 'running' } });
    live.publish({ kind: 'bot_changed', bot: aBot('b', 'stopping'), at: 1 });
    live.publish({ kind: 'bot_deleted', botId: id<'bot'>('b'), at: 2 });
    live.publish({ kind: 'bot_changed', bot: aBot('b', 'off'), at: 3 });
    expect(await client.settle()).toMatchObject([
      { event: 'changed', version: 1, data: { status: 'stopping' } },
      { event: 'ended', data: { reason: 'the bot was deleted' } },
    ]);
  });
});

describe('access', () => {
  const accessChanged = (userId: string | null, strategyId: string | null) =>
    ({
      kind: 'access_changed',
      userId: userId === null ? null : id<'user'>(userId),
      strategyId: strategyId === null ? null : id<'strategy'>(strategyId),
      reason: 'the subscription ended',
    }) as const;

  it('that ends, ends the channel: nothing private comes after', async () => {
    const [ada, bob] = [await live.connect('ada'), await live.connect('bob')];
    await Promise.all([ada.subscribe('wsOrders:s', 'wsOrders:t'), bob.subscribe('wsOrders:s')]);
    live.known.hidden.add('s');
    live.publish(accessChanged('ada', 's'));
    live.publish(bookChanged(6, [{ kind: 'opened', order: anOrder('secret') }]));
    expect(await ada.next()).toMatchObject({
      channel: 'wsOrders:s',
      event: 'ended',
      data: { reason: 'the subscription ended' },
    });
    expect(await ada.settle()).toEqual([]);
    expect(await bob.settle()).toHaveLength(1);
  });

  it('that ends while the snapshot is read ends before the snapshot', async () => {
    const { wait, reached, resume } = pause();
    const check = pause();
    live.known.before = async (read) => {
      if (read === 2) await wait();
      if (read === 3) await check.wait();
    };
    const client = await live.connect('ada');
    await client.ask(subscribe('wsPositions:s'));
    await reached;
    live.publish(accessChanged('ada', 's'));
    await check.reached;
    resume();
    expect(await client.settle()).toEqual([]);
    live.known.hidden.add('s');
    check.resume();
    expect(await client.next()).toMatchObject({ event: 'ended' });
    expect(await client.settle()).toEqual([]);
  });

  it('that goes on loses nothing', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s');
    live.publish(accessChanged(null, 's'));
    live.publish(bookChanged(6, [{ kind: 'opened', order: anOrder('o2') }]));
    expect(await client.next()).toMatchObject({ event: 'opened', version: 6 });
  });

  it('ends with the token', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s', 'wsStrategyValue:s');
    live.known.tokens.delete('ada');
    live.publish(accessChanged('ada', null));
    expect((await client.next()).event).toBe('ended');
    expect((await client.next()).event).toBe('ended');
    expect(await client.closed).toBe(1008);
  });

  it('ends when the token has expired by the next heartbeat', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s');
    live.known.tokens.delete('ada');
    live.ring(30_000);
    expect((await client.next()).event).toBe('ended');
    expect(await client.closed).toBe(1008);
  });
});

describe('connections', () => {
  it('that do not answer the heartbeat are torn down', async () => {
    const client = await live.connect('ada');
    client.socket.pause();
    live.ring(30_000);
    live.ring(30_000);
    client.socket.resume();
    expect(await client.closed).toBe(1006);
  });

  it('that answer it stay', async () => {
    const client = await live.connect('ada');
    for (let beat = 0; beat < 3; beat++) {
      live.ring(30_000);
      await once(client.socket, 'ping');
      await client.settle();
    }
    expect(live.streams.connections()).toBe(1);
  });

  it('that do not keep up are cut off, and start again from a snapshot', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s');
    client.socket.pause();
    const order = { ...anOrder('o2'), dependsOn: Array(2000).fill('x'.repeat(36)) as never[] };
    for (let version = 6; version < 500; version++) {
      live.publish(bookChanged(version, [{ kind: 'opened', order }]));
    }
    client.socket.resume();
    expect(await client.closed).toBe(1013);
    const again = await live.connect('ada');
    expect((await again.subscribe('wsOrders:s'))[0]?.event).toBe('snapshot');
  });

  it('may take their time over a snapshot of any size', async () => {
    const dependsOn = Array(100).fill('x'.repeat(36)) as never[];
    live.known.orders = Array.from({ length: 1500 }, (_, n) => ({
      ...anOrder(`o${n}`),
      dependsOn,
    }));
    const client = await live.connect('ada');
    await client.ask(subscribe('wsOrders:s'));
    client.socket.pause();
    for (let version = 6; version < 20; version++) {
      live.publish(bookChanged(version, [{ kind: 'opened', order: anOrder('o') }]));
    }
    client.socket.resume();
    expect((await client.nextText()).length).toBeGreaterThan(5_000_000);
    await client.settle();
    expect(live.streams.connections()).toBe(1);
  });

  it('are told that the server stops', async () => {
    const clients = [await live.connect('ada'), await live.connect()];
    const closing = live.streams.close();
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1001, 1001]);
    await closing;
    expect(live.streams.connections()).toBe(0);
  });

  it('have an upper bound', async () => {
    const small = await serve(world(), { maxConnections: 1 });
    await small.connect('ada');
    const socket = new WebSocket(`ws://127.0.0.1:${small.port}/ws`);
    const [, answer] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    expect(answer.statusCode).toBe(503);
    await small.stop();
  });
});
