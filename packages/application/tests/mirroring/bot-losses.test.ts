import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Bot,
  type GivenLimits,
  type OnBreach,
  decimal,
  decimalText,
  id,
} from '@slipstream/domain';
import { aQuote, anAccess } from '@slipstream/port-contracts';
import type { Broker, BrokerAccess } from '@slipstream/ports';
import { type BotDeps, BotReconciler, previewBot, updateBot } from '../../src/mirroring/index.js';
import { checkLosses } from '../../src/mirroring/limits/losses.js';
import { LossIndex } from '../../src/mirroring/limits/loss-index.js';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;

const DAILY: GivenLimits = { maxDailyLoss: decimal('0.1') };

beforeEach(async () => {
  world = await aBotWorld();
  await world.hold(STEADY, '0', { acme: '0.01' });
});

const check = async (times = 1): Promise<void> => {
  for (let time = 0; time < times; time += 1) {
    world.clock.advance(60_000);
    await world.run();
  }
};
/** All in ACME, in line, and read since. */
const invested = async (limits: GivenLimits, onBreach?: OnBreach): Promise<Bot> => {
  const bot = await world.start({ limits, onBreach });
  await world.run();
  await check();
  return bot;
};
const quote = (price: string, stockId = ACME): void => {
  world.price(stockId, price);
  world.deps.losses.quotesChanged([{ stockId }]);
};
/** A tick of the server, and what it makes due. */
const tick = async (): Promise<void> => {
  await world.engine.runDueBots();
  await world.run();
};
const breachOf = async (bot: Bot) => (await world.find(bot.id)).breach;
/** Opens once. */
const gate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
};
const told = () => world.notices.filter((notice) => notice.includes('is breached'));
const acknowledge = (bot: Bot) =>
  world.bots.reset(follower, { botId: bot.id, acknowledgeBreach: true });

describe('a loss beyond a limit (contract 10)', () => {
  it('is latched by the next quote of a held stock, and told exactly once', async () => {
    const bot = await invested(DAILY);
    quote('91');
    await world.engine.runDueBots();
    expect(await breachOf(bot)).toBeNull();
    quote('90');
    await world.engine.runDueBots();
    await check(3);
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
    expect(told()).toHaveLength(1);
    expect(told()[0]).toMatch(
      /^warning: max_daily_loss is breached: equity 89\d\d.* It only reduces/,
    );
    expect((await world.find(bot.id)).statusReason).toContain('max_daily_loss is breached');
  });

  it('is found although the check of another bot fails, which is repeated', async () => {
    const bots = [await invested(DAILY), await invested(DAILY)];
    let runs = 0;
    const deps: BotDeps = {
      ...world.deps,
      unitOfWork: {
        ...world.deps.unitOfWork,
        run: async (work, options) => {
          runs += 1;
          if (runs === 1) throw new Error('broken');
          return world.deps.unitOfWork.run(work, options);
        },
      },
    };
    quote('90');
    expect(await checkLosses(deps)).toHaveLength(1);
    expect(await checkLosses(deps)).toHaveLength(1);
    for (const bot of bots) expect(await breachOf(bot)).not.toBeNull();
  });

  it('is of the bot as it was committed last, also when the answer to another commit comes late', async () => {
    const bot = await invested(DAILY);
    const [committed, answers] = [gate(), gate()];
    const late: BotDeps = {
      ...world.deps,
      unitOfWork: {
        ...world.deps.unitOfWork,
        async run(work, options) {
          const result = await world.deps.unitOfWork.run(work, options);
          committed.open();
          await answers.opened;
          return result;
        },
      },
    };
    const updating = updateBot(late)(follower, { botId: bot.id, leverage: decimal('1') });
    await committed.opened;
    await world.hold(STEADY, '0', { bolt: '0.01' });
    await check(3);
    expect(Object.keys(await world.holdings(bot))).toEqual(['bolt']);
    answers.open();
    await updating;
    quote('90', BOLT);
    await world.engine.runDueBots();
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
  });

  it('is confirmed by a reading when a price moved by more than a tenth: it may be of another share', async () => {
    const bot = await invested(DAILY);
    quote('80');
    await tick();
    expect(await breachOf(bot)).toBeNull();
    world.clock.advance(5_000);
    await tick();
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
  });

  it('is latched by a reading when no quote told it', async () => {
    const bot = await invested(DAILY);
    world.price(ACME, '85');
    await check();
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
  });

  it('stops what increases and follows what reduces', async () => {
    const bot = await invested(DAILY);
    quote('90');
    await tick();
    const { length } = world.sent;
    await world.hold(STEADY, '0', { acme: '0.02' });
    await world.hold(STEADY, '0', { bolt: '0.01' });
    await check(2);
    expect(await world.holdings(bot)).toEqual({});
    expect(world.sent).toHaveLength(length + 1);
    await world.hold(STEADY, '0', { acme: '0.01' });
    await check(2);
    expect(world.sent).toHaveLength(length + 1);
  });

  it('with hold sends no order at all, and a closure waits and says so', async () => {
    const bot = await invested(DAILY, 'hold');
    quote('90');
    await tick();
    const { length } = world.sent;
    await world.hold(STEADY, '1', {});
    await check();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await check();
    expect(world.sent).toHaveLength(length);
    expect(await world.find(bot.id)).toMatchObject({
      condition: 'closing',
      statusReason: expect.stringContaining('max_daily_loss is breached'),
    });
    await acknowledge(bot);
    await check();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off', breach: null });
  });

  it("with close closes what is the bot's, and is off", async () => {
    const bot = await invested(DAILY, 'close');
    quote('90');
    await tick();
    expect(await world.holdings(bot)).toEqual({});
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    const why = /max_daily_loss is breached: .* Acknowledge it first/;
    await expect(world.bots.start(follower, { botId: bot.id })).rejects.toMatchObject({
      code: 'limit_breached',
      message: expect.stringMatching(why),
    });
    const preview = () => previewBot(world.deps)(follower, { botId: bot.id });
    expect((await preview()).warnings).toContainEqual(expect.stringMatching(why));
    await acknowledge(bot);
    expect((await preview()).warnings).not.toContainEqual(expect.stringMatching(why));
    await world.bots.start(follower, { botId: bot.id });
    await check();
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    expect(told()).toHaveLength(1);
  });

  it.each(['reduce_only', 'close', 'hold'] as const)(
    'is told once by the preview of a bot that it keeps off, with what its owner does: %s',
    async (onBreach) => {
      const bot = await invested(DAILY, onBreach);
      quote('90');
      await tick();
      if (onBreach !== 'close') await world.bots.stop(follower, { botId: bot.id });
      await check();
      expect(await world.find(bot.id)).toMatchObject({ condition: 'off' });
      await world.hold(STEADY, '0', { bolt: '0.01' });
      const { warnings } = await previewBot(world.deps)(follower, { botId: bot.id });
      expect(warnings.filter((text) => text.includes('is breached'))).toEqual([
        expect.stringMatching(/^It cannot start yet\. .* Acknowledge it first/),
      ]);
    },
  );

  it('stands over a restart until it is acknowledged; then peak and day begin at present', async () => {
    const bot = await invested(DAILY);
    quote('90');
    await tick();
    world.deps.losses.remove(bot.id);
    world.clock.advance(86_400_000);
    await new BotReconciler({ ...world.deps, losses: new LossIndex() }).runDueBots();
    await world.bots.reset(follower, { botId: bot.id });
    await check();
    expect(await breachOf(bot)).not.toBeNull();
    await acknowledge(bot);
    await check();
    await expect(acknowledge(bot)).rejects.toMatchObject({ code: 'invalid_field' });
    const { breach, lossWatch } = await world.find(bot.id);
    expect(breach).toBeNull();
    expect(lossWatch && decimalText(lossWatch.peak.round(0))).toMatch(/^89\d\d$/);
    quote('88');
    await check();
    expect(await breachOf(bot)).toBeNull();
  });

  it('stays in the history of the account once it is acknowledged: no flow is unknown by that', async () => {
    const bot = await invested(DAILY);
    quote('90');
    await tick();
    const historyOf = () =>
      world.ports.unitOfWork.read(({ botHistory }) => botHistory.list(bot.id, 0));
    const before = await historyOf();
    expect(await breachOf(bot)).not.toBeNull();
    await acknowledge(bot);
    // Nothing is measured by the bases of before until the account is read.
    quote('89');
    await world.engine.runDueBots();
    await check(3);
    expect(await breachOf(bot)).toBeNull();
    expect(told()).toHaveLength(1);
    const after = await historyOf();
    expect(after.length).toBeGreaterThan(before.length);
    for (const { flow } of after) expect(Math.abs(Number(flow?.toFixed() ?? NaN))).toBeLessThan(1);
    quote('79');
    await check();
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
  });

  it('from the peak is a limit of its own, over days', async () => {
    const bot = await invested({ maxDrawdown: decimal('0.2') });
    for (const price of ['110', '104', '97', '89']) {
      world.clock.advance(86_400_000);
      quote(price);
      await check();
    }
    expect(await breachOf(bot)).toBeNull();
    quote('87');
    await check();
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_drawdown' });
  });

  it('is not made by a quote with a wide spread, nor by one that the broker does not share', async () => {
    const bot = await invested(DAILY);
    world.quotes.set(ACME, aQuote({ stockId: ACME, bid: decimal('50'), ask: decimal('100') }));
    world.deps.losses.quotesChanged([{ stockId: ACME }]);
    await world.engine.runDueBots();
    expect(await breachOf(bot)).toBeNull();
  });

  it.each<[string, GivenLimits]>([
    ['tightened', { maxDailyLoss: decimal('0.5') }],
    ['set', { maxDailyLoss: null, maxDrawdown: decimal('0.9') }],
  ])(
    'is latched by a quote after its limit was %s, also while the broker does not answer',
    async (_, limits) => {
      const bot = await invested(limits);
      world.faults.always('server_error');
      await world.bots.update(follower, {
        botId: bot.id,
        limits: { maxDailyLoss: decimal('0.05') },
      });
      await world.engine.runDueBots();
      quote('92');
      await world.engine.runDueBots();
      expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
    },
  );

  it('costs the quotes of other stocks nothing', async () => {
    await invested(DAILY);
    world.deps.losses.takeQuoted();
    quote('89', BOLT);
    expect(world.deps.losses.takeQuoted()).toEqual([]);
    quote('99');
    expect(world.deps.losses.takeQuoted()).toHaveLength(1);
  });

  it('cancels open increases first, as soon as it is seen', async () => {
    world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({
      limits: { maxDailyLoss: decimal('0.01') },
      priceCollar: decimal('0'),
    });
    await world.engine.runDueBots();
    world.clock.advance(5_000);
    await world.run();
    await check(2);
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    await world.engine.runDueBots();
    quote('100.5', BOLT);
    quote('97');
    await world.engine.runDueBots();
    const orders = await world.orders(bot);
    expect(orders.filter((order) => order.endsWith('0 bolt'))).toEqual(['cancelled: buy 0 bolt']);
    expect(await breachOf(bot)).not.toBeNull();
  });
});

describe('what comes in and goes out (contract 10)', () => {
  const accessTo = (bot: Bot): BrokerAccess =>
    anAccess({ accountId: bot.accountId, credentials: { user_id: follower } });
  /** The owner moves cash, or shares of a stock, with a report of it or without. */
  const move = async (
    bot: Bot,
    moved: { readonly usd?: string; readonly amount?: string; readonly stockId?: typeof ACME },
    isReported = true,
  ): Promise<void> => {
    const { usd = '0', amount = '0', stockId = null } = moved;
    const [cash, shares] = [decimal(usd), decimal(amount)];
    await world.broker.transfer(accessTo(bot), { cash, stockId, amount: shares });
    if (isReported) return;
    const silent: Broker = { ...world.broker, activities: async () => [] };
    world.brokers.set('simulated', silent);
  };

  it.each<[string, string, boolean, string, boolean]>([
    ['a reported withdrawal is no loss', '-3000', true, '100', false],
    ['a withdrawal that nobody reports is one', '-3000', false, '100', true],
    ['a deposit masks no loss', '5000', false, '89', true],
    ['nor does a reported one', '5000', true, '89', true],
    ['a deposit is no loss', '5000', false, '95', false],
  ])('%s', async (_, usd, isReported, price, isBreached) => {
    await world.hold(STEADY, '0', { acme: '0.01' });
    const bot = await invested(DAILY);
    await move(bot, { usd }, isReported);
    world.price(ACME, price);
    await check(2);
    expect((await breachOf(bot)) !== null).toBe(isBreached);
  });

  it.each([
    ['out, reported: no loss', '-30', true, false],
    ['out, not reported: a loss', '-30', false, true],
    ['in, reported: no gain that hides a loss', '30', true, true],
    ['in, not reported: none either', '30', false, true],
  ])('shares that are moved %s', async (_, amount, isReported, isBreached) => {
    const bot = await invested(DAILY);
    await move(bot, { amount, stockId: ACME }, isReported);
    world.price(ACME, amount.startsWith('-') ? '100' : '89');
    await check(2);
    expect((await breachOf(bot)) !== null).toBe(isBreached);
  });

  it('a dividend makes good for the price that fell by it', async () => {
    const bot = await invested(DAILY);
    world.price(ACME, '93');
    await check();
    await world.broker.adjust?.({
      id: id('action-1'),
      stockId: ACME,
      kind: 'cash_dividend',
      figure: decimal('5'),
      newShares: null,
      oldShares: null,
      status: 'done',
      createdAt: world.clock.now(),
    });
    await check();
    world.price(ACME, '89');
    await check();
    expect(await breachOf(bot)).toBeNull();
  });

  it('the broker is asked for its report only when the account does not add up', async () => {
    const bot = await invested(DAILY);
    let asked = 0;
    const counting: Broker = {
      ...world.broker,
      activities: (...given) => {
        asked += 1;
        return world.broker.activities(...given);
      },
    };
    world.brokers.set('simulated', counting);
    quote('97');
    await check(3);
    expect(asked).toBe(0);
    await move(bot, { usd: '-500' });
    world.brokers.set('simulated', counting);
    await check(3);
    expect(asked).toBe(1);
  });

  it('a reading waits for a report that cannot be read, but not for ever', async () => {
    const bot = await invested(DAILY);
    await move(bot, { usd: '-3000' });
    world.faults.on('activities', 'lost_request', 'lost_request');
    await check(3);
    expect(await breachOf(bot)).toBeNull();
    await move(bot, { usd: '-3000' });
    world.faults.on('activities', ...Array.from({ length: 9 }, () => 'lost_request' as const));
    await check(9);
    expect(await breachOf(bot)).not.toBeNull();
  });
});

describe('a bot that is stopped and started again', () => {
  const restarted = async (bot: Bot, between: () => Promise<void> | void): Promise<void> => {
    await world.bots.stop(follower, { botId: bot.id });
    await check();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    await between();
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
  };

  it("has lost the same of its day's start", async () => {
    const bot = await invested(DAILY);
    quote('93');
    await check();
    await restarted(bot, () => undefined);
    quote('89.9');
    await tick();
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
  });

  it('has lost the same although the limit was off for a while', async () => {
    const bot = await invested(DAILY);
    quote('93');
    await check();
    await world.bots.update(follower, { botId: bot.id, limits: { maxDailyLoss: null } });
    await check();
    await world.bots.update(follower, { botId: bot.id, limits: DAILY });
    quote('89.9');
    await tick();
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
  });

  it.each([
    ['a deposit while it was off masks no loss', '4000', true, '89.9', true],
    ['nor does one that nobody reports', '4000', false, '89.9', true],
    ['a reported withdrawal is none', '-4000', true, '93', false],
  ])('%s', async (_, usd, isReported, price, isBreached) => {
    const bot = await invested(DAILY);
    quote('93');
    await check();
    await restarted(bot, async () => {
      const cash = decimal(usd);
      const access = anAccess({ accountId: bot.accountId, credentials: { user_id: follower } });
      await world.broker.transfer(access, { cash, stockId: null, amount: decimal('0') });
      if (!isReported)
        world.brokers.set('simulated', { ...world.broker, activities: async () => [] });
    });
    await check();
    quote(price);
    await tick();
    world.clock.advance(5_000);
    await tick();
    expect((await breachOf(bot)) !== null).toBe(isBreached);
  });

  it('on a later day begins that day with what its account is worth, below the same peak', async () => {
    const bot = await invested({ maxDailyLoss: decimal('0.1'), maxDrawdown: decimal('0.3') });
    await restarted(bot, () => {
      world.clock.advance(3 * 86_400_000);
      quote('80');
    });
    await check();
    expect(await breachOf(bot)).toBeNull();
    const { lossWatch } = await world.find(bot.id);
    expect(
      lossWatch && [lossWatch.dayStart, lossWatch.peak].map((usd) => decimalText(usd.round(-2))),
    ).toEqual(['8000', '10000']);
    quote('74');
    await check();
    quote('69');
    await check();
    expect(await breachOf(bot)).toMatchObject({ limit: 'max_daily_loss' });
  });
});

describe('a process that dies at any call while a breach is latched', () => {
  it.each(Array.from({ length: 24 }, (_, index) => [index]))(
    'call %i: nothing increases afterwards, and it is told once',
    async (last) => {
      const bot = await invested(DAILY);
      await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
      const { length } = world.sent;
      let calls = 0;
      /** Dies before the call, or after it, by turns. */
      const mortal = async <T>(call: () => Promise<T>): Promise<T> => {
        const dies = (): boolean => {
          calls += 1;
          return calls > last;
        };
        if (dies()) return new Promise<T>(() => undefined);
        const answer = await call();
        return dies() ? new Promise<T>(() => undefined) : answer;
      };
      const { unitOfWork } = world.deps;
      const broker = world.brokers.get('simulated') ?? world.broker;
      const dying = new BotReconciler({
        ...world.deps,
        losses: world.deps.losses,
        unitOfWork: {
          ...unitOfWork,
          read: unitOfWork.read.bind(unitOfWork),
          run: (work, ...rest) => mortal(() => unitOfWork.run(work, ...rest)),
        },
        brokers: new Map([
          [
            'simulated',
            {
              ...broker,
              account: (...given) => mortal(() => broker.account(...given)),
              rules: (...given) => mortal(() => broker.rules(...given)),
              place: (...given) => mortal(() => broker.place(...given)),
              find: (...given) => mortal(() => broker.find(...given)),
            },
          ],
        ]),
      });
      quote('90');
      void dying.runDueBots();
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const next = new BotReconciler({ ...world.deps, losses: new LossIndex() });
      for (let minute = 0; minute < 4; minute += 1) {
        world.clock.advance(60_000);
        for (let turn = 0; turn < 3; turn += 1) await next.runDueBots();
      }
      expect(await breachOf(bot)).not.toBeNull();
      expect(told()).toHaveLength(1);
      expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
      expect(world.sent.length).toBeLessThanOrEqual(length + 2);
    },
  );
});
