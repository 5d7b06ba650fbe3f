import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@slipstream/application';
import { id } from '@slipstream/domain';
import { WebSocket } from 'ws';
import { pause } from './control.js';
import { anOrder, bookChanged, serve, world } from './harness.js';

let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  live = await serve();
});
afterEach(() => live.stop());

const subscribe = (...channels: string[]) => ({ action: 'subscribe', channels });

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
      version: 5,
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

  it('ends within a second of the end of its token, unless use has put that off', async () => {
    const token = (expiresAt: number): Caller =>
      ({ ...live.known.tokens.get('ada'), expiresAt }) as Caller;
    live.known.tokens.set('ada', token(500));
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s');
    live.known.tokens.set('ada', token(1500));
    live.pass(1000);
    live.ring(1000);
    expect(await client.ask({ action: 'ping' })).toMatchObject({ success: true });
    live.known.tokens.delete('ada');
    live.pass(1000);
    live.ring(1000);
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

  it('without a token leave half of the room to those with one, until they authenticate', async () => {
    const small = await serve(world(), { maxConnections: 4 });
    const [first] = [await small.connect(), await small.connect()];
    const third = new WebSocket(`ws://127.0.0.1:${small.port}/ws`);
    await once(third, 'unexpected-response');
    await small.connect('ada');
    await first.ask({ action: 'authenticate', token: 'ada' });
    await small.connect();
    expect(small.streams.connections()).toBe(4);
    await small.stop();
  });
});
