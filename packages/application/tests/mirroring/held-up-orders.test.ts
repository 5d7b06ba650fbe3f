import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, decimal } from '@slipstream/domain';
import { type Broker, BrokerUnreachable } from '@slipstream/ports';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld({ acceptsFirst: true });
  await world.hold(STEADY, '0.5', { acme: '0.005' });
});

const pass = async (seconds: number): Promise<void> => {
  for (let second = 0; second < seconds; second += 5) {
    world.clock.advance(5_000);
    await world.run();
  }
};

type Manner = (broker: Broker) => Partial<Broker>;

/** How a broker leaves a cancelled order open: the order looks so, and the cancellation is answered so. */
const MANNERS: readonly (readonly [string, Manner])[] = [
  [
    'leaves the cancellation pending',
    (broker) => ({
      cancel: async () => undefined,
      find: async (...asked) =>
        new Map(
          [...(await broker.find(...asked))].map(([one, order]) => [
            one,
            { ...order, cancelling: order.status === 'open' },
          ]),
        ),
    }),
  ],
  ['puts it aside for the day', () => ({ cancel: async () => undefined })],
  [
    'does not answer the cancellation',
    () => ({ cancel: () => Promise.reject(new BrokerUnreachable('no answer in time')) }),
  ],
  [
    'answers the cancellation with nonsense',
    () => ({ cancel: () => Promise.reject(new TypeError('unexpected end of input')) }),
  ],
];

describe('an order that does not end although it is cancelled', () => {
  /** A bot that holds ACME, and whose order in BOLT does not end. */
  const withOrderInBolt = async (manner: Manner): Promise<Bot> => {
    const bot = await world.start({ existingPositions: 'keep', priceCollar: decimal('0') });
    await pass(15);
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    const broker = world.brokers.get('simulated') ?? world.broker;
    world.brokers.set('simulated', { ...broker, ...manner(broker) });
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    await world.engine.runDueBots();
    world.price(BOLT, '101');
    await pass(120);
    return bot;
  };

  it.each(MANNERS)(
    'of a broker that %s: its stock waits, others are reduced',
    async (_, manner) => {
      const bot = await withOrderInBolt(manner);
      await world.hold(STEADY, '0.8', { acme: '0.002' });
      await pass(100);
      const { acme } = await world.holdings(bot);
      expect(Number(acme)).toBeLessThan(25);
      const orders = await world.orders(bot);
      expect(orders.filter((order) => order.endsWith('bolt'))).toEqual(['open: buy 0 bolt']);
      expect((await world.find(bot.id)).statusReason).toContain('does not end');
    },
  );

  it.each(MANNERS)('of a broker that %s: a closure of the others goes on', async (_, manner) => {
    const bot = await withOrderInBolt(manner);
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await pass(100);
    expect(await world.holdings(bot)).toEqual({});
    expect(await world.find(bot.id)).toMatchObject({ condition: 'closing' });
  });

  it.each(MANNERS)(
    "of a broker that %s: what it fills in the end is the bot's",
    async (_, manner) => {
      const bot = await withOrderInBolt(manner);
      await pass(120);
      world.price(BOLT, '100');
      await pass(70);
      const { positions } = await world.bots.account(follower, { botId: bot.id });
      const bolt = positions.find(({ stockId }) => stockId === BOLT);
      expect(bolt && [bolt.kept.toFixed(), bolt.amount.gt('40')]).toEqual(['0', true]);
      await pass(120);
      expect(await world.find(bot.id)).toMatchObject({ status: 'running' });
      world.expectSentOnce();
    },
  );

  it('that fills between two questions is neither a purchase of the owner nor a loss', async () => {
    const bot = await withOrderInBolt((broker) => ({
      cancel: async () => undefined,
      // The broker shows the fill in the account first.
      find: async (...asked) =>
        new Map(
          [...(await broker.find(...asked))].map(([one, order]) => [
            one,
            order.stockId === BOLT
              ? { ...order, status: 'open', filledAmount: decimal('0'), filledPrice: null }
              : order,
          ]),
        ),
    }));
    await pass(60);
    world.price(BOLT, '100');
    await world.hold(STEADY, '0.8', { acme: '0.002' });
    await pass(130);
    const found = await world.find(bot.id);
    expect(found.heldParts.get(BOLT)?.kept.toFixed() ?? '0').toBe('0');
    expect(world.notices.filter((notice) => notice.includes('so kept and not traded'))).toEqual([]);
    expect(Number((await world.holdings(bot))[ACME])).toBeLessThan(25);
  });

  it('is asked for about once a minute', async () => {
    const [, puts] = MANNERS[1] ?? ['', () => ({})];
    let asked = 0;
    await withOrderInBolt((broker) => ({
      ...puts(broker),
      find: (...given) => {
        asked += 1;
        return broker.find(...given);
      },
    }));
    await pass(60);
    asked = 0;
    await pass(300);
    expect(asked).toBeLessThanOrEqual(12);
  });
});
