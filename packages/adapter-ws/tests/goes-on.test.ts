import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Event, OrdersChanged } from '@slipstream/ports';
import { id } from '@slipstream/domain';
import { pause } from './control.js';
import type { Client } from './client.js';
import { anOrder, bookChanged, serve } from './harness.js';

let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  live = await serve();
});
afterEach(() => live.stop());

const ORDERS = 'wsOrders:s';
const after = (version: number, channels = [ORDERS]) => ({
  ...{ action: 'subscribe', channels },
  after: Object.fromEntries(channels.map((name) => [name, version])),
});

/** Orders are opened by one change, so that the book has that version. */
function opened(version: number, strategy = 's', count = 1): void {
  live.known.version = version;
  const orders = Array.from({ length: count }, (_, at) => anOrder(`o${version}-${at}`));
  const changes = orders.map((order) => ({ kind: 'opened', order }));
  live.publish({ ...bookChanged(version, changes), strategyId: id<'strategy'>(strategy) } as Event);
}

/** What came of the orders: each event with its version. */
const told = async (client: Client): Promise<readonly unknown[]> =>
  (await client.settle()).map(({ event, version }) => [event, version]);

describe('a client that has the orders up to a version', () => {
  it('goes on after it, without a snapshot', async () => {
    for (const version of [6, 7, 8]) opened(version);
    const client = await live.connect('ada');
    expect(await client.ask(after(6))).toMatchObject({ success: true });
    expect(await told(client)).toEqual([
      ['opened', 7],
      ['opened', 8],
    ]);
    opened(9);
    expect(await client.next()).toMatchObject({ event: 'opened', version: 9 });
  });

  it('hears each change once that is made while it comes', async () => {
    const { wait, reached, resume } = pause();
    live.known.before = async (read) => (read === 2 ? wait() : undefined);
    opened(6);
    const client = await live.connect('ada');
    expect(await client.ask(after(5))).toMatchObject({ success: true });
    await reached;
    opened(7);
    resume();
    expect(await told(client)).toEqual([
      ['opened', 6],
      ['opened', 7],
    ]);
  });

  it('hears nothing when it has all', async () => {
    const client = await live.connect('ada');
    await client.ask(after(5));
    expect(await told(client)).toEqual([]);
  });

  it.each([
    ['that is older than what the server knows', 3],
    ['that the book does not have', 9],
  ])('begins with a snapshot after one %s', async (_, version) => {
    opened(6);
    const client = await live.connect('ada');
    await client.ask(after(version));
    expect(await told(client)).toEqual([['snapshot', 6]]);
  });

  it('begins with a snapshot when it has missed more than a slow client may have unsent', async () => {
    for (let version = 6; version < 1_700; version++) opened(version);
    const client = await live.connect('ada');
    await client.ask(after(5));
    expect(await told(client)).toEqual([['snapshot', 1_699]]);
  });

  it('is not cut off when it takes long to read what it missed of many strategies', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `s${at}`);
    for (const name of names) for (let version = 6; version < 160; version++) opened(version, name);
    const client = await live.connect('ada');
    client.send(
      after(
        5,
        names.map((name) => `wsOrders:${name}`),
      ),
    );
    client.socket.pause();
    // As far as the server gets while nobody reads.
    const other = await live.connect('ada');
    for (let asked = 0; asked < 200; asked++) await other.ask({ action: 'ping' });
    client.socket.resume();
    const reads = async (): Promise<void> => {
      const all = 1 + names.length * 154;
      for (let count = 0; count < all; count++) await client.nextText();
    };
    expect(await Promise.race([reads(), client.closed])).toBeUndefined();
  });

  it('costs no more than a snapshot would, however much it missed', async () => {
    for (let version = 6; version < 206; version++) opened(version, 's', 100);
    const client = await live.connect('ada');
    await client.ask(after(5));
    expect(await told(client)).toEqual([['snapshot', 205]]);
    expect(live.known.presented).toBeLessThan(2_000);
  });

  it('begins other channels with a snapshot', async () => {
    const client = await live.connect('ada');
    await client.ask(after(5, ['wsPositions:s', 'wsStrategyValue:s']));
    expect(await told(client)).toEqual([
      ['snapshot', 5],
      ['snapshot', 0],
    ]);
  });

  it.each([
    [{ 'wsOrders:other': 1 }, 'after names "wsOrders:other", channels does not'],
    [{ [ORDERS]: -1 }, `after.${ORDERS} must be a version`],
    [{ [ORDERS]: '1' }, `after.${ORDERS} must be a version`],
    [[], 'after must be an object of versions by channel'],
  ])('is told what is wrong with %j', async (given, sentence) => {
    const client = await live.connect('ada');
    const asked = { action: 'subscribe', channels: [ORDERS], after: given };
    const { success, response } = await client.ask(asked);
    expect([success, response]).toEqual([false, expect.stringContaining(sentence)]);
  });

  it('hears nothing that it may not see', async () => {
    opened(6);
    live.known.hidden.add('s');
    const client = await live.connect('ada');
    expect(await client.ask(after(5))).toMatchObject({ success: false });
    expect(await told(client)).toEqual([]);
  });
});

describe('a server that follows others', () => {
  const past = (version: number): OrdersChanged => ({
    ...{ strategyId: id<'strategy'>('s'), at: 0, version },
    changes: [{ kind: 'opened', order: anOrder(`o${version}`) }],
  });

  it('tells what they told last, and what it decided since, each once', async () => {
    opened(7);
    live.streams.goOn([past(5), past(6), past(7)]);
    const client = await live.connect('ada');
    await client.ask(after(4));
    expect(await told(client)).toEqual([
      ['opened', 5],
      ['opened', 6],
      ['opened', 7],
    ]);
  });
});
