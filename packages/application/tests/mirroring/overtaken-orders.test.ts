import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, type Trade, decimal, decimalText, id } from '@slipstream/domain';
import { DOUBT_LASTS } from '../../src/mirroring/bot-schedule.js';
import { BotReconciler } from '../../src/mirroring/index.js';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;
let count = 0;

beforeEach(async () => {
  world = await aBotWorld();
  count = 0;
});

/** A trade of the strategy that leads to these holdings. */
const trade = (
  cash: string,
  holdings: Readonly<Record<string, string>>,
  { action, stockId }: Pick<Trade, 'action' | 'stockId'>,
  amount = '0.001',
): Promise<void> => {
  count += 1;
  const made = { id: id<'trade'>(`trade-${count}`), action, stockId, amount: decimal(amount) };
  return world.hold(STEADY, cash, holdings, [made]);
};

type Meanwhile = () => Promise<void>;

/** The orders of the bot that the broker got, in that order; after the first of them something happens. */
const listen = (meanwhile: Meanwhile): string[] => {
  const placed: string[] = [];
  const broker = world.brokers.get('simulated') ?? world.broker;
  world.brokers.set('simulated', {
    ...broker,
    place: async (access, order) => {
      const answer = await broker.place(access, order);
      placed.push(`${order.action} ${decimalText(order.amount.round(0))} ${order.stock.id}`);
      if (placed.length === 1) await meanwhile();
      return answer;
    },
  });
  return placed;
};

/** The reasons of the orders in that stock that were not filled. */
const notSent = async (bot: Bot): Promise<(string | null)[]> => {
  const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
  return orders.filter(({ status }) => status === 'cancelled').map(({ reason }) => reason);
};

const TAKEN_BACK = 'Not sent. A mirrored strategy has traded the other way meanwhile.';
const NEITHER = { cash: '1', holdings: {} };
/** The bot trades ACME first, because it is more. */
const BOTH = { cash: '0.1', holdings: { acme: '0.005', bolt: '0.004' } };

/** A bot that is in line with strategies that hold nothing. */
const started = async (): Promise<Bot> => {
  await world.hold(STEADY, NEITHER.cash, NEITHER.holdings);
  const bot = await world.start();
  await world.run();
  return bot;
};

describe('an order that is not sent yet when a mirrored strategy trades', () => {
  const buysBoth = async (): Promise<void> => {
    await trade(BOTH.cash, BOTH.holdings, { action: 'buy', stockId: BOLT });
    await world.run();
  };

  it('is taken back when the strategy left its stock', async () => {
    const bot = await started();
    const placed = listen(() =>
      trade('0.5', { acme: '0.005' }, { action: 'sell', stockId: BOLT }, '0.004'),
    );
    await buysBoth();
    expect(placed).toEqual(['buy 50 acme']);
    expect(await notSent(bot)).toEqual([TAKEN_BACK]);
    await world.expectInLine(bot);
  });

  it('is planned anew, smaller, when the strategy reduced', async () => {
    const bot = await started();
    const placed = listen(() =>
      trade('0.4', { acme: '0.005', bolt: '0.001' }, { action: 'sell', stockId: BOLT }, '0.003'),
    );
    await buysBoth();
    expect(placed).toEqual(['buy 50 acme', 'buy 10 bolt']);
    expect(await notSent(bot)).toEqual([TAKEN_BACK]);
    await world.expectInLine(bot);
  });

  it.each<[string, Meanwhile]>([
    [
      'bought more of it',
      () => trade('0', { acme: '0.005', bolt: '0.005' }, { action: 'buy', stockId: BOLT }),
    ],
    [
      'traded another stock',
      () => trade('0.2', { acme: '0.004', bolt: '0.004' }, { action: 'sell', stockId: ACME }),
    ],
    [
      'sold it and bought it again',
      async () => {
        await trade('0.5', { acme: '0.005' }, { action: 'sell', stockId: BOLT });
        await trade(BOTH.cash, BOTH.holdings, { action: 'buy', stockId: BOLT });
      },
    ],
  ])('is sent when the strategy %s', async (_, meanwhile) => {
    const bot = await started();
    const placed = listen(meanwhile);
    await buysBoth();
    expect(placed.slice(0, 2)).toEqual(['buy 50 acme', 'buy 40 bolt']);
    expect(await notSent(bot)).toEqual([]);
    await world.expectInLine(bot);
  });

  it('is taken back too when it reduces and the strategy bought the stock again', async () => {
    await world.hold(STEADY, BOTH.cash, BOTH.holdings);
    const bot = await world.start();
    await world.run();
    const placed = listen(() =>
      trade('0.6', { bolt: '0.004' }, { action: 'buy', stockId: BOLT }, '0.004'),
    );
    await trade(NEITHER.cash, NEITHER.holdings, { action: 'sell', stockId: BOLT }, '0.004');
    await world.run();
    expect(placed).toEqual(['sell 50 acme']);
    expect(await notSent(bot)).toEqual([TAKEN_BACK]);
    await world.expectInLine(bot);
  });

  it('is sent at last when the strategy reduces during every plan', async () => {
    const bot = await started();
    let bolt = 50;
    const broker = world.brokers.get('simulated') ?? world.broker;
    world.brokers.set('simulated', {
      ...broker,
      rules: async (...asked) => {
        const rules = await broker.rules(...asked);
        bolt -= 1;
        const left = { acme: '0.005', bolt: `0.00${bolt}` };
        await trade('0.01', left, { action: 'sell', stockId: BOLT }, '0.0001');
        return rules;
      },
    });
    await trade(BOTH.cash, BOTH.holdings, { action: 'buy', stockId: BOLT });
    await world.engine.runBot(bot.id);
    expect(await notSent(bot)).toEqual([TAKEN_BACK, TAKEN_BACK, TAKEN_BACK]);
    expect(Object.keys(await world.holdings(bot)).toSorted()).toEqual(['acme', 'bolt']);
  });

  it('is not sent after a crash either', async () => {
    const bot = await started();
    world.faults.on('place', 'hang_before');
    await trade(BOTH.cash, BOTH.holdings, { action: 'buy', stockId: BOLT });
    void world.engine.runDueBots();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await world.orders(bot)).toSorted()).toEqual(['new: buy 0 acme', 'new: buy 0 bolt']);
    const placed = listen(async () => undefined);
    await trade('0.5', { acme: '0.005' }, { action: 'sell', stockId: BOLT }, '0.004');
    const next = new BotReconciler(world.deps);
    await next.runDueBots();
    world.clock.advance(DOUBT_LASTS);
    await next.runDueBots();
    await world.run();
    expect(placed).toEqual(['buy 50 acme']);
    expect(await notSent(bot)).toEqual(['It never reached the broker.']);
    await world.expectInLine(bot);
  });
});

describe('an order that may have been sent before a crash, in a stock of which the strategy sells a part since', () => {
  it('is never sent, however often the bot asks for it meanwhile', async () => {
    const bot = await started();
    world.faults.on('place', 'hang_before');
    await trade('0.5', { acme: '0.005' }, { action: 'buy', stockId: ACME }, '0.005');
    void world.engine.runDueBots();
    await new Promise((resolve) => setImmediate(resolve));
    const placed = listen(async () => undefined);
    await trade('0.7', { acme: '0.003' }, { action: 'sell', stockId: ACME }, '0.002');
    const next = new BotReconciler(world.deps);
    for (let waited = 0; waited < DOUBT_LASTS; waited += 5_000) {
      await next.runDueBots();
      world.clock.advance(5_000);
    }
    expect(placed).toEqual([]);
    await next.runDueBots();
    expect(placed).toEqual(['buy 30 acme']);
    await world.expectInLine(bot);
  });

  it('is asked for every few seconds, not again and again at once', async () => {
    await started();
    world.faults.on('place', 'hang_before');
    await trade('0.5', { acme: '0.005' }, { action: 'buy', stockId: ACME }, '0.005');
    void world.engine.runDueBots();
    await new Promise((resolve) => setImmediate(resolve));
    await trade('0.7', { acme: '0.003' }, { action: 'sell', stockId: ACME }, '0.002');
    const broker = world.brokers.get('simulated') ?? world.broker;
    let asked = 0;
    world.brokers.set('simulated', {
      ...broker,
      find: async (...given) => {
        asked += 1;
        return broker.find(...given);
      },
    });
    await new BotReconciler(world.deps).runDueBots();
    expect(asked).toBe(1);
  });
});

describe('an order that was sent before a crash and that the broker shows late', () => {
  it('is not written off when the strategy trades meanwhile: its fill is known at the end', async () => {
    const bot = await started();
    // The process ends after the broker has the order and before its answer is stored.
    world.faults.on('place', 'hang_after');
    await trade(BOTH.cash, BOTH.holdings, { action: 'buy', stockId: BOLT });
    void world.engine.runDueBots();
    await new Promise((resolve) => setImmediate(resolve));
    const broker = world.brokers.get('simulated') ?? world.broker;
    let shows = false;
    world.brokers.set('simulated', {
      ...broker,
      find: async (access, ids) => (shows ? broker.find(access, ids) : new Map()),
    });
    await trade(NEITHER.cash, NEITHER.holdings, { action: 'sell', stockId: ACME }, '0.005');
    const next = new BotReconciler(world.deps);
    await next.runDueBots();
    shows = true;
    world.clock.advance(DOUBT_LASTS);
    await next.runDueBots();
    await world.run();
    const orders = await world.orders(bot);
    expect(orders).toContainEqual(expect.stringMatching(/^filled: buy [1-9.]+ acme$/));
    expect(Object.keys(await world.holdings(bot))).toEqual([]);
  });
});

describe('an order that is open at the broker when the strategy leaves its stock', () => {
  it('is cancelled at the next check', async () => {
    world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, NEITHER.cash, NEITHER.holdings);
    const bot = await world.start({ priceCollar: decimal('0') });
    await world.run();
    await trade('0.5', { bolt: '0.005' }, { action: 'buy', stockId: BOLT });
    await world.engine.runDueBots();
    world.price(BOLT, '101');
    await trade(NEITHER.cash, NEITHER.holdings, { action: 'sell', stockId: BOLT }, '0.005');
    world.clock.advance(5_000);
    await world.run();
    world.clock.advance(5_000);
    await world.run();
    expect(await world.orders(bot)).toEqual(['cancelled: buy 0 bolt']);
    await world.expectInLine(bot);
  });
});
