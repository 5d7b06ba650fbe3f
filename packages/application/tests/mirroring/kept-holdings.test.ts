import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DAY,
  type Action,
  type Bot,
  type StockAction,
  type StockId,
  ONE,
  ZERO,
  id,
  decimal,
  decimalText,
  lastEquity,
  sum,
} from '@slipstream/domain';
import { anAccess } from '@slipstream/port-contracts';
import { ACME, BOLT, MINTED, STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;
let orders = 0;

beforeEach(async () => {
  world = await aBotWorld();
  await world.hold(STEADY, '0.5', { acme: '0.005' });
});

/** The owner of the account trades at the broker, not through the bot. */
const byHand = async (
  bot: Bot,
  action: Action,
  amount: string,
  stockId: StockId,
): Promise<void> => {
  orders += 1;
  const clientOrderId = `by hand ${orders}`;
  const access = anAccess({ accountId: bot.accountId, credentials: { user_id: follower } });
  const stock = world.stockOf(stockId);
  await world.broker.place(access, {
    clientOrderId,
    stock,
    action,
    amount: decimal(amount),
    limit: null,
    closes: false,
  });
};

const aKeepingBot = (): Promise<Bot> => world.aNewBot({ existingPositions: 'keep' });
const start = (bot: Bot) => world.bots.start(follower, { botId: bot.id });
const check = async (): Promise<void> => {
  world.clock.advance(60_000);
  await world.run();
};
const keptOf = async (bot: Bot) => {
  const { positions } = await world.bots.account(follower, { botId: bot.id });
  return Object.fromEntries(positions.map(({ stockId, kept }) => [stockId, decimalText(kept)]));
};

/** From now on the broker shows a holding otherwise: so many times of it, at so much of its price. */
const shows = (stockId: StockId, amount: string, price: string): void => {
  const { account } = world.broker;
  world.brokers.set('simulated', {
    ...world.broker,
    account: async (...given) => {
      const whole = await account(...given);
      const positions = whole.positions.map((position) =>
        position.stockId === stockId
          ? {
              ...position,
              amount: position.amount.times(decimal(amount)),
              price: position.price.times(decimal(price)),
              value: position.value.times(decimal(amount)).times(decimal(price)),
            }
          : position,
      );
      const values = sum(positions.map(({ value }) => value));
      return { ...whole, positions, equity: whole.cash.plus(values) };
    },
  });
};

describe('a bot that keeps existing positions (contract 10)', () => {
  it('sells nothing that was there before, and counts it neither as equity nor as drift', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '50', BOLT);
    await start(bot);
    await world.run();
    // 10,000 less 50 bought at 100.07: half of the rest goes into ACME.
    expect(await world.holdings(bot)).toEqual({ acme: '24.9775', bolt: '50' });
    expect(await keptOf(bot)).toEqual({ acme: '0', bolt: '50' });
    await world.expectInLine(bot);
    expect(world.notices).toContainEqual(
      'info: Not from orders of this bot, so kept and not traded: 50 BOLT.',
    );
  });

  it('buys its own beside what is kept of the same stock, and sells no more than that', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '50', ACME);
    await start(bot);
    await world.run();
    expect(await world.holdings(bot)).toEqual({ acme: '74.9775' });
    await world.hold(STEADY, '1', {});
    await check();
    expect(await world.holdings(bot)).toEqual({ acme: '50' });
    await world.expectInLine(bot);
  });

  it('keeps what its owner adds by hand while it runs, and tells it once', async () => {
    const bot = await aKeepingBot();
    await start(bot);
    await world.run();
    await byHand(bot, 'buy', '5', BOLT);
    await check();
    await check();
    // The cash for it is missing: half of what is left is in ACME.
    expect(await world.holdings(bot)).toEqual({ acme: '47.4808', bolt: '5' });
    expect(world.notices.filter((notice) => notice.includes('kept'))).toEqual([
      'info: Not from orders of this bot, so kept and not traded: 5 BOLT.',
    ]);
  });

  it.each([
    ['as much as its orders sold in the last day', '49.975', 60_000, 'warning'],
    ['a part of it', '20', 60_000, 'warning'],
    ['more', '60', 60_000, 'info'],
    ['what it sold earlier', '49.975', 2 * DAY, 'info'],
  ])(
    'warns of what may be a sale that its broker cancelled: %s',
    async (_, amount, after, kind) => {
      const bot = await aKeepingBot();
      await start(bot);
      await world.run();
      await world.hold(STEADY, '1', {});
      await check();
      expect(await world.holdings(bot)).toEqual({});
      world.clock.advance(after);
      await check();
      await byHand(bot, 'buy', amount, ACME);
      await check();
      await check();
      expect(await world.holdings(bot)).toEqual({ acme: amount });
      const said = `Not from orders of this bot, so kept and not traded: ${amount} ACME.`;
      const why = `Its own orders traded as much away in the last day: ${amount} ACME. If its broker cancelled such a trade afterwards, trade that again by hand; the bot does not.`;
      expect(world.notices.filter((notice) => notice.includes('kept'))).toEqual([
        kind === 'info' ? `info: ${said}` : `warning: ${said} ${why}`,
      ]);
    },
  );

  it('buys nothing beside what is kept while the broker has another price of it', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '50', BOLT);
    await start(bot);
    await world.run();
    const broker = world.brokers.get('simulated') ?? world.broker;
    // It was split at the broker, and is not here yet.
    world.brokers.set('simulated', {
      ...broker,
      account: async (...asked) => {
        const account = await broker.account(...asked);
        const positions = account.positions.map((one) =>
          one.stockId === BOLT
            ? { ...one, amount: one.amount.times('2'), price: decimal('50') }
            : one,
        );
        return { ...account, positions };
      },
    });
    await world.hold(STEADY, '0.2', { acme: '0.005', bolt: '0.003' });
    await check();
    expect((await world.find(bot.id)).statusReason).toContain('BOLT (the broker');
    expect(await world.holdings(bot)).toMatchObject({ bolt: '100' });
  });

  it('waits for no split that its broker had when it bought the first shares of a stock', async () => {
    const bot = await aKeepingBot();
    const broker = world.brokers.get('simulated') ?? world.broker;
    // The broker trades new shares at 50; here the stock still costs 100.
    world.brokers.set('simulated', {
      ...broker,
      place: async (...asked) => {
        const answer = await broker.place(...asked);
        return { ...answer, filledPrice: decimal('50') };
      },
    });
    await start(bot);
    await world.run();
    world.brokers.set('simulated', broker);
    world.clock.advance(600_000);
    const split: StockAction = {
      id: id('split-1'),
      stockId: ACME,
      kind: 'split',
      figure: decimal('2'),
      newShares: null,
      oldShares: null,
      status: 'done',
      createdAt: world.clock.now(),
    };
    await world.unitOfWork.run(({ stockActions }) => stockActions.save(split));
    world.price(ACME, '50');
    await world.hold(STEADY, '0.5', { acme: '0.01' });
    await check();
    await world.expectInLine(bot);
    // 50 at 50 and 5,000 in cash: half of it are 75.
    expect(Math.round(Number((await world.holdings(bot))['acme']))).toBe(75);
  });

  it('follows a sale by hand: its own part first, which it buys again, then what is kept', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '10', ACME);
    await start(bot);
    await world.run();
    const own = decimal((await world.holdings(bot))['acme'] ?? '0').minus(decimal('10'));
    await byHand(bot, 'sell', decimalText(own.plus(decimal('4'))), ACME);
    await check();
    expect(await keptOf(bot)).toEqual({ acme: '6' });
    await world.expectInLine(bot);
    await check();
    expect(world.notices.filter((notice) => notice.includes('Gone'))).toEqual([
      `warning: Gone from the account without an order of this bot: ${decimalText(own)} ACME. It buys again what its strategies hold; pause it if it should not.`,
    ]);
  });

  it('does not tell of a sale of what is kept, nor of the fee that is taken out of coins', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '10', ACME);
    await start(bot);
    await world.run();
    await byHand(bot, 'buy', '5', BOLT);
    await check();
    await byHand(bot, 'sell', '5', BOLT);
    await check();
    world = await aBotWorld({ feeInAsset: true });
    await world.hold(MINTED, '0.5', { coin: '0.005' });
    const allocations = [{ strategyId: MINTED, percent: ONE }];
    const coins = await world.start({
      ...{ type: 'cryptocurrency', allocations, existingPositions: 'keep' },
    });
    await world.run();
    await check();
    expect(Object.keys(await world.holdings(coins))).toEqual(['coin']);
    expect(world.notices.join()).not.toContain('Gone');
  });

  it('takes no short of a stock of which the owner holds some: a broker nets both', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '10', ACME);
    await world.hold(STEADY, '1.5', { acme: '-0.005' });
    await start(bot);
    await world.run();
    expect(await world.holdings(bot)).toEqual({ acme: '10' });
    expect((await world.find(bot.id)).statusReason).toContain('the other side of ACME');
  });

  it('closes what is its own when it stops, and that alone', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '50', ACME);
    await start(bot);
    await world.run();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.holdings(bot)).toEqual({ acme: '50' });
  });

  it('starts again with its own part, and keeps what was bought meanwhile', async () => {
    const bot = await aKeepingBot();
    await start(bot);
    await world.run();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await byHand(bot, 'buy', '7', ACME);
    await start(bot);
    await world.run();
    expect(await keptOf(bot)).toEqual({ acme: '7' });
  });

  it('needs the minimum balance beside what is kept', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '81', ACME);
    await expect(start(bot)).rejects.toMatchObject({ code: 'insufficient_balance' });
  });

  it('scales with a split what it keeps and what is its own', async () => {
    const bot = await aKeepingBot();
    await byHand(bot, 'buy', '50', ACME);
    await start(bot);
    await world.run();
    const own = decimal((await world.holdings(bot))['acme'] ?? '0').minus(decimal('50'));
    world.clock.advance(1_000);
    const figure = decimal('10');
    const split: StockAction = {
      id: id('split-1'),
      stockId: ACME,
      kind: 'split',
      figure,
      newShares: null,
      oldShares: null,
      status: 'done',
      createdAt: world.clock.now(),
    };
    await world.broker.adjust?.(split);
    world.price(ACME, '10');
    await world.unitOfWork.run(({ stockActions }) => stockActions.save(split));
    await world.hold(STEADY, '0.5', { acme: '0.05' });
    await check();
    expect(await keptOf(bot)).toEqual({ acme: '500' });
    expect(
      decimal((await world.holdings(bot))['acme'] ?? '0')
        .minus(own.times(figure))
        .gte(decimal('499')),
    ).toBe(true);
    expect(world.notices.filter((notice) => notice.includes('kept'))).toHaveLength(1);
  });

  /** Splits ACME, at the broker and here. */
  const splitBy = async (figure: string, price: string): Promise<void> => {
    world.clock.advance(1_000);
    const split: StockAction = {
      id: id(`split by ${figure}`),
      stockId: ACME,
      kind: 'split',
      figure: decimal(figure),
      newShares: null,
      oldShares: null,
      status: 'done',
      createdAt: world.clock.now(),
    };
    await world.broker.adjust?.(split);
    world.price(ACME, price);
    await world.unitOfWork.run(({ stockActions }) => stockActions.save(split));
  };

  it('scales both parts, and what losses are measured by, with every split while it was off', async () => {
    const bot = await aKeepingBot();
    await world.bots.update(follower, { botId: bot.id, limits: { maxDrawdown: decimal('0.1') } });
    await byHand(bot, 'buy', '50', ACME);
    await start(bot);
    await world.run();
    const before = await world.holdings(bot);
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await splitBy('2', '50');
    await splitBy('5', '10');
    await world.hold(STEADY, '0.5', { acme: '0.05' });
    await start(bot);
    await world.run();
    expect(await keptOf(bot)).toEqual({ acme: '500' });
    expect(await world.holdings(bot)).toEqual({
      acme: decimalText(decimal(before['acme'] ?? '0').times(decimal('10'))),
    });
    expect((await world.find(bot.id)).breach).toBeNull();
    await world.expectInLine(bot);
  });

  it('counts what an order filled before a split as its own, when it learns of it after the split', async () => {
    world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await aKeepingBot();
    await start(bot);
    await world.run();
    // The broker fills it while no server runs.
    const access = anAccess({ accountId: bot.accountId, credentials: { user_id: follower } });
    world.clock.advance(1_000);
    await world.broker.find(access, world.sent);
    world.clock.advance(6_000);
    await splitBy('2', '50');
    await world.hold(STEADY, '0.5', { acme: '0.01' });
    await check();
    await check();
    expect(await keptOf(bot)).toEqual({ acme: '0' });
    await world.expectInLine(bot);
  });

  const watched = async (bot: Bot) => {
    const { lossWatch, breach } = await world.find(bot.id);
    const [dayStart, peak] = [lossWatch?.dayStart, lossWatch?.peak].map((usd) =>
      decimalText((usd ?? ZERO).round(0)),
    );
    return { dayStart, peak, breach };
  };
  const limits = { maxDailyLoss: decimal('0.1'), maxDrawdown: decimal('0.1') };

  it.each([
    ['a fresh quote', []],
    ['an old quote, as before the market opens', [ACME]],
  ])('leaves a stock alone while a split has reached the broker alone: %s', async (_, old) => {
    const bot = await world.aNewBot({ existingPositions: 'keep', limits });
    await byHand(bot, 'buy', '50', ACME);
    await start(bot);
    await world.run();
    await check();
    const [sent, before, seen] = [world.sent.length, await world.find(bot.id), await watched(bot)];
    for (const stockId of old) world.stale.add(stockId);
    shows(ACME, '10', '0.1');
    await check();
    expect(world.sent).toHaveLength(sent);
    expect((await world.find(bot.id)).heldParts).toEqual(before.heldParts);
    expect(await watched(bot)).toEqual(seen);
    expect(await keptOf(bot)).toEqual({ acme: '500' });
  });

  it.each([
    ['unchanged shares at a first price that looks like a split', '1', '0.1', null],
    ['unchanged shares at a lower price', '1', '0.8', 'max_daily_loss'],
    ['fewer shares at the same price', '0.1', '1', 'max_daily_loss'],
  ])('judges what a broker shows in the morning: %s', async (_, amount, price, limit) => {
    const bot = await world.aNewBot({
      existingPositions: 'keep',
      limits: { maxDailyLoss: decimal('0.05') },
    });
    await start(bot);
    await world.run();
    await check();
    world.clock.advance(DAY);
    world.stale.add(ACME);
    await check();
    const sent = world.sent.length;
    shows(ACME, amount, price);
    await check();
    expect((await watched(bot)).breach?.limit ?? null).toBe(limit);
    expect(world.sent).toHaveLength(sent);
  });

  it.each([
    ['a fresh quote', []],
    ['an old quote', [BOLT]],
  ])('keeps at its first reading what has no clear price yet: %s', async (_, old) => {
    const bot = await world.aNewBot({ existingPositions: 'keep', limits });
    await byHand(bot, 'buy', '50', BOLT);
    for (const stockId of old) world.stale.add(stockId);
    shows(BOLT, '1', '1.15');
    await start(bot);
    await world.run();
    // Half of the cash that is left goes into ACME, as if there were no BOLT.
    expect(await keptOf(bot)).toMatchObject({ bolt: '50' });
    expect((await world.holdings(bot))['acme']).toBe('24.9775');
    expect((await watched(bot)).dayStart).toBe('4996');
    world.brokers.set('simulated', world.broker);
    world.stale.clear();
    await check();
    expect(await keptOf(bot)).toEqual({ acme: '0', bolt: '50' });
    expect(await watched(bot)).toMatchObject({ breach: null });
  });

  it('counts a purchase by hand and the sale of it neither as loss nor as gain', async () => {
    const bot = await world.aNewBot({ existingPositions: 'keep', limits });
    await start(bot);
    await world.run();
    await check();
    await byHand(bot, 'buy', '30', BOLT);
    await check();
    expect((await watched(bot)).breach).toBeNull();
    // A loss is still one, of what is left: ACME falls from half of about 7,000.
    await byHand(bot, 'sell', '30', BOLT);
    await check();
    expect((await watched(bot)).breach).toBeNull();
    world.price(ACME, '70');
    await check();
    expect((await watched(bot)).breach).toMatchObject({ limit: 'max_daily_loss' });
  });

  it('counts what the price of a kept short takes from its cash neither as loss nor as gain', async () => {
    const limits = { maxDailyLoss: decimal('0.1'), maxDrawdown: decimal('0.1') };
    const bot = await world.aNewBot({ existingPositions: 'keep', limits });
    await byHand(bot, 'sell', '50', BOLT);
    await start(bot);
    await world.run();
    for (const price of ['130', '60', '150']) {
      world.price(BOLT, price);
      await check();
      const { breach, lossWatch } = await world.find(bot.id);
      expect(breach).toBeNull();
      if (!lossWatch) throw new Error('no losses are measured');
      const lost = lossWatch.peak.minus(lastEquity(lossWatch));
      expect(Number(lost.toFixed())).toBeLessThan(20);
    }
    world.price(ACME, '75');
    await check();
    expect((await world.find(bot.id)).breach).toMatchObject({ limit: 'max_daily_loss' });
  });

  it.each(['150', '40'])('nor what a delisting at %s takes from it', async (figure) => {
    const limits = { maxDailyLoss: decimal('0.1') };
    const bot = await world.aNewBot({ existingPositions: 'keep', limits });
    await byHand(bot, 'sell', '50', BOLT);
    await start(bot);
    await world.run();
    await check();
    const before = (await world.find(bot.id)).lossWatch;
    const delisting: StockAction = {
      ...{ id: id<'stock_action'>('delisting'), stockId: BOLT, kind: 'delisting' },
      ...{ figure: decimal(figure), newShares: null, oldShares: null, status: 'done' },
      createdAt: world.clock.now(),
    };
    world.delisted.add(BOLT);
    await world.ports.unitOfWork.run(({ stockActions }) => stockActions.save(delisting));
    await world.broker.adjust?.(delisting);
    await check();
    const { breach, lossWatch } = await world.find(bot.id);
    expect(breach).toBeNull();
    if (!before || !lossWatch) throw new Error('no losses are measured');
    const lost = lossWatch.peak.minus(lastEquity(lossWatch));
    expect(
      Math.abs(Number(lost.minus(before.peak.minus(lastEquity(before))).toFixed())),
    ).toBeLessThan(20);
  });

  it('is told by existing_positions, which the simulated broker takes over by default; it changes only while off', async () => {
    const bot = await world.aNewBot();
    expect(bot.existingPositions).toBe('take_over');
    const kept = await world.bots.update(follower, { botId: bot.id, existingPositions: 'keep' });
    expect(kept.existingPositions).toBe('keep');
    await start(bot);
    await expect(
      world.bots.update(follower, { botId: bot.id, existingPositions: 'take_over' }),
    ).rejects.toMatchObject({
      code: 'bot_not_off',
      message: expect.stringContaining('existing_positions'),
    });
  });
});

describe('a bot that took over what was there and is to keep it from now on (contract 10)', () => {
  const historyOf = ({ id: botId }: Bot) =>
    world.ports.unitOfWork.read(({ botHistory }) => botHistory.list(botId, 0));
  /** The part of the peak that is lost. */
  const lossOf = async ({ id: botId }: Bot): Promise<number> => {
    const { lossWatch } = await world.find(botId);
    if (!lossWatch) throw new Error('no losses are measured');
    return 1 - Number(lastEquity(lossWatch).toFixed()) / Number(lossWatch.peak.toFixed());
  };

  const keepFromNowOn = async (bot: Bot): Promise<void> => {
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await world.bots.update(follower, { botId: bot.id, existingPositions: 'keep' });
    await start(bot);
    await world.run();
  };

  it('sells what it bought itself, and nothing of what was there before', async () => {
    const bot = await world.aNewBot();
    await byHand(bot, 'buy', '20', ACME);
    await start(bot);
    await world.run();
    expect(await world.holdings(bot)).toEqual({ acme: '49.987' });
    await keepFromNowOn(bot);
    expect(await keptOf(bot)).toEqual({ acme: '20' });
    await world.hold(STEADY, '1', {});
    await check();
    expect(await world.holdings(bot)).toEqual({ acme: '20' });
  });

  it.each([
    ['take_over', 'keep', 'buy', '0.005'],
    ['take_over', 'keep', 'sell', '-0.005'],
    ['keep', 'take_over', 'buy', '0.005'],
    ['keep', 'take_over', 'sell', '-0.005'],
  ] as const)(
    'neither loses nor gains by it, from %s to %s, of what its owner had by a %s',
    async (before, after, action, weight) => {
      await world.hold(STEADY, action === 'buy' ? '0.5' : '1.5', { bolt: weight });
      const limits = { maxDailyLoss: decimal('0.1'), maxDrawdown: decimal('0.1') };
      const bot = await world.aNewBot({ existingPositions: before, limits });
      await byHand(bot, action, '50', BOLT);
      await start(bot);
      await world.run();
      // What it lost before stays lost: the same part of what is left.
      world.price(BOLT, action === 'buy' ? '94' : '106');
      await check();
      await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
      await world.run();
      const lost = await lossOf(bot);
      const buckets = await historyOf(bot);
      await world.bots.update(follower, { botId: bot.id, existingPositions: after });
      await start(bot);
      await world.run();
      expect((await world.find(bot.id)).breach).toBeNull();
      expect(await lossOf(bot)).toBeCloseTo(lost, 3);
      const [last, now] = [buckets.at(-1), (await historyOf(bot)).at(-1)];
      const flow = sum([now?.flow ?? ZERO, last ? ZERO.minus(last.flow ?? ZERO) : ZERO]);
      const gained = (now?.equity ?? ZERO).minus(last?.equity ?? ZERO).minus(flow);
      expect(Math.abs(Number(gained.toFixed()))).toBeLessThan(20);

      world.price(BOLT, action === 'buy' ? '70' : '130');
      await check();
      await check();
      expect((await world.find(bot.id)).breach).not.toBeNull();
    },
  );

  it.each([
    ['keep', 'buy', '60'],
    ['take_over', 'buy', '60'],
    ['keep', 'sell', '140'],
    ['take_over', 'sell', '140'],
  ] as const)(
    'loses what its own part lost while it was off, however often that was changed: from %s after a %s',
    async (first, action, price) => {
      const lossAfter = async (...changes: Bot['existingPositions'][]): Promise<Bot['breach']> => {
        world = await aBotWorld();
        await world.hold(STEADY, '0.2', { bolt: '0.008' });
        if (action === 'sell') await world.hold(STEADY, '1.8', { bolt: '-0.008' });
        const limits = { maxDailyLoss: decimal('0.1') };
        const bot = await world.aNewBot({ existingPositions: first, limits });
        await byHand(bot, action, '40', BOLT);
        await start(bot);
        await world.run();
        await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
        await world.run();
        for (const existingPositions of changes)
          await world.bots.update(follower, { botId: bot.id, existingPositions });
        world.price(BOLT, price);
        await start(bot);
        await world.run();
        return (await world.find(bot.id)).breach;
      };
      const once = await lossAfter('keep');
      expect(once).toMatchObject({ limit: 'max_daily_loss' });
      expect(await lossAfter('keep', 'take_over', 'keep')).toEqual(once);
      expect(await lossAfter('take_over', 'keep', 'take_over', 'keep')).toEqual(once);
      const whole = await lossAfter('take_over');
      if (first === 'take_over') expect(whole).toMatchObject({ limit: 'max_daily_loss' });
      expect(await lossAfter('keep', 'take_over')).toEqual(whole);
      expect(await lossAfter('take_over', 'keep', 'take_over')).toEqual(whole);
    },
  );

  it.each([
    ['more', '10', '0.1'],
    ['fewer', '0.1', '10'],
  ])(
    'loses nothing by it while a split into %s shares has reached the broker alone',
    async (...split) => {
      const [, amount, price] = split;
      const limits = { maxDailyLoss: decimal('0.1'), maxDrawdown: decimal('0.1') };
      const bot = await world.aNewBot({ limits });
      await byHand(bot, 'buy', '20', ACME);
      await start(bot);
      await world.run();
      shows(ACME, amount, price);
      await check();
      const lost = await lossOf(bot);
      await keepFromNowOn(bot);
      expect((await world.find(bot.id)).breach).toBeNull();
      expect(await lossOf(bot)).toBeCloseTo(lost, 3);
    },
  );

  it('keeps nothing of what it sold in the meantime, and what it bought after that is its own', async () => {
    const bot = await world.aNewBot();
    await byHand(bot, 'buy', '20', ACME);
    await world.hold(STEADY, '0.9', { acme: '0.001' });
    await start(bot);
    await world.run();
    await world.hold(STEADY, '1', {});
    await check();
    expect(await world.holdings(bot)).toEqual({});
    await world.hold(STEADY, '1.2', { acme: '-0.002' });
    await check();
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    await check();
    await keepFromNowOn(bot);
    expect(await keptOf(bot)).toEqual({ acme: '0' });
    await world.expectInLine(bot);
  });
});

describe('whatever the owner trades by hand', () => {
  it('the bot never sells what the owner bought, and comes into line with the rest', async () => {
    const trade = fc.record({
      stockId: fc.constantFrom(ACME, BOLT),
      amount: fc.integer({ min: 1, max: 8 }),
    });
    const move = fc.record({
      trades: fc.array(trade, { maxLength: 2 }),
      acme: fc.integer({ min: 0, max: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 5 }), async (moves) => {
        world = await aBotWorld();
        await world.hold(STEADY, '0.5', { acme: '0.005' });
        const bot = await aKeepingBot();
        const bought = new Map<StockId, number>();
        await start(bot);
        for (const { trades, acme } of moves) {
          for (const { stockId, amount } of trades) {
            await byHand(bot, 'buy', `${amount}`, stockId);
            bought.set(stockId, (bought.get(stockId) ?? 0) + amount);
          }
          await world.hold(STEADY, `${1 - acme / 10}`, { acme: `${acme / 1000}` });
          await check();
          const { positions } = await world.bots.account(follower, { botId: bot.id });
          for (const [stockId, amount] of bought) {
            const held = positions.find((position) => position.stockId === stockId);
            expect(decimalText(held?.kept ?? ZERO)).toBe(`${amount}`);
            expect(held?.amount.gte(decimal(`${amount}`))).toBe(true);
          }
          await world.expectInLine(bot);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('a holding whose broker tells no price of it any more', () => {
  it('is still held: nothing is bought again, nothing counts as sold or lost', async () => {
    const bot = await world.aNewBot({
      existingPositions: 'keep',
      limits: { maxDailyLoss: decimal('0.05') },
    });
    await byHand(bot, 'buy', '3', ACME);
    await start(bot);
    await world.run();
    await check();
    const before = await world.find(bot.id);
    const [sent, notices] = [world.sent.length, [...world.notices]];
    const broker = world.brokers.get('simulated') ?? world.broker;
    world.brokers.set('simulated', {
      ...broker,
      account: async (...asked) => {
        const account = await broker.account(...asked);
        const gone = account.positions.filter(({ stockId }) => stockId === ACME);
        return {
          ...account,
          equity: account.cash,
          positions: account.positions.filter(({ stockId }) => stockId !== ACME),
          unpriced: gone.map(({ stockId, amount }) => ({ stockId, amount })),
        };
      },
      rules: async (...asked) => {
        const rules = new Map(await broker.rules(...asked));
        rules.delete(ACME);
        return rules;
      },
    });
    await check();
    const after = await world.find(bot.id);
    expect(after).toMatchObject({ breach: null, heldParts: before.heldParts });
    expect([world.sent.length, world.notices]).toEqual([sent, notices]);
    world.brokers.set('simulated', broker);
    await check();
    expect(await world.find(bot.id)).toMatchObject({ breach: null, heldParts: before.heldParts });
    expect([world.sent.length, world.notices]).toEqual([sent, notices]);
  });

  it('reserves the cash to buy it back where it is a short that is kept: none comes to the bot, none is lost later', async () => {
    const limits = { maxDailyLoss: decimal('0.05'), maxDrawdown: decimal('0.05') };
    const bot = await world.aNewBot({ existingPositions: 'keep', limits });
    const broker = world.brokers.get('simulated') ?? world.broker;
    const shows = (price: string | null): void => {
      world.brokers.set('simulated', {
        ...broker,
        account: async (...asked) => {
          const account = await broker.account(...asked);
          const short = { stockId: id<'stock'>('elsewhere:OTC'), amount: decimal('-50') };
          const cash = account.cash.plus(decimal('5000'));
          if (price === null) return { ...account, cash, unpriced: [short] };
          const [each, value] = [decimal(price), short.amount.times(decimal(price))];
          const positions = [...account.positions, { ...short, price: each, value }];
          return { ...account, cash, equity: account.equity.plus(value), positions };
        },
      });
    };
    shows('100');
    await start(bot);
    await world.run();
    await check();
    const { lossWatch } = await world.find(bot.id);
    const sent = world.sent.length;
    for (const price of [null, null, '100', null, '100']) {
      shows(price);
      await check();
      const now = await world.find(bot.id);
      expect([now.breach, now.lossWatch?.cash]).toEqual([null, lossWatch?.cash]);
    }
    expect(world.sent).toHaveLength(sent);
  });
});

describe('a holding that its broker tells by another name than this service: its symbol changed at one of both', () => {
  const NEW_NAME = id<'stock'>('elsewhere:NEW');

  /** Tells ACME by a name that is not listed here, and trades it by that name only. */
  const rename = (price?: string) => {
    const broker = world.brokers.get('simulated') ?? world.broker;
    world.brokers.set('simulated', {
      ...broker,
      account: async (...asked) => {
        const account = await broker.account(...asked);
        const positions = account.positions.map((position) =>
          position.stockId === ACME
            ? { ...position, stockId: NEW_NAME, ...(price && { price: decimal(price) }) }
            : position,
        );
        return { ...account, positions };
      },
      rules: async (...asked) => {
        const rules = new Map(await broker.rules(...asked));
        rules.delete(ACME);
        return rules;
      },
    });
    return () => void world.brokers.set('simulated', broker);
  };

  it.each([
    ['all the bot’s', '0'],
    ['partly kept', '3'],
  ])('is the same one, %s: nothing is lost, bought again or kept anew', async (_, kept) => {
    const bot = await world.aNewBot({
      existingPositions: 'keep',
      limits: { maxDailyLoss: decimal('0.05') },
    });
    if (kept !== '0') await byHand(bot, 'buy', kept, ACME);
    await start(bot);
    await world.run();
    await check();
    const { heldParts } = await world.find(bot.id);
    const [sent, notices] = [world.sent.length, [...world.notices]];
    const same = { breach: null, heldParts };
    const nameAgain = rename();
    await check();
    await check();
    expect(await world.find(bot.id)).toMatchObject(same);
    expect(await keptOf(bot)).toEqual({ acme: kept });
    nameAgain();
    await check();
    expect(await world.find(bot.id)).toMatchObject({ ...same, status: 'running' });
    expect([world.sent.length, world.notices]).toEqual([sent, notices]);
  });

  it.each([
    ['another amount', async (bot: Bot) => byHand(bot, 'buy', '1', ACME), undefined],
    ['a price of other shares', async () => undefined, '30'],
  ])('is another one with %s: it is kept', async (_, before, price) => {
    const bot = await aKeepingBot();
    await start(bot);
    await world.run();
    await before(bot);
    rename(price);
    await check();
    expect(await keptOf(bot)).toMatchObject({ [NEW_NAME]: expect.anything() });
    expect(Object.keys(await keptOf(bot))).not.toContain('acme');
  });
});
