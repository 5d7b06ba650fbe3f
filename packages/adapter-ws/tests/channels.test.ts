import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import { pause } from './control.js';
import { aBot, anOrder, bookChanged, serve, valueChanged, world } from './harness.js';

let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  live = await serve();
});
afterEach(() => live.stop());

const subscribe = (...channels: string[]) => ({ action: 'subscribe', channels });

describe('orders and positions', () => {
  it('begin with a snapshot and continue above its version', async () => {
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
    const received = (await client.settle()).map(({ event, version, channel }) => [
      channel,
      event,
      version,
    ]);
    expect(received).toEqual([
      ['wsOrders:s', 'opened', 6],
      ['wsOrders:s', 'filled', 6],
      ['wsPositions:s', 'changed', 6],
    ]);
  });

  it('contain every open order, over all pages', async () => {
    live.known.orders = Array.from({ length: 250 }, (_, index) => anOrder(`o${index}`));
    const client = await live.connect('ada');
    const [snapshot] = await client.subscribe('wsOrders:s');
    expect(snapshot?.data).toHaveLength(250);
  });

  it('let other tasks run between two pages', async () => {
    let [run, longest] = [0, 0];
    const known = world();
    known.orders = Array.from({ length: 990 }, (_, index) => anOrder(`o${index}`));
    known.before = async () => void (longest = Math.max(longest, (run += 1)));
    const calm = await serve(known, { pause: async () => void (run = 0) });
    const client = await calm.connect('ada');
    await client.subscribe('wsOrders:s');
    await calm.stop();
    expect(known.reads).toBeGreaterThan(10);
    expect(longest).toBeLessThanOrEqual(4);
  });

  it('keep events that come while the snapshot is read', async () => {
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

  it('read again records that changed between the pages of a snapshot', async () => {
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
  it('are computed while somebody listens', async () => {
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
      data: { strategy_id: 's', strategy_value: '1.5', closing_only: false, ended_at: null },
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
  it('are published whenever they change, and when they are deleted', async () => {
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
