import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, ONE, decimal } from '@slipstream/domain';
import { aFilledOrder, anAccess, filled } from '@slipstream/port-contracts';
import { BotReconciler, previewBot } from '../../src/mirroring/index.js';
import {
  ACME,
  BOLT,
  DARING,
  MINTED,
  STEADY,
  type BotWorld,
  aBotWorld,
  follower,
} from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

describe('a bot that mirrors', () => {
  it('brings the account into line and runs', async () => {
    const bot = await world.running();
    await world.expectInLine(bot);
    expect(await world.holdings(bot)).toEqual({ acme: '49.99' });
    expect(await world.orders(bot)).toEqual(['filled: buy 49.99 acme']);
    expect((await world.find(bot.id)).nextRunAt).toBe(world.clock.now() + 60_000);
    expect(world.notices).toContainEqual(
      expect.stringMatching(/info: In line with its target, drift 0\.\d{1,2}%\.$/),
    );
  });

  it('follows a trade of its strategy, reduces first', async () => {
    const bot = await world.running();
    world.clock.advance(1_000);
    await world.hold(STEADY, '0', { bolt: '0.01' });
    await world.run();
    await world.expectInLine(bot);
    const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    const told = orders
      .toSorted((first, second) => first.cycle - second.cycle)
      .map(({ action, stockId }) => `${action} ${stockId}`);
    // The last one invests what the limit of the one before left over.
    expect(told).toEqual(['buy acme', 'sell acme', 'buy bolt', 'buy bolt']);
    world.expectSentOnce();
  });

  it('checks every minute, and leaves alone what is in line', async () => {
    const bot = await world.running();
    world.clock.advance(60_000);
    await world.run();
    expect(await world.orders(bot)).toHaveLength(1);
    expect((await world.find(bot.id)).nextRunAt).toBe(world.clock.now() + 60_000);
  });

  it('puts right what somebody traded by hand', async () => {
    const bot = await world.running();
    await world.broker.place(
      anAccess({ accountId: bot.accountId, credentials: { user_id: follower } }),
      {
        clientOrderId: 'by hand',
        stock: world.stockOf(BOLT),
        action: 'buy',
        amount: decimal('10'),
        limit: null,
        closes: false,
      },
    );
    world.clock.advance(60_000);
    await world.run();
    await world.expectInLine(bot);
    expect(await world.holdings(bot)).toEqual({ acme: '49.99' });
  });

  it('nets several strategies, with leverage, shorts included', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    await world.hold(DARING, '1.5', { bolt: '-0.005' });
    const bot = await world.start({
      leverage: decimal('1.2'),
      allocations: [
        { strategyId: STEADY, percent: ONE },
        { strategyId: DARING, percent: decimal('0.5') },
      ],
    });
    await world.run();
    await world.expectInLine(bot);
    const { bolt, acme } = await world.holdings(bot);
    expect(acme).toMatch(/^59\./);
    expect(bolt).toMatch(/^-(29|30)\./);
  });

  it('scales to what the account may hold, and says so', async () => {
    await world.hold(MINTED, '0', { coin: '0.01' });
    const bot = await world.start({
      type: 'cryptocurrency',
      leverage: decimal('2'),
      allocations: [{ strategyId: MINTED, percent: ONE }],
    });
    await world.run();
    await world.expectInLine(bot);
    expect((await world.find(bot.id)).statusReason).toContain('scaled down from 2x to 1x');
  });

  it('skips shorts that the broker cannot hold, and says so', async () => {
    await world.hold(MINTED, '1.5', { coin: '-0.005' });
    const bot = await world.start({
      type: 'cryptocurrency',
      allocations: [{ strategyId: MINTED, percent: ONE }],
    });
    await world.run();
    expect(await world.holdings(bot)).toEqual({});
    expect((await world.find(bot.id)).statusReason).toContain('short of COINUSD');
  });

  it('keeps a short that the broker lends no more of, and closes it with its strategy', async () => {
    await world.hold(STEADY, '1.5', { acme: '-0.005' });
    const bot = await world.start();
    await world.run();
    const held = await world.holdings(bot);
    const { rules } = world.broker;
    world.brokers.set('simulated', {
      ...world.broker,
      rules: async (...asked) =>
        new Map(
          [...(await rules(...asked))].map(([key, rule]) => [key, { ...rule, allowsShort: false }]),
        ),
    });
    world.clock.advance(60_000);
    await world.run();
    expect(await world.holdings(bot)).toEqual(held);
    await world.hold(STEADY, '1', {});
    await world.run();
    expect(await world.holdings(bot)).toEqual({});
  });

  it("tells what is below the broker's minimum", async () => {
    world = await aBotWorld({ minTotal: decimal('1000') });
    await world.hold(STEADY, '0.95', { acme: '0.0005' });
    const bot = await world.start();
    await world.run();
    expect(await world.orders(bot)).toEqual([]);
    expect((await world.find(bot.id)).statusReason).toContain('below the broker');
  });

  it('trades nothing while a mirrored value is unavailable, and goes on when it is there', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.quotes.delete(ACME);
    const bot = await world.start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'scheduled_rebalance' });
    expect((await world.find(bot.id)).statusReason).toContain('unavailable');
    world.price(ACME, '100');
    world.clock.advance(60_000);
    await world.run();
    await world.expectInLine(bot);
  });

  it('waits for a closed market', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.closed.add(ACME);
    const bot = await world.start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'scheduled_rebalance' });
    expect((await world.find(bot.id)).statusReason).toContain('ACME');
    world.closed.clear();
    world.clock.advance(60_000);
    await world.run();
    await world.expectInLine(bot);
  });

  it('waits for the next trade when it does not rebalance on start', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const made = await world.aNewBot({ rebalanceOnStart: true });
    const bot = await world.bots.start(follower, { botId: made.id, rebalanceOnStart: false });
    world.clock.advance(120_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      status: 'scheduled_rebalance',
      rebalanceOnStart: true,
    });
    expect(await world.orders(bot)).toEqual([]);
    await world.hold(STEADY, '0.4', { acme: '0.006' });
    await world.run();
    await world.expectInLine(bot);
  });

  it('sees the trade that it waits for though the process ended before it was woken', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({ rebalanceOnStart: false });
    await world.run();
    expect((await world.find(bot.id)).statusReason).toContain('Waits for the next trade');
    world.clock.advance(1_000);
    await world.unitOfWork.run(async ({ books }) => {
      const book = await books.find(STEADY);
      if (!book) throw new Error('no book');
      const order = aFilledOrder({ strategyId: STEADY, stockId: ACME });
      const trade = filled(order, { createdAt: world.clock.now() });
      await books.save({ ...book, version: book.version + 1 }, [trade]);
    });
    await new BotReconciler(world.deps).runDueBots();
    await world.expectInLine(bot);
  });

  it('does not take a trade from before its start for the one that it waits for', async () => {
    await world.unitOfWork.run(async ({ books }) => {
      const book = await books.find(STEADY);
      if (!book) throw new Error('no book');
      const order = aFilledOrder({ strategyId: STEADY, stockId: ACME });
      await books.save({ ...book, version: book.version + 1 }, [
        filled(order, { createdAt: world.clock.now() }),
      ]);
    });
    world.clock.advance(1_000);
    const bot = await world.start({ rebalanceOnStart: false });
    await new BotReconciler(world.deps).runDueBots();
    expect((await world.find(bot.id)).status).toBe('scheduled_rebalance');
  });

  it('closes first where the broker refuses to cross zero', async () => {
    world = await aBotWorld({ crossesZero: false });
    const bot = await world.running();
    await world.hold(STEADY, '1.5', { acme: '-0.005' });
    await world.run();
    await world.expectInLine(bot);
    expect(await world.orders(bot)).toHaveLength(3);
    expect((await world.holdings(bot))['acme']).toMatch(/^-/);
  });
});

describe('the notification that a bot is in line', () => {
  const times = (): number => world.notices.filter((notice) => notice.includes('In line')).length;
  const check = async (): Promise<void> => {
    world.clock.advance(60_000);
    await world.run();
  };
  const trade = async (cash: string, acme: string): Promise<void> => {
    await world.hold(STEADY, cash, { acme });
    await check();
  };

  it.each<[string, number, (bot: Bot) => Promise<unknown>]>([
    ['is sent after the start', 1, check],
    [
      'is not sent again after each trade of a strategy',
      1,
      async () => {
        await trade('0.4', '0.006');
        await trade('0.3', '0.007');
      },
    ],
    [
      'is sent again after the bot waited for a market',
      2,
      async () => {
        world.closed.add(ACME);
        await trade('0.4', '0.006');
        world.closed.delete(ACME);
        await check();
      },
    ],
    [
      'is sent again after its broker could not be reached',
      2,
      async () => {
        world.faults.on('account', 'lost_request');
        await check();
        await check();
      },
    ],
    [
      'is sent again after it was in error',
      2,
      async (bot) => {
        world.faults.on('account', 'refused');
        await check();
        await world.bots.reset(follower, { botId: bot.id });
        await check();
      },
    ],
    [
      'is sent again after a breach was acknowledged',
      2,
      async (bot) => {
        world.price(ACME, '70');
        await check();
        await world.bots.reset(follower, { botId: bot.id, acknowledgeBreach: true });
        await check();
      },
    ],
    [
      'is sent again after the next start',
      2,
      async (bot) => {
        await world.bots.stop(follower, { botId: bot.id });
        await check();
        await world.bots.start(follower, { botId: bot.id });
        await check();
      },
    ],
  ])('%s (%i)', async (_, count, meanwhile) => {
    const bot = await world.running({ limits: { maxDailyLoss: decimal('0.1') } });
    await meanwhile(bot);
    await world.expectInLine(bot);
    expect(times()).toBe(count);
  });
});

describe('a stock that is halted here', () => {
  it('is not traded, though its broker would trade it, until the halt ends', async () => {
    const heard = world.brokers.get('simulated');
    if (!heard) throw new Error('no broker');
    world.brokers.set('simulated', {
      ...heard,
      rules: async (...given) => {
        const rules = await heard.rules(...given);
        return new Map(
          [...rules].map(([stockId, rule]) => [stockId, { ...rule, session: 'open' }]),
        );
      },
    });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.halted.add(ACME);
    const bot = await world.start();
    await world.run();
    expect(world.sent).toEqual([]);
    expect((await world.find(bot.id)).statusReason).toContain('ACME (halted)');
    world.halted.clear();
    world.clock.advance(60_000);
    await world.run();
    await world.expectInLine(bot);
    expect(world.sent).toHaveLength(1);
  });
});

describe('a stock that is not traded any more', () => {
  it.each<[string, (stockId: typeof ACME) => void, string]>([
    ['delisted', (stockId) => void world.delisted.add(stockId), 'ACME (delisted)'],
    ['not traded by the broker', withoutRules, 'ACME'],
  ])('is named by its symbol, %s', async (_, end, named) => {
    const bot = await world.running();
    end(ACME);
    world.clock.advance(60_000);
    await world.run();
    const left = `${named} is not traded here and is left as it is.`;
    expect((await world.find(bot.id)).statusReason).toBe(left);
    const other = await world.aNewBot();
    const { warnings } = await previewBot(world.deps)(follower, { botId: other.id });
    expect(warnings).toEqual([`${named} is not traded by the broker and is left out.`]);
  });
});

/** The broker does not trade the stock any more. */
function withoutRules(stockId: typeof ACME): void {
  const broker = world.brokers.get('simulated') ?? world.broker;
  world.brokers.set('simulated', {
    ...broker,
    rules: async (...given) => {
      const rules = new Map(await broker.rules(...given));
      rules.delete(stockId);
      return rules;
    },
  });
}
