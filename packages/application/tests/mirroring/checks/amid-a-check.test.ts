import { describe, expect, it } from '@jest/globals';
import { type Bot, type StockAction, decimal, id } from '@slipstream/domain';
import { BotReconciler, type BotSettings } from '../../../src/mirroring/index.js';
import { type Moments, wrongMoments } from '../../moments.js';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

interface Story {
  readonly settings?: Partial<BotSettings>;
  /** Before the moments are counted. */
  readonly before?: (world: BotWorld, bot: Bot) => Promise<void>;
  readonly act: (world: BotWorld, bot: Bot) => Promise<unknown>;
}

/** The bot, and how much was sent after what happened. */
interface Played {
  readonly world: BotWorld;
  readonly bot: Bot;
  readonly sentAfter: number;
}

/** A bot is checked until it is in line; at one moment of that the story's act happens. */
async function play(moments: Moments, { settings = {}, before, act }: Story): Promise<Played> {
  const world = await aBotWorld();
  // Its first run checks every bot.
  await world.engine.runDueBots();
  await world.hold(STEADY, '0', { acme: '0.006', bolt: '0.004' });
  const bot = await world.start(settings);
  await before?.(world, bot);
  let sent = 0;
  // After the last look, and before the broker answers, an order is on its way.
  const engine = new BotReconciler({
    ...world.deps,
    unitOfWork: moments.watched(world.deps.unitOfWork, ['before']),
  });
  const broker = world.brokers.get('simulated') ?? world.broker;
  world.brokers.set('simulated', moments.watched(broker, ['after']));
  await moments.amid(
    async () => {
      await act(world, bot);
      sent = world.sent.length;
    },
    () => engine.runBot(bot.id),
  );
  // As the next tick does, also when nothing is due.
  await world.engine.runDueBots();
  await world.run();
  return { world, bot: await world.find(bot.id), sentAfter: world.sent.length - sent };
}

const wrongMomentsOf = (
  story: Story,
  isRight: (played: Played) => Promise<boolean> | boolean,
): Promise<readonly number[]> =>
  wrongMoments(async (moments) => isRight(await play(moments, story)));

/** The bot is in line, and its next check fails. */
async function checkFails({ faults, clock, run, find }: BotWorld, { id }: Bot): Promise<void> {
  await run();
  faults.on('account', 'server_error');
  clock.advance(60_000);
  await run();
  const { attempts, nextRunAt } = await find(id);
  expect(attempts).toBe(1);
  clock.set(nextRunAt ?? clock.now());
}

describe('a trade of the strategy amid a check of its bot', () => {
  const closesAll =
    (milliseconds: number) =>
    async ({ clock, hold }: BotWorld): Promise<void> => {
      clock.advance(milliseconds);
      await hold(STEADY, '1', {});
    };

  it.each<[string, Story]>([
    ['in the millisecond in which the bot was due', { act: closesAll(0) }],
    ['a millisecond later', { act: closesAll(1) }],
    [
      'when its owner is notified of a limit that is reached',
      { act: closesAll(1), settings: { limits: { maxOrdersPerDay: 1 } } },
    ],
    ['when the check before failed', { act: closesAll(1), before: checkFails }],
  ])('is followed at once, at every moment of it: %s', async (_, story) => {
    const wrong = await wrongMomentsOf(
      story,
      async ({ world, bot }) => Object.keys(await world.holdings(bot)).length === 0,
    );
    expect(wrong).toEqual([]);
  });
});

describe('a trade of the strategy amid a check of a dry run', () => {
  it('is in its newest plan, at every moment of it', async () => {
    const wrong = await wrongMomentsOf(
      {
        settings: { dryRun: true },
        act: async ({ clock, hold }) => {
          const amount = decimal('0.002');
          const trade = { id: id<'trade'>('later'), stockId: ACME, action: 'buy', amount } as const;
          await hold(STEADY, '-0.2', { acme: '0.008', bolt: '0.004' }, [trade]);
          // The broker takes its time.
          clock.advance(1);
        },
      },
      async ({ world, bot }) => {
        const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
        const planned = orders.filter(({ stockId }) => stockId === ACME);
        const [newest] = planned.toSorted((one, other) => other.cycle - one.cycle);
        return newest?.amount.gt(decimal('70')) === true;
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('a fall of prices beyond max_daily_loss amid a check of a bot', () => {
  it('is found before anything that increases is sent, at every moment of it', async () => {
    const story: Story = {
      settings: { limits: { maxDailyLoss: decimal('0.05') } },
      before: async (world) => {
        await world.run();
        await world.hold(STEADY, '0', { acme: '0.004', bolt: '0.006' });
        world.clock.advance(1000);
      },
      act: async ({ price, deps }) => {
        for (const stockId of [ACME, BOLT]) price(stockId, '92');
        deps.losses.quotesChanged([{ stockId: ACME }, { stockId: BOLT }]);
      },
    };
    const wrong = await wrongMomentsOf(story, async ({ world, bot, sentAfter }) => {
      const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
      const late = world.sent.slice(world.sent.length - sentAfter);
      return bot.breach !== null && orders.every(({ id, closes }) => closes || !late.includes(id));
    });
    expect(wrong).toEqual([]);
  });
});

describe('a split amid a check of a bot', () => {
  it('sends nothing more that was planned in the shares of before, at every moment of it', async () => {
    const act: Story['act'] = async ({ clock, broker, price, unitOfWork, hold }) => {
      clock.advance(1);
      const split: StockAction = {
        ...{ id: id('split-1'), stockId: BOLT, kind: 'split', figure: decimal('0.1') },
        ...{ newShares: decimal('1'), oldShares: decimal('10'), status: 'done' },
        createdAt: clock.now(),
      };
      await broker.adjust?.(split);
      price(BOLT, '1000');
      await unitOfWork.run(({ stockActions }) => stockActions.save(split));
      await hold(STEADY, '0', { acme: '0.006', bolt: '0.0004' });
      clock.advance(1);
    };
    const wrong = await wrongMomentsOf({ act }, async ({ world, bot, sentAfter }) => {
      const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
      const late = world.sent.slice(world.sent.length - sentAfter);
      return orders.every(
        (order) =>
          !late.includes(order.id) || order.stockId !== BOLT || order.amount.lt(decimal('10')),
      );
    });
    expect(wrong).toEqual([]);
  });
});

describe('a command amid a check of a bot', () => {
  const commands: [string, Story['act']][] = [
    ['stopBot', ({ bots }, { id: botId }) => bots.stop(follower, { botId })],
    ['haltTrading', ({ halt }) => halt('operator', 'all')],
    [
      'updateBot with a mode that only reduces',
      ({ bots }, { id: botId }) => bots.update(follower, { botId, mode: 'reduce_only' }),
    ],
    [
      'the end of its subscription',
      ({ unitOfWork }) =>
        unitOfWork.run(async ({ subscriptions }) => {
          const row = await subscriptions.findCurrent(STEADY, follower);
          if (row) await subscriptions.save({ ...row, status: 'cancelled' });
        }),
    ],
    [
      'deleteStrategy',
      ({ unitOfWork, clock }) =>
        unitOfWork.run(async ({ strategies }) => {
          const row = await strategies.find(STEADY);
          if (row) await strategies.save({ ...row, deletedAt: clock.now() });
        }),
    ],
    [
      'the end of its strategy',
      ({ unitOfWork, clock }) =>
        unitOfWork.run(async ({ strategies }) => {
          const row = await strategies.find(STEADY);
          if (row) await strategies.save({ ...row, endedAt: clock.now() });
        }),
    ],
  ];

  it.each(commands)(
    'is obeyed once it is answered, at every moment of it: after %s nothing that increases is sent',
    async (_, act) => {
      const wrong = await wrongMomentsOf({ act }, async ({ world, bot, sentAfter }) => {
        const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
        const late = world.sent.slice(world.sent.length - sentAfter);
        return orders.every(({ id, closes }) => closes || !late.includes(id));
      });
      expect(wrong).toEqual([]);
    },
  );

  it('lets what it forbade be done at once when it is updateBot, in the millisecond in which the bot was due', async () => {
    const wrong = await wrongMomentsOf(
      {
        settings: { denyStocks: ['bolt'] },
        act: ({ bots }, { id: botId }) => bots.update(follower, { botId, denyStocks: [] }),
      },
      async ({ world, bot }) => Object.keys(await world.holdings(bot)).length === 2,
    );
    expect(wrong).toEqual([]);
  });

  it('switches the bot off at once when it is stopBot, at every moment of it', async () => {
    const wrong = await wrongMomentsOf(
      { act: ({ bots }, { id: botId }) => bots.stop(follower, { botId, closeOnStop: true }) },
      async ({ world, bot }) =>
        bot.status === 'off' && Object.keys(await world.holdings(bot)).length === 0,
    );
    expect(wrong).toEqual([]);
  });
});

describe('updateBot amid a check of a bot', () => {
  const changes: [string, Partial<BotSettings>][] = [
    ['leverage', { leverage: decimal('0.5') }],
    ['slippage', { slippage: decimal('0.01') }],
    ['price_collar', { priceCollar: decimal('0.02') }],
    ['max_spread', { maxSpread: decimal('0.02') }],
    ['limits', { limits: { maxOrder: decimal('100') } }],
    ['allocations', { allocations: [{ strategyId: STEADY, percent: decimal('0.5') }] }],
    ['rebalance', { rebalance: 'every_trade' }],
  ];

  it.each(changes)(
    'takes back what was planned by the settings before, at every moment of it: %s',
    async (_, settings) => {
      const cycles = new Map<BotWorld, number>();
      const wrong = await wrongMomentsOf(
        {
          act: async (world, { id: botId }) => {
            const { cycle, status } = await world.bots.update(follower, { botId, ...settings });
            if (status !== 'off') cycles.set(world, cycle);
          },
        },
        async ({ world, bot, sentAfter }) => {
          const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
          const late = world.sent.slice(world.sent.length - sentAfter);
          const since = cycles.get(world) ?? 0;
          return orders.every(
            ({ id, closes, cycle }) => closes || !late.includes(id) || cycle > since,
          );
        },
      );
      expect(wrong).toEqual([]);
    },
  );

  it('lets a rebalance that has begun go on when it sets a cooldown, at every moment of it', async () => {
    const wrong = await wrongMomentsOf(
      {
        settings: { rebalance: { band: decimal('0.1') } },
        act: ({ bots }, { id: botId }) =>
          bots.update(follower, { botId, rebalance: { cooldownHours: 720 } }),
      },
      async ({ world, bot }) => Object.keys(await world.holdings(bot)).length === 2,
    );
    expect(wrong).toEqual([]);
  });

  it.each<[string, Partial<BotSettings>]>([
    ['deny_stocks', { denyStocks: ['bolt'] }],
    ['allow_stocks', { allowStocks: ['acme'] }],
  ])(
    'opens and adds nothing of a stock that it leaves out, at every moment of it: %s',
    async (_, settings) => {
      const wrong = await wrongMomentsOf(
        { act: ({ bots }, { id: botId }) => bots.update(follower, { botId, ...settings }) },
        async ({ world, bot, sentAfter }) => {
          const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
          const late = world.sent.slice(world.sent.length - sentAfter);
          return orders.every(
            ({ id, closes, stockId }) => closes || !late.includes(id) || stockId !== BOLT,
          );
        },
      );
      expect(wrong).toEqual([]);
    },
  );
});
