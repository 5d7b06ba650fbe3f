import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, type StockAction, decimal, decimalText, id } from '@slipstream/domain';
import { aQuote } from '@slipstream/port-contracts';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

const aSplit = (): StockAction => ({
  id: id('split-1'),
  stockId: BOLT,
  kind: 'split',
  figure: decimal('0.1'),
  newShares: decimal('1'),
  oldShares: decimal('10'),
  status: 'done',
  createdAt: world.clock.now(),
});

/** What may happen to a stock between the plan of an order and the order. */
const EVENTS: readonly (readonly [string, string, () => Promise<void> | void])[] = [
  ['is halted here', 'BOLT is halted.', () => void world.halted.add(BOLT)],
  ['is delisted', 'BOLT is delisted.', () => void world.delisted.add(BOLT)],
  ['has no fresh quote', 'BOLT: no fresh quote.', () => void world.stale.add(BOLT)],
  [
    'has too wide a spread',
    'BOLT: the spread of 10% is wider than 2%.',
    () =>
      void world.quotes.set(
        BOLT,
        aQuote({ stockId: BOLT, bid: decimal('95'), ask: decimal('105') }),
      ),
  ],
  [
    'is split',
    'BOLT was split meanwhile.',
    () => {
      world.clock.advance(1_000);
      return world.unitOfWork.run(({ stockActions }) => stockActions.save(aSplit()));
    },
  ],
];

/** The orders that the broker gets, in that order; something happens after the first of them. */
const listen = (meanwhile: () => Promise<void> | void): string[] => {
  const placed: string[] = [];
  const broker = world.brokers.get('simulated') ?? world.broker;
  world.brokers.set('simulated', {
    ...broker,
    place: async (access, order) => {
      placed.push(`${order.action} ${decimalText(order.amount.round(0))} ${order.stock.id}`);
      const answer = await broker.place(access, order).catch((error: unknown) => error as Error);
      if (placed.length === 1) await meanwhile();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return placed;
};

const ordersIn = async (bot: Bot, stockId: string): Promise<(string | null)[]> => {
  const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
  return orders.filter((order) => order.stockId === stockId).map(({ reason }) => reason);
};

describe('an order that is on its way to the broker', () => {
  it.each(EVENTS)('is not sent any more when its stock %s', async (_, reason, happens) => {
    await world.hold(STEADY, '0.1', { acme: '0.005', bolt: '0.004' });
    const bot = await world.start();
    const placed = listen(happens);
    await world.engine.runBot(bot.id);
    expect(placed[0]).toBe('buy 50 acme');
    // Newest first: what follows is planned anew.
    expect((await ordersIn(bot, BOLT)).at(-1)).toBe(`Not sent. ${reason}`);
  });

  it.each(EVENTS)('is not sent again when its stock %s', async (_, _reason, happens) => {
    await world.hold(STEADY, '0.6', { bolt: '0.004' });
    const bot = await world.start();
    world.faults.on('place', 'lost_request');
    const placed = listen(happens);
    await world.engine.runBot(bot.id);
    for (let round = 0; round < 5; round += 1) {
      world.clock.advance(10_000);
      await world.run();
    }
    expect(placed).toEqual(['buy 40 bolt']);
    expect(await world.holdings(bot)).toEqual({});
  });

  it('is sent again when nothing happens', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start();
    world.faults.on('place', 'lost_request');
    await world.run();
    world.clock.advance(10_000);
    await world.run();
    expect(await world.holdings(bot)).toEqual({ [ACME]: '49.99' });
    expect(await world.orders(bot)).toEqual(['filled: buy 49.99 acme']);
  });
});
