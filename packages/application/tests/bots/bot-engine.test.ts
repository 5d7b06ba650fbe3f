import { beforeEach, describe, expect, it } from '@jest/globals';
import { createBotEngine } from '../../src/bots/index.js';
import { type Bot, ONE, ZERO, decimal, id } from '@slipstream/domain';
import {
  ACME,
  BOLT,
  type BotWorld,
  COIN,
  DARING,
  MINTED,
  STEADY,
  aBotWorld,
  follower,
} from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

const start = async (change: Parameters<BotWorld['aNewBot']>[0] = {}): Promise<Bot> => {
  const bot = await world.aNewBot(change);
  return world.bots.start(follower, { botId: bot.id });
};

/** Half in ACME, half in cash, and a bot that is in line with it. */
const running = async (change: Parameters<BotWorld['aNewBot']>[0] = {}): Promise<Bot> => {
  await world.hold(STEADY, '0.5', { acme: '0.005' });
  const bot = await start(change);
  await world.run();
  expect(await world.find(bot.id)).toMatchObject({ status: 'running' });
  return bot;
};

const expectInLine = async (bot: Bot): Promise<void> => {
  expect(await world.find(bot.id)).toMatchObject({
    status: 'running',
    condition: 'active',
    attempts: 0,
  });
  expect((await world.drift(bot))?.lt(decimal('0.006'))).toBe(true);
};

const expectSentOnce = (): void => {
  expect(world.sent.length).toBeGreaterThan(0);
  expect(new Set(world.sent).size).toBe(world.sent.length);
};

describe('a bot that mirrors', () => {
  it('brings the account into line and runs', async () => {
    const bot = await running();
    await expectInLine(bot);
    expect(await world.holdings(bot)).toEqual({ acme: '49.99' });
    expect(await world.orders(bot)).toEqual(['filled: buy 49.99 acme']);
    expect((await world.find(bot.id)).nextRunAt).toBe(world.clock.now() + 60_000);
    expect(world.notices).toContainEqual(expect.stringContaining('info: In line'));
  });

  it('follows a trade of its strategy, reduces first', async () => {
    const bot = await running();
    world.clock.advance(1_000);
    await world.hold(STEADY, '0', { bolt: '0.01' });
    await world.run();
    await expectInLine(bot);
    const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    const told = orders
      .toSorted((first, second) => first.cycle - second.cycle)
      .map(({ action, stockId }) => `${action} ${stockId}`);
    expect(told).toEqual(['buy acme', 'sell acme', 'buy bolt']);
    expectSentOnce();
  });

  it('checks every minute, and leaves alone what is in line', async () => {
    const bot = await running();
    world.clock.advance(60_000);
    await world.run();
    expect(await world.orders(bot)).toHaveLength(1);
    expect((await world.find(bot.id)).nextRunAt).toBe(world.clock.now() + 60_000);
  });

  it('puts right what somebody traded by hand', async () => {
    const bot = await running();
    await world.broker.place(
      { accountId: bot.accountId, credentials: { user_id: follower } },
      { clientOrderId: 'by hand', stockId: BOLT, action: 'buy', amount: decimal('10') },
    );
    world.clock.advance(60_000);
    await world.run();
    await expectInLine(bot);
    expect(await world.holdings(bot)).toEqual({ acme: '49.99' });
  });

  it('nets several strategies, with leverage, shorts included', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    await world.hold(DARING, '1.5', { bolt: '-0.005' });
    const bot = await start({
      leverage: decimal('1.2'),
      allocations: [
        { strategyId: STEADY, percent: ONE },
        { strategyId: DARING, percent: decimal('0.5') },
      ],
    });
    await world.run();
    await expectInLine(bot);
    const { bolt, acme } = await world.holdings(bot);
    expect(acme).toMatch(/^59\./);
    expect(bolt).toMatch(/^-(29|30)\./);
  });

  it('scales to what the account may hold, and says so', async () => {
    await world.hold(MINTED, '0', { coin: '0.01' });
    const bot = await start({
      type: 'cryptocurrency',
      leverage: decimal('2'),
      allocations: [{ strategyId: MINTED, percent: ONE }],
    });
    await world.run();
    await expectInLine(bot);
    expect((await world.find(bot.id)).statusReason).toContain('scaled down from 2x to 1x');
  });

  it('skips shorts that the broker cannot hold, and says so', async () => {
    await world.hold(MINTED, '1.5', { coin: '-0.005' });
    const bot = await start({
      type: 'cryptocurrency',
      allocations: [{ strategyId: MINTED, percent: ONE }],
    });
    await world.run();
    expect(await world.holdings(bot)).toEqual({});
    expect((await world.find(bot.id)).statusReason).toContain('short of COINUSD');
  });

  it("tells what is below the broker's minimum", async () => {
    world = await aBotWorld({ minTotal: decimal('1000') });
    await world.hold(STEADY, '0.95', { acme: '0.0005' });
    const bot = await start();
    await world.run();
    expect(await world.orders(bot)).toEqual([]);
    expect((await world.find(bot.id)).statusReason).toContain('below the broker');
  });

  it('trades nothing while a mirrored value is unavailable, and goes on when it is there', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.quotes.delete(ACME);
    const bot = await start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'scheduled_rebalance' });
    expect((await world.find(bot.id)).statusReason).toContain('unavailable');
    world.price(ACME, '100');
    world.clock.advance(60_000);
    await world.run();
    await expectInLine(bot);
  });

  it('waits for a closed market', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.closed.add(ACME);
    const bot = await start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'scheduled_rebalance' });
    expect((await world.find(bot.id)).statusReason).toContain('ACME');
    world.closed.clear();
    world.clock.advance(60_000);
    await world.run();
    await expectInLine(bot);
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
    await expectInLine(bot);
  });

  it('closes first where the broker refuses to cross zero', async () => {
    world = await aBotWorld({ crossesZero: false });
    const bot = await running();
    await world.hold(STEADY, '1.5', { acme: '-0.005' });
    await world.run();
    await expectInLine(bot);
    expect(await world.orders(bot)).toHaveLength(3);
    expect((await world.holdings(bot))['acme']).toMatch(/^-/);
  });
});

describe('a broker in trouble', () => {
  beforeEach(() => world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' }));

  it('is asked before an order whose answer was lost is thought about, and never sent it twice', async () => {
    world.faults.on('place', 'lost_answer');
    const bot = await start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'rebalancing', attempts: 1 });
    expect(await world.orders(bot)).toContainEqual(expect.stringMatching(/^unknown: buy 0 /));
    world.clock.advance(2_000);
    await world.run();
    await expectInLine(bot);
    expectSentOnce();
  });

  it('gets an order that never arrived again, under the same id', async () => {
    world.faults.on('place', 'lost_request');
    const bot = await start();
    await world.run();
    world.clock.advance(2_000);
    await world.run();
    await expectInLine(bot);
    expect(world.sent).toHaveLength(3);
    expect(world.sent.slice(1)).toContain(world.sent[0]);
    expect(await world.orders(bot)).toHaveLength(2);
  });

  it.each(['lost_request', 'lost_answer', 'server_error'] as const)(
    'trades nothing while the doubt cannot be settled (%s on find)',
    async (fault) => {
      world.faults.on('place', 'lost_answer');
      world.faults.on('find', fault, fault);
      const bot = await start();
      await world.run();
      for (const pause of [2_000, 4_000]) {
        world.clock.advance(pause);
        await world.run();
        expect(world.sent).toHaveLength(1);
        expect(await world.find(bot.id)).toMatchObject({ status: 'rebalancing' });
      }
      world.clock.advance(8_000);
      await world.run();
      await expectInLine(bot);
      expectSentOnce();
    },
  );

  it.each(['hang_before', 'hang_after'] as const)(
    'loses nothing when the process is killed while it sends (%s)',
    async (fault) => {
      world.faults.on('place', fault);
      const bot = await start();
      void world.engine.runBot(bot.id);
      while (world.sent.length === 0) await Promise.resolve();
      for (let turns = 0; turns < 1000; turns += 1) await Promise.resolve();

      const restarted = createBotEngine(world.deps);
      await restarted.runDueBots();
      await expectInLine(bot);
      const account = await world.bots.account(follower, { botId: bot.id });
      expect(account.cash.gt(ZERO)).toBe(true);
      expect(await world.orders(bot)).toHaveLength(2);
    },
  );

  it('never sees an order twice from a broker that does not know ids, either', async () => {
    world = await aBotWorld({ dedupes: false });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.faults.on('place', 'lost_answer');
    const bot = await start();
    await world.run();
    world.clock.advance(2_000);
    await world.run();
    await expectInLine(bot);
    expect(await world.holdings(bot)).toEqual({ acme: '49.99' });
  });

  it('backs off longer each time it cannot be reached, without end', async () => {
    const bot = await start();
    world.faults.always('server_error');
    const pauses: number[] = [];
    for (let failures = 0; failures < 9; failures += 1) {
      await world.run();
      const next = (await world.find(bot.id)).nextRunAt ?? 0;
      pauses.push((next - world.clock.now()) / 1000);
      world.clock.set(next);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300]);
    expect(world.notices.filter((notice) => notice.startsWith('warning'))).toHaveLength(1);
    world.faults.always(undefined);
    await world.run();
    await expectInLine(bot);
  });

  it('is left in peace for as long as it asks', async () => {
    world.faults.on('place', { rateLimited: 30_000 });
    const bot = await start();
    await world.run();
    expect((await world.find(bot.id)).nextRunAt).toBe(world.clock.now() + 30_000);
    world.clock.advance(30_000);
    await world.run();
    await expectInLine(bot);
    expect(await world.orders(bot)).toHaveLength(2);
  });

  it('may reject: told, and tried again later with another order', async () => {
    world.faults.on('place', 'reject', 'none', 'reject');
    const bot = await start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'scheduled_rebalance', attempts: 1 });
    expect(world.notices).toContainEqual(expect.stringContaining('warning: The broker rejected'));
    world.clock.advance(2_000);
    await world.run();
    world.clock.advance(4_000);
    await world.run();
    await expectInLine(bot);
    expectSentOnce();
  });

  it('may fill in parts', async () => {
    world.faults.on('place', 'partial');
    const bot = await start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'rebalancing' });
    world.clock.advance(5_000);
    await world.run();
    await expectInLine(bot);
    expectSentOnce();
  });

  it('may be handed an order twice on the way', async () => {
    world.faults.on('place', 'duplicated');
    const bot = await start();
    await world.run();
    await expectInLine(bot);
    expect(await world.orders(bot)).toHaveLength(2);
  });

  it('halts the bot when access is lost; resetBot goes on', async () => {
    const bot = await start();
    world.faults.on('account', 'refused');
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      status: 'error',
      condition: 'active',
      nextRunAt: null,
    });
    expect((await world.find(bot.id)).statusReason).toContain('refused access');
    expect(world.notices).toContainEqual(expect.stringMatching(/^error: /));
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.clock.advance(600_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'error' });

    await world.bots.reset(follower, { botId: bot.id });
    await world.run();
    await expectInLine(bot);
  });

  it('halts the closure when access is lost; resetBot goes on with it', async () => {
    const bot = await start();
    await world.run();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    world.faults.on('account', 'refused');
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'error', condition: 'closing' });
    expect(await world.bots.reset(follower, { botId: bot.id })).toMatchObject({
      status: 'stopping',
    });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.holdings(bot)).toEqual({});
  });

  it('cannot keep a bot from being stopped for ever', async () => {
    world.faults.on('place', 'lost_answer');
    const bot = await start();
    await world.run();
    world.faults.always('refused');
    world.clock.advance(2_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'error' });
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    const stopped = await world.find(bot.id);
    expect(stopped).toMatchObject({ status: 'off' });
    expect(stopped.statusReason).toContain(world.sent[0]);

    world.faults.always(undefined);
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    await expectInLine(bot);
    expectSentOnce();
  });
});

describe('stopping', () => {
  it('keeps positions without closure', async () => {
    const bot = await running();
    expect(await world.bots.stop(follower, { botId: bot.id })).toMatchObject({
      status: 'stopping',
    });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      status: 'off',
      condition: 'off',
      nextRunAt: null,
    });
    expect(await world.holdings(bot)).toEqual({ acme: '49.99' });
    expect(world.notices).toContainEqual('stop: The bot is off, positions kept.');
  });

  it('closes positions with closure, whatever the saved setting', async () => {
    const bot = await running({ closeOnStop: false });
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off', closeOnStop: false });
    expect(await world.holdings(bot)).toEqual({});
  });

  it('cancels open orders first, and is off only when none is open', async () => {
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    world.faults.on('place', 'partial', 'partial');
    const bot = await start();
    await world.run();
    world.closed.add(ACME).add(BOLT);
    await world.bots.stop(follower, { botId: bot.id });
    world.faults.on('cancel', 'lost_answer');
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'stopping' });
    world.clock.advance(2_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    const orders = await world.orders(bot);
    expect(orders.toSorted()).toEqual(['cancelled: buy 24.9401 bolt', 'filled: buy 49.8802 acme']);
  });

  it('closes when the market opens', async () => {
    const bot = await running({ closeOnStop: true });
    world.closed.add(ACME);
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'stopping' });
    expect((await world.find(bot.id)).statusReason).toContain('ACME');
    world.closed.clear();
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.holdings(bot)).toEqual({});
  });

  it('counts what is too small to sell as flat, and names it', async () => {
    const bot = await running({ closeOnStop: true });
    world.price(ACME, '0.01');
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    const stopped = await world.find(bot.id);
    expect(stopped).toMatchObject({ status: 'off' });
    expect(stopped.statusReason).toContain('49.99 ACME is too small to sell');
  });

  it('withdraws what was meant but never sent', async () => {
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    world.faults.on('place', 'lost_request');
    const bot = await start();
    await world.run();
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.orders(bot)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^cancelled: buy 0 /)]),
    );
    expect(world.sent).toHaveLength(1);
  });

  it.each([
    ['its subscription ended', { status: 'cancelled' as const }],
    ['its subscription ran out', { endsAt: 1 }],
  ])('happens by itself when %s', async (_, change) => {
    const bot = await running({ closeOnStop: true });
    await world.unitOfWork.run(async ({ subscriptions }) => {
      const found = await subscriptions.find(id('of-steady'));
      if (found) await subscriptions.save({ ...found, ...change });
    });
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.holdings(bot)).toEqual({});
    expect(world.notices).toContainEqual(expect.stringContaining('warning: Stops because'));
  });

  it('happens by itself when its strategy was deleted', async () => {
    const bot = await running();
    await world.unitOfWork.run(async ({ strategies }) => {
      const found = await strategies.find(STEADY);
      if (found) await strategies.save({ ...found, deletedAt: world.clock.now() });
    });
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect((await world.find(bot.id)).statusReason).toContain('steady');
  });
});

describe('many bots', () => {
  it('run at the same time, and the same one never twice', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bots: Bot[] = [];
    for (let count = 0; count < 5; count += 1) bots.push(await start());
    await Promise.all([
      world.engine.runDueBots(),
      world.engine.runDueBots(),
      ...bots.map(({ id: botId }) => world.engine.runBot(botId)),
    ]);
    await world.run();
    for (const bot of bots) expect(await world.orders(bot)).toHaveLength(1);
    expectSentOnce();
  });

  it('do not wait for one whose broker hangs', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const [stuck, other] = [await start(), await start()];
    world.faults.on('account', 'hang_before');
    void world.engine.runBot(stuck.id);
    for (let turns = 0; turns < 1000; turns += 1) await Promise.resolve();
    await world.engine.runDueBots();
    await expectInLine(other);
  });

  it('are stopped between two orders by a command that comes meanwhile', async () => {
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    const bot = await start();
    world.deps.events.subscribe((event) => {
      if (event.kind !== 'bot_changed' || event.bot.status !== 'rebalancing') return;
      void world.bots.stop(follower, { botId: bot.id }).catch(() => undefined);
    });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(world.sent.length).toBeLessThan(2);
  });

  it('pay the fee of a coin out of what is reserved', async () => {
    await world.hold(MINTED, '0', { coin: '0.01' });
    const bot = await start({
      type: 'cryptocurrency',
      allocations: [{ strategyId: MINTED, percent: ONE }],
    });
    await world.run();
    await expectInLine(bot);
    const { cash, positions } = await world.bots.account(follower, { botId: bot.id });
    expect(cash.gte(ZERO)).toBe(true);
    expect(positions.map(({ stockId }) => stockId)).toEqual([COIN]);
  });
});
