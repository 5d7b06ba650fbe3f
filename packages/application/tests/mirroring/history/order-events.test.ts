import { beforeEach, describe, expect, it } from '@jest/globals';
import { type BotOrder, ZERO } from '@slipstream/domain';
import type { Broker, BrokerOrder } from '@slipstream/ports';
import { type BotWorld, STEADY, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;
let published: BotOrder[];
beforeEach(async () => {
  world = await aBotWorld();
  published = [];
  world.unitOfWork.subscribe((event) => {
    if (event.kind === 'bot_order_changed') published.push(event.order);
  });
  await world.hold(STEADY, '0', { acme: '0.01' });
});

/** Of the first order; others may follow it until the account is in line. */
const statuses = () =>
  published.filter(({ id }) => id === published[0]?.id).map(({ status }) => status);

describe('an order of a bot', () => {
  it('is published when it is planned and when the broker has answered, as getBotOrders shows it', async () => {
    const bot = await world.start({});
    await world.run();
    expect(statuses()).toEqual(['new', 'filled']);
    const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    const last = new Map(published.map((order) => [order.id, order]));
    expect(last.size).toBe(orders.length);
    for (const order of orders) expect(order).toMatchObject({ ...last.get(order.id) });
  });

  it('is published again only when the broker tells something new', async () => {
    const broker = world.deps.brokers.get('simulated') as {
      -readonly [Name in keyof Broker]: Broker[Name];
    };
    const { place, find } = broker;
    const open = (order: BrokerOrder): BrokerOrder => ({
      ...order,
      status: 'open',
      filledAmount: ZERO,
      filledPrice: null,
    });
    broker.place = async (...given) => open(await place(...given));
    broker.find = async (...given) =>
      new Map([...(await find(...given))].map(([id, order]) => [id, open(order)]));
    await world.start({});
    for (let checks = 0; checks < 3; checks += 1) {
      await world.run();
      world.clock.advance(5_000);
    }
    expect(statuses()).toEqual(['new', 'open']);
    broker.find = find;
    await world.run();
    expect(statuses()).toEqual(['new', 'open', 'filled']);
  });

  it('of a dry run is published as planned', async () => {
    await world.start({ dryRun: true });
    await world.run();
    expect(statuses()).toEqual(['planned']);
  });
});
