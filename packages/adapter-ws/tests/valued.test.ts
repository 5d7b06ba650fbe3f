import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decimal, id } from '@slipstream/domain';
import type { Event } from '@slipstream/ports';
import { pause } from './control.js';
import { anOrder, bookChanged, serve } from './harness.js';

let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  live = await serve();
});
afterEach(() => live.stop());

const moved: Event = { kind: 'prices_moved', strategyId: id('s'), at: 1000 };
const SECOND = 1000;
const filled = (version: number): void => {
  live.known.version = version;
  live.publish(bookChanged(version, [{ kind: 'filled', order: anOrder('o1') }]));
};
const turn = () => new Promise((resolve) => setImmediate(resolve));
type Client = Awaited<ReturnType<typeof live.connect>>;
const told = async (client: Client) =>
  (await client.settle()).map(({ event, version }) => `${event} ${version}`);

describe('values of positions', () => {
  it('are of the present version of the book, that of the snapshot too', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsPositions:s');
    live.known.cash = decimal('0.25');
    live.publish(moved);
    expect(await client.settle()).toMatchObject([
      {
        ...{ channel: 'wsPositions:s', event: 'valued', version: 5 },
        data: { strategy_id: 's', strategy_value: null, version: 5, positions: [] },
      },
    ]);
  });

  it('come at most once a second, the newest always, and none when no price has moved', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsPositions:s');
    for (let time = 0; time < 5; time += 1) live.publish(moved);
    expect(await told(client)).toEqual(['valued 5']);
    live.ring(SECOND);
    expect(await told(client)).toEqual(['valued 5']);
    live.ring(SECOND);
    live.ring(SECOND);
    expect(await told(client)).toEqual([]);
    live.publish(moved);
    expect(await told(client)).toEqual(['valued 5']);
  });

  it('are computed once for all, and only while somebody listens', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, () => live.connect('ada')));
    live.publish(moved);
    expect([live.known.priced, live.known.valuations]).toEqual([[], 0]);
    await Promise.all(clients.map((client) => client.subscribe('wsPositions:s')));
    expect(live.known.priced).toEqual(['s']);
    live.publish(moved);
    expect(new Set(await Promise.all(clients.map((client) => client.nextText()))).size).toBe(1);
    expect(live.known.valuations).toBe(1);
    const unsubscribe = { action: 'unsubscribe', channels: ['wsPositions:s'] };
    for (const client of clients) await client.ask(unsubscribe);
    live.publish(moved);
    live.ring(SECOND);
    expect([live.known.priced, live.known.valuations]).toEqual([[], 1]);
  });

  it('are computed for a few strategies at a time, so that other tasks run', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `s${index}`);
    const client = await live.connect('ada');
    await client.subscribe(...names.map((name) => `wsPositions:${name}`));
    for (const name of names) live.publish({ ...moved, strategyId: id(name) });
    let most = 0;
    for (let seen = 0; live.known.valuations < names.length;) {
      await turn();
      most = Math.max(most, live.known.valuations - seen);
      seen = live.known.valuations;
    }
    expect(most).toBeLessThanOrEqual(16);
    expect(await client.settle()).toHaveLength(names.length);
  });

  it('follow a fill after a second: it changes the weights of the other positions', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsPositions:s');
    filled(6);
    expect(await told(client)).toEqual(['changed 6']);
    live.ring(SECOND);
    expect(await told(client)).toEqual(['valued 6']);
  });

  it('do not follow a split, whose quote is not there yet', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsPositions:s');
    const adjusted = { stockId: id<'stock'>('aapl'), kind: 'split' } as const;
    const event = bookChanged(6, [{ kind: 'filled', order: anOrder('o1') }]);
    live.publish({ ...event, adjusted } as Event);
    live.ring(SECOND);
    expect(await told(client)).toEqual(['changed 6']);
  });

  it('never bring an older book back, when they waited for a snapshot or a check', async () => {
    const client = await live.connect('ada');
    const { wait, reached, resume } = pause();
    live.known.before = async (read) => (read === 2 ? wait() : undefined);
    await client.ask({ action: 'subscribe', channels: ['wsPositions:s'] });
    await reached;
    live.publish(moved);
    await turn();
    filled(6);
    resume();
    expect(await told(client)).toEqual(['snapshot 6']);
    live.ring(SECOND);
    expect(await told(client)).toEqual(['valued 6']);
  });

  it('end with the access', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsPositions:s');
    live.known.hidden.add('s');
    const [userId, strategyId] = [null, id<'strategy'>('s')];
    live.publish({ kind: 'access_changed', userId, strategyId, reason: 'the subscription ended' });
    live.publish(moved);
    expect((await client.next()).event).toBe('ended');
    expect(await told(client)).toEqual([]);
    expect(live.known.priced).toEqual([]);
  });
});
