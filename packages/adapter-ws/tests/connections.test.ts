import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '@slipstream/application';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { id } from '@slipstream/domain';
import { UNREAD, secondsToWait } from '@slipstream/wire';
import { WebSocket } from 'ws';
import type { CountedReads, StreamLimits } from '../src/index.js';
import { Client } from './client.js';
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

  it('that ends, ends the channel: nothing private follows', async () => {
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

  it('that continues loses nothing', async () => {
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

  it('ends with a token that is revoked while the upgrade looks it up', async () => {
    const { wait, reached, resume } = pause();
    live.known.authenticated = wait;
    const connecting = live.connect('ada');
    await reached;
    live.known.tokens.delete('ada');
    live.publish(accessChanged('ada', null));
    resume();
    const client = await connecting;
    client.send({ id: '1', ...subscribe('wsOrders:s') });
    expect(await client.closed).toBe(1008);
    expect(client.texts.filter((text) => text.includes('snapshot'))).toEqual([]);
  });

  it('ends within a second of the expiry of its token, unless use has postponed it', async () => {
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

  it('that could not be checked ends for now: the reason says when to ask again', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s');
    live.known.before = async () => {
      throw new Error('the disk is full');
    };
    live.publish(accessChanged('ada', 's'));
    const ended = await client.next();
    expect(ended).toMatchObject({ event: 'ended' });
    expect(secondsToWait((ended.data as { readonly reason: string }).reason)).toBe(1);

    live.known.before = () => Promise.resolve();
    await client.subscribe('wsOrders:s');
    live.known.authenticated = async () => {
      throw new Error('the disk is full');
    };
    live.publish(accessChanged('ada', 's'));
    expect(await client.next()).toMatchObject({ data: { reason: UNREAD } });
    expect(await client.closed).toBe(1013);
  });

  it('goes on by a token that comes while the expired one is looked up', async () => {
    const expired = { ...live.known.tokens.get('ada'), expiresAt: 500 } as Caller;
    live.known.tokens.set('ada', expired);
    live.known.tokens.set('next', { ...expired, expiresAt: 9_000 } as Caller);
    const client = await live.connect('ada');
    await client.subscribe('wsOrders:s');
    live.known.tokens.delete('ada');
    const { wait, reached, resume } = pause();
    live.known.authenticated = (text) => (text === 'ada' ? wait() : Promise.resolve());
    live.pass(1000);
    live.ring(1000);
    await reached;
    await client.ask({ action: 'authenticate', token: 'next' });
    resume();
    await turn();
    live.publish(bookChanged(6, [{ kind: 'opened', order: anOrder('o2') }]));
    expect(await client.next()).toMatchObject({ event: 'opened' });
  });

  const looks = async (change: () => void): Promise<number> => {
    const before = live.known.reads;
    change();
    for (let round = 0; round < 50; round++) await turn();
    return live.known.reads - before;
  };

  it('of a strategy is checked again only on its channels with listeners', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, () => live.connect('ada')));
    for (const client of clients) await client.subscribe('wsBot:b', 'wsNotifications:ada');
    const [one] = clients;
    await one?.subscribe('wsOrders:s', 'wsPositions:s', 'wsStrategyValue:s', 'wsOrders:t');
    expect(await looks(() => live.publish(accessChanged(null, 's')))).toBe(3);
    expect(await looks(() => live.publish(accessChanged('bob', 's')))).toBe(0);
    expect(await looks(() => live.publish(accessChanged('bob', null)))).toBe(0);
  });

  it('of a user is checked again on all channels of that user', async () => {
    const [ada, bob] = [await live.connect('ada'), await live.connect()];
    await ada.subscribe('wsBot:b', 'wsOrders:s');
    await bob.ask({ action: 'authenticate', token: 'bob' });
    await bob.subscribe('wsOrders:s');
    expect(await looks(() => live.publish(accessChanged('bob', null)))).toBe(1);
    expect(await looks(() => live.publish(accessChanged('ada', null)))).toBe(2);
  });

  it('of thousands is checked a few at a time, so that other tasks run', async () => {
    const tokens = Array.from({ length: 60 }, () => live.connect('ada'));
    for (const client of await Promise.all(tokens)) await client.subscribe('wsStrategyValue:s');
    const before = live.known.reads;
    live.publish(accessChanged(null, 's'));
    let most = 0;
    for (let seen = before; live.known.reads < before + 60; seen = live.known.reads) {
      await turn();
      most = Math.max(most, live.known.reads - seen);
    }
    expect(most).toBeLessThanOrEqual(16);
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
  it('that do not answer the heartbeat are closed', async () => {
    const client = await live.connect('ada');
    client.socket.pause();
    live.ring(30_000);
    live.ring(30_000);
    client.socket.resume();
    expect(await client.closed).toBe(1006);
  });

  it('that pong without having read the heartbeat are closed', async () => {
    const client = await live.connect('ada');
    client.socket.pause();
    live.ring(30_000);
    for (const word of ['', 'a guess']) client.socket.pong(word);
    // By then the server has read them.
    await (await live.connect('bob')).settle();
    live.ring(30_000);
    client.socket.resume();
    expect(await client.closed).toBe(1006);
  });

  it('that do not answer the end of a server are cut off when it waits no longer', async () => {
    const client = await live.connect('ada');
    client.socket.pause();
    void live.streams.close(300);
    live.ring(300);
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(live.streams.connections()).toBe(0);
  });

  it('without a token stay for an open channel only', async () => {
    const [silent, watching] = [await live.connect(), await live.connect()];
    await watching.subscribe('wsStrategyValue:s');
    for (let beat = 0; beat < 3; beat++) {
      live.ring(30_000);
      await once(watching.socket, 'ping');
      await watching.settle();
    }
    expect(await silent.closed).toBe(1008);
    expect(live.streams.connections()).toBe(1);
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

  it('that are too slow are closed, and start again from a snapshot', async () => {
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

  it('get a close when the server stops', async () => {
    const clients = [await live.connect('ada'), await live.connect()];
    const closing = live.streams.close();
    expect(await Promise.all(clients.map(({ closed }) => closed))).toEqual([1001, 1001]);
    await closing;
    expect(live.streams.connections()).toBe(0);
  });

  /** The status that an upgrade is refused with. */
  async function refused(port: number, headers: Record<string, string> = {}): Promise<unknown> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers });
    const [, answer] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    return answer.statusCode;
  }
  const limited = (limits: Partial<StreamLimits>) => serve(world(), { limits });

  it('have an upper bound', async () => {
    const small = await limited({ total: 1 });
    await small.connect('ada');
    expect(await refused(small.port)).toBe(503);
    await small.stop();
  });

  it('without a token leave half of the room to those with one, until they authenticate', async () => {
    const small = await limited({ total: 4 });
    const [first] = [await small.connect(), await small.connect()];
    expect(await refused(small.port)).toBe(429);
    await small.connect('ada');
    await first.ask({ action: 'authenticate', token: 'ada' });
    await small.connect();
    expect(small.streams.connections()).toBe(4);
    await small.stop();
  });

  it.each([
    ['no header', {}],
    ['an empty header', { Authorization: '' }],
    ['a blank header', { Authorization: '  ' }],
  ])('with %s are anonymous: 10 an address', async (_, headers) => {
    for (let count = 0; count < 10; count++) await live.connect();
    expect(await refused(live.port, headers)).toBe(429);
    await live.connect('ada');
    expect(live.streams.connections()).toBe(11);
  });

  it('with an empty header fill the same room as those without one', async () => {
    const sockets = Array.from({ length: 40 }, () => {
      const socket = new WebSocket(`ws://127.0.0.1:${live.port}/ws`, {
        headers: { Authorization: '' },
      });
      socket.on('error', () => undefined);
      return new Promise<boolean>((resolve) => {
        socket.once('open', () => resolve(true)).once('unexpected-response', () => resolve(false));
      }).then((isOpen) => ({ socket, isOpen }));
    });
    const opened = (await Promise.all(sockets)).filter(({ isOpen }) => isOpen);
    expect(opened).toHaveLength(10);
    for (const { socket } of opened) socket.terminate();
  });

  it('of one user are limited, by upgrade and by frame, whatever the tokens', async () => {
    const small = await limited({ user: 2 });
    await small.connect('ada');
    const second = await small.connect('narrow');
    expect(await refused(small.port, { Authorization: 'ada' })).toBe(429);
    const third = await small.connect();
    expect(await third.ask({ action: 'authenticate', token: 'ada' })).toMatchObject({
      success: false,
      response: 'Request failed. there may be 2 live connections of one user.',
    });
    await small.connect('bob');
    second.socket.terminate();
    while (small.streams.connections() > 3) await turn();
    expect(await third.ask({ action: 'authenticate', token: 'ada' })).toMatchObject({
      success: true,
    });
    await small.stop();
  });

  it('of one address are limited, as forwarded by the proxy', async () => {
    const proxied = await serve(world(), {
      limits: { address: 1 },
      addressOf: ({ headers }) => String(headers['x-forwarded-for']),
      networkOf: (address) => address.slice(0, 4),
    });
    const from = (address: string) => ({ Authorization: 'ada', 'X-Forwarded-For': address });
    await once(new Client(proxied.port, from('2001::1')).socket, 'open');
    expect(await refused(proxied.port, from('2001::2'))).toBe(429);
    await once(new Client(proxied.port, from('2002::1')).socket, 'open');
    for (const _ of [1, 2]) proxied.ring(30_000);
    await proxied.stop();
  });

  it.each([
    ['without a key', 'Sec-WebSocket-Version: 13'],
    ['with a key that is none', 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x'],
    [
      'of another version',
      'Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ],
  ])('%s are refused with the envelope and an id', async (_, headers) => {
    const socket = connect({ port: live.port, host: '127.0.0.1' });
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    const [head = '', body = ''] = String(answer).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 [^]*X-Request-Id: .+[^]*X-Error-Code: invalid_request/);
    expect(JSON.parse(body)).toEqual({
      success: false,
      response: expect.stringMatching(/^Request failed\. this is no WebSocket: .*Sec-WebSocket/),
    });
    socket.destroy();
  });

  it('that are refused are released, although the client never closes its side', async () => {
    const socket = connect({ port: live.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(
      'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: wrong\r\n\r\n',
    );
    socket.resume();
    await once(socket, 'end');
    live.ring(1_000);
    while ((await live.sockets()) > 0) await turn();
    socket.destroy();
  });
});

describe('snapshots', () => {
  const inTurn: CountedReads['inTurn'] = (_, __, read) => read(turn, undefined);

  it('count as reads of the caller, and for their size', async () => {
    const counted: number[] = [];
    const reads = {
      count: async (_: unknown, __: string, n: number) => void counted.push(n),
      inTurn,
    };
    const measured = await serve(world(), { reads });
    const dependsOn = Array(100).fill('x'.repeat(36)) as never[];
    measured.known.orders = Array.from({ length: 50 }, (_, n) => ({
      ...anOrder(`o${n}`),
      dependsOn,
    }));
    const client = await measured.connect('ada');
    await client.subscribe('wsOrders:s', 'wsStrategyValue:s');
    await client.settle();
    expect(counted).toEqual([2, 3, 0]);
    await measured.stop();
  });

  it('beyond the limit are refused, and the connection stays open', async () => {
    const measured = await serve(world(), { reads: { count: async () => 7, inTurn } });
    const client = await measured.connect('ada');
    expect(await client.ask(subscribe('wsOrders:s'))).toMatchObject({
      success: false,
      response: 'Request failed. too many requests, try again in 7 s.',
    });
    expect(await client.settle()).toEqual([]);
    await measured.stop();
  });

  it('are read in the turn of their caller, and end where too much was read by then', async () => {
    const turns: ((over?: number) => void)[] = [];
    const reads: CountedReads = {
      count: async () => undefined,
      inTurn: async (_, __, read) => {
        const over = await new Promise<number | undefined>((begin) => turns.push(begin));
        return read(turn, over);
      },
    };
    const measured = await serve(world(), { reads });
    const [one, other] = [await measured.connect('ada'), await measured.connect('ada')];
    for (const client of [one, other]) await client.ask(subscribe('wsOrders:s'));
    while (turns.length < 2) await turn();
    expect([await one.settle(), await other.settle()]).toEqual([[], []]);
    turns[0]?.();
    expect(await one.next()).toMatchObject({ event: 'snapshot' });
    turns[1]?.(7);
    expect(await other.next()).toMatchObject({
      event: 'ended',
      data: { reason: 'too many requests, try again in 7 s' },
    });
    await measured.stop();
  });
});
