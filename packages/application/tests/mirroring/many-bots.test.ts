import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, ONE, ZERO, advance, decimal } from '@slipstream/domain';
import type { BotSettings } from '../../src/mirroring/new-bot.js';
import { COIN, MINTED, STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

describe('many bots', () => {
  it('run at the same time, and the same one never twice', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bots: Bot[] = [];
    for (let count = 0; count < 5; count += 1) bots.push(await world.start());
    await Promise.all([
      world.engine.runDueBots(),
      world.engine.runDueBots(),
      ...bots.map(({ id: botId }) => world.engine.runBot(botId)),
    ]);
    await world.run();
    for (const bot of bots) expect(await world.orders(bot)).toHaveLength(1);
    world.expectSentOnce();
  });

  it('do not wait for one whose broker hangs', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const [stuck, other] = [await world.start(), await world.start()];
    world.faults.on('account', 'hang_before');
    void world.engine.runBot(stuck.id);
    for (let turns = 0; turns < 1000; turns += 1) await Promise.resolve();
    await world.engine.runDueBots();
    await world.expectInLine(other);
  });

  it('do not wait for hundreds whose broker does not answer, and those get their turns', async () => {
    world = await aBotWorld({}, { bots: 1_000 });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start();
    const silent: Bot[] = [];
    for (let count = 0; count < 200; count += 1) silent.push(await world.aNewBot());
    const accounts = new Set(silent.map(({ accountId }) => accountId));
    await world.unitOfWork.run(async ({ bots }) => {
      for (const bot of silent)
        await bots.save({
          ...advance(bot, 'start'),
          attempts: 3,
          nextRunAt: world.clock.now() - 60_000,
        });
    });
    const broker = world.brokers.get('simulated') ?? world.broker;
    let asked = 0;
    world.brokers.set('simulated', {
      ...broker,
      account: (access, instruments) => {
        if (!accounts.has(access.accountId)) return broker.account(access, instruments);
        asked += 1;
        return new Promise(() => undefined);
      },
    });
    for (let beat = 0; beat < 3; beat += 1) {
      void world.engine.runDueBots();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await world.expectInLine(bot);
    expect(asked).toBe(64);
  });

  it('have no other check while the process ends: hundreds that wait would keep it for minutes', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    for (let count = 0; count < 5; count += 1) await world.start();
    const broker = world.brokers.get('simulated') ?? world.broker;
    const read = new Map<string, number>();
    world.brokers.set('simulated', {
      ...broker,
      account: async (access, instruments) => {
        const account = await broker.account(access, instruments);
        read.set(access.accountId, (read.get(access.accountId) ?? 0) + 1);
        world.engine.end();
        return account;
      },
    });
    await world.engine.runDueBots();
    expect([...read.values()]).toEqual([1, 1, 1, 1, 1]);
    await world.start();
    await world.engine.runDueBots();
    expect(world.sent).toHaveLength(5);
  });

  it('are stopped between two orders by a command that comes meanwhile', async () => {
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    const bot = await world.start();
    world.unitOfWork.subscribe((event) => {
      if (event.kind !== 'bot_changed' || event.bot.status !== 'rebalancing') return;
      void world.bots.stop(follower, { botId: bot.id }).catch(() => undefined);
    });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(world.sent.length).toBeLessThan(2);
  });

  it.each<[string, BotSettings]>([
    ['leverage', { leverage: decimal('0.1') }],
    ['allocations', { allocations: [{ strategyId: STEADY, percent: decimal('0.1') }] }],
  ])('send nothing that was planned before their %s changed', async (_, change) => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start();
    const broker = world.brokers.get('simulated') ?? world.broker;
    let hasChanged = false;
    world.brokers.set('simulated', {
      ...broker,
      rules: async (...asked) => {
        const rules = await broker.rules(...asked);
        if (!hasChanged) await world.bots.update(follower, { botId: bot.id, ...change });
        hasChanged = true;
        return rules;
      },
    });
    await world.run();
    const [order, ...others] = await world.bots.orders(follower, { botId: bot.id, limit: 10 });
    expect(others).toEqual([]);
    expect(order?.amount.lte(decimal('5'))).toBe(true);
    await world.expectInLine(bot);
  });

  it('pay the fee of a coin out of what is reserved', async () => {
    await world.hold(MINTED, '0', { coin: '0.01' });
    const bot = await world.start({
      type: 'cryptocurrency',
      allocations: [{ strategyId: MINTED, percent: ONE }],
    });
    await world.run();
    await world.expectInLine(bot);
    const { cash, positions } = await world.bots.account(follower, { botId: bot.id });
    expect(cash.gte(ZERO)).toBe(true);
    expect(positions.map(({ stockId }) => stockId)).toEqual([COIN]);
  });

  it('sell what arrived of a coin, not what was bought, when the fee is taken out of it', async () => {
    world = await aBotWorld({ acceptsFirst: true, feeInAsset: true });
    await world.hold(MINTED, '0.3', { coin: '0.007' });
    const bot = await world.start({
      type: 'cryptocurrency',
      allocations: [{ strategyId: MINTED, percent: ONE }],
    });
    const pass = async (ticks: number) => {
      for (let tick = 0; tick < ticks; tick += 1) {
        await world.run();
        world.clock.advance(5_000);
      }
    };
    await pass(3);
    await world.expectInLine(bot);
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await pass(5);
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.orders(bot)).toEqual([
      'filled: sell 69.81103778 coin',
      'filled: buy 69.98600279 coin',
    ]);
    // Less than the smallest step is left, and told.
    expect(await world.holdings(bot)).toEqual({ coin: '0.000000003025' });
    expect((await world.find(bot.id)).statusReason).toContain('too small to sell');
    world.expectSentOnce();
  });
});
