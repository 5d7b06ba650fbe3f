import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decimal, id } from '@slipstream/domain';
import { aBotOrder } from '@slipstream/port-contracts';
import type { Event } from '@slipstream/ports';
import { pause } from './control.js';
import { aBot, serve } from './harness.js';

let live: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  live = await serve();
});
afterEach(() => live.stop());

const EVERY = 10_000;
const REST = 5_000;
const changed: Event = { kind: 'bot_changed', bot: aBot('b'), at: 1 };
const ordered = (status: 'new' | 'filled'): Event => ({
  ...{ kind: 'bot_order_changed', at: 1 },
  order: aBotOrder({ botId: id('b'), status }),
});
const unsubscribe = { action: 'unsubscribe', channels: ['wsBot:b'] };

describe('the channel of a bot', () => {
  it('tells each state of its orders, and the account after it', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsBot:b');
    live.publish(ordered('new'));
    expect(await client.next()).toMatchObject({
      ...{ channel: 'wsBot:b', event: 'order', version: 1 },
      data: { bot_id: 'b', status: 'new' },
    });
    expect(await client.next()).toMatchObject({
      ...{ event: 'account', version: 2 },
      data: { equity: '10', cash: '10', positions: [], drift: null },
    });
  });

  it('tells the account every ten seconds, although nothing else happens', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsBot:b');
    live.ring(EVERY);
    expect(await client.next()).toMatchObject({ event: 'account', data: { equity: '10' } });
    live.known.account = { ...live.known.account, equity: decimal('11') };
    live.ring(REST);
    live.ring(EVERY);
    expect(await client.next()).toMatchObject({ event: 'account', data: { equity: '11' } });
  });

  it('asks the broker once for all listeners, and at most every five seconds', async () => {
    const clients = [await live.connect('ada'), await live.connect('ada')];
    for (const client of clients) await client.subscribe('wsBot:b');
    for (const event of [ordered('new'), ordered('filled'), changed]) live.publish(event);
    for (const client of clients) await client.settle();
    expect(live.known.accountReads).toBe(1);
    live.ring(REST);
    for (const client of clients)
      expect((await client.settle()).filter(({ event }) => event === 'account')).toHaveLength(1);
    expect(live.known.accountReads).toBe(2);
    live.ring(REST);
    live.ring(REST);
    expect(live.known.accountReads).toBe(2);
  });

  it('asks no broker that has not answered yet, and none without listeners', async () => {
    const { wait, reached, resume } = pause();
    live.known.beforeAccount = wait;
    const client = await live.connect('ada');
    await client.subscribe('wsBot:b');
    live.ring(EVERY);
    await reached;
    live.ring(REST);
    live.ring(EVERY);
    expect(live.known.accountReads).toBe(1);
    resume();
    expect((await client.next()).event).toBe('account');
    await client.ask(unsubscribe);
    live.publish(changed);
    expect(live.ring(EVERY)).toBe(0);
    expect(live.known.accountReads).toBe(1);
  });

  it('goes on while the broker is away', async () => {
    const client = await live.connect('ada');
    await client.subscribe('wsBot:b');
    live.known.hidden.add('b');
    live.ring(EVERY);
    expect(await client.settle()).toEqual([]);
    live.known.hidden.delete('b');
    live.ring(REST);
    live.ring(EVERY);
    expect((await client.next()).event).toBe('account');
    expect(live.logged).toEqual([]);
  });

  it('tells orders and account only to tokens with the scopes of their reads', async () => {
    const [narrow, some] = [await live.connect('bots'), await live.connect('orders of bots')];
    await narrow.subscribe('wsBot:b');
    await some.subscribe('wsBot:b');
    for (const event of [ordered('new'), changed]) live.publish(event);
    live.ring(EVERY);
    expect((await narrow.settle()).map(({ event }) => event)).toEqual(['changed']);
    expect((await some.settle()).map(({ event }) => event)).toEqual(['order', 'changed']);
    expect(live.known.accountReads).toBe(0);
    const whole = await live.connect('ada');
    await whole.subscribe('wsBot:b');
    live.ring(REST);
    live.ring(EVERY);
    expect((await whole.next()).event).toBe('account');
    expect([await narrow.settle(), await some.settle()]).toEqual([[], []]);
  });

  it('tells nothing of a bot that was deleted while its broker was asked', async () => {
    const { wait, reached, resume } = pause();
    live.known.beforeAccount = wait;
    const client = await live.connect('ada');
    await client.subscribe('wsBot:b');
    live.ring(EVERY);
    await reached;
    live.publish({ kind: 'bot_deleted', botId: id('b'), at: 2 });
    resume();
    expect((await client.settle()).map(({ event }) => event)).toEqual(['ended']);
  });
});
