import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, ZERO, decimal } from '@slipstream/domain';
import { previewBot } from '../../../src/mirroring/index.js';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';
import { holdLater, madeTrades, wholeShares } from './traded-strategy.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
  await world.hold(STEADY, '0.5', { acme: '0.005' });
});

const trade = madeTrades();
const hold = (...given: Parameters<BotWorld['hold']>): Promise<void> => holdLater(world, ...given);

/** Checks each minute, as a server does. */
const pass = async (time: number): Promise<void> => {
  for (let passed = 0; passed < time; passed += 5 * MINUTE) {
    world.clock.advance(5 * MINUTE);
    await world.run();
  }
};

const held = (bot: Bot) => wholeShares(world, bot);

describe('a bot that does not rebalance at every trade', () => {
  it('leaves small differences within its band, and follows a small reduction and an exit at once', async () => {
    const bot = await world.running({ rebalance: { band: decimal('0.1') } });
    expect(await held(bot)).toEqual({ acme: 50 });
    await hold(STEADY, '0.45', { acme: '0.0055' }, [trade('buy')]);
    expect(await held(bot)).toEqual({ acme: 50 });
    expect(await world.find(bot.id)).toMatchObject({ status: 'running', statusReason: null });
    await hold(STEADY, '0.53', { acme: '0.0047' }, [trade('sell')]);
    expect(await held(bot)).toEqual({ acme: 47 });
    await hold(STEADY, '0.3', { acme: '0.007' }, [trade('buy')]);
    expect(await held(bot)).toEqual({ acme: 70 });
    await hold(STEADY, '1', {}, [trade('sell')]);
    expect(await held(bot)).toEqual({});
  });

  it('borrows nothing for an increase beside what it leaves as it is', async () => {
    const bot = await world.running({ rebalance: { band: decimal('0.1') } });
    await hold(STEADY, '0', { acme: '0.0042', bolt: '0.0058' }, [trade('buy', BOLT)]);
    expect(await held(bot)).toEqual({ acme: 50, bolt: 49 });
    const { cash } = await world.bots.account(follower, { botId: bot.id });
    expect(cash.gte(ZERO)).toBe(true);
    expect(await world.find(bot.id)).toMatchObject({ status: 'running' });
  });

  it('waits for its cooldown, says so, and then follows the increase, which names its trades', async () => {
    const bot = await world.running({ rebalance: { cooldownHours: 3 } });
    expect(await held(bot)).toEqual({ acme: 50 });
    await pass(2 * HOUR);
    const bought = trade('buy', BOLT);
    await hold(STEADY, '0.3', { acme: '0.005', bolt: '0.002' }, [bought]);
    expect(await held(bot)).toEqual({ acme: 50 });
    const waiting = await world.find(bot.id);
    expect(waiting.status).toBe('scheduled_rebalance');
    expect(waiting.statusReason).toMatch(
      /^Increases and drift of BOLT wait until .* UTC, by rebalance\.$/,
    );
    await pass(HOUR);
    expect(await held(bot)).toEqual({ acme: 50, bolt: 20 });
    const [order] = await world.bots.orders(follower, { botId: bot.id, limit: 1 });
    expect(order?.tradeIds).toEqual([bought.id]);
    expect(world.notices.filter((notice) => notice.includes('In line'))).toHaveLength(1);
  });

  it('goes on with a rebalance that has begun: what the reductions pay for is bought', async () => {
    const bot = await world.running({ rebalance: { cooldownHours: 3 } });
    await pass(3 * HOUR);
    await hold(STEADY, '0', { acme: '0.003', bolt: '0.007' }, [trade('sell'), trade('buy', BOLT)]);
    expect(await held(bot)).toMatchObject({ acme: 30, bolt: 70 });
  });

  it('opens at its time of the day, also the first time, and is woken then', async () => {
    // It is noon in New York.
    const bot = await world.start({ rebalance: { at: '13:28' } });
    await world.run();
    expect(await held(bot)).toEqual({});
    await pass(85 * MINUTE);
    expect(await held(bot)).toEqual({});
    expect((await world.find(bot.id)).statusReason).toContain('2026-01-05 18:28 UTC');
    world.clock.advance(2 * MINUTE + 30_000);
    await world.run();
    expect((await world.find(bot.id)).nextRunAt).toBe(Date.UTC(2026, 0, 5, 18, 28));
    world.clock.advance(30_000);
    await world.run();
    expect(await held(bot)).toEqual({ acme: 50 });
    await hold(STEADY, '0.2', { acme: '0.008' }, [trade('buy')]);
    await pass(2 * HOUR);
    await hold(STEADY, '0.1', { acme: '0.009' }, [trade('buy')]);
    expect((await held(bot))['acme']).toBeLessThanOrEqual(81);
  });

  it.each([
    ['its market opens', async () => void world.closed.clear()],
    [
      'the server is there again',
      async () => {
        world.closed.clear();
        world.clock.advance(3 * HOUR);
        await world.run();
      },
    ],
  ])(
    'brings the rest in line of what its time of the day began, once %s, and then waits for the next day',
    async (_, comes) => {
      await world.hold(STEADY, '0.2', { acme: '0.004', bolt: '0.004' });
      const bot = await world.start({ rebalance: { at: '13:28' } });
      world.closed.add(BOLT);
      await pass(90 * MINUTE);
      expect(await held(bot)).toEqual({ acme: 40 });
      await pass(2 * HOUR);
      await comes();
      await pass(5 * MINUTE);
      expect(await held(bot)).toEqual({ acme: 40, bolt: 40 });
      await hold(STEADY, '0', { acme: '0.006', bolt: '0.004' }, [trade('buy')]);
      await pass(30 * MINUTE);
      expect(await held(bot)).toEqual({ acme: 40, bolt: 40 });
    },
  );

  it.each<[string, Parameters<BotWorld['bots']['update']>[1]]>([
    ['its rule', { botId: '', rebalance: { at: '13:28', band: null } }],
    ['its rule and its limits', { botId: '', rebalance: { at: '13:28' }, limits: {} }],
  ])('does not skip its time of the day when its owner saves %s as it was', async (_, same) => {
    const bot = await world.start({ rebalance: { at: '13:28' } });
    await world.run();
    world.closed.add(ACME);
    await pass(2 * HOUR);
    await world.bots.update(follower, { ...same, botId: bot.id });
    await world.run();
    world.closed.clear();
    await pass(5 * MINUTE);
    expect(await held(bot)).toEqual({ acme: 50 });
  });

  it('waits for the next time when its owner gives it another one that has passed', async () => {
    const bot = await world.start({ rebalance: { at: '13:28' } });
    await world.run();
    world.closed.add(ACME);
    await pass(2 * HOUR);
    await world.bots.update(follower, { botId: bot.id, rebalance: { at: '13:29' } });
    world.closed.clear();
    await pass(5 * MINUTE);
    expect(await held(bot)).toEqual({});
  });

  it('reduces no drift at once when its owner saves shares and leverage as they were', async () => {
    const bot = await world.running({ rebalance: { cooldownHours: 24 } });
    await hold(STEADY, '0.6', { acme: '0.004' });
    const { allocations, leverage } = bot;
    await world.bots.update(follower, { botId: bot.id, allocations, leverage });
    await world.run();
    expect(await held(bot)).toEqual({ acme: 50 });
    await world.bots.update(follower, { botId: bot.id, leverage: decimal('0.9') });
    await world.run();
    expect(await held(bot)).toEqual({ acme: 36 });
  });

  it('reverses at once, in two orders too', async () => {
    world = await aBotWorld({ crossesZero: false });
    const bot = await world.running({ rebalance: { cooldownHours: 24 } });
    await hold(STEADY, '1.4', { acme: '-0.004' }, [trade('sell')]);
    expect(await held(bot)).toEqual({ acme: -40 });
    expect((await world.find(bot.id)).pace.turning).toEqual([]);
  });

  it('does not hold back its limits, its owner, or a closure', async () => {
    const bot = await world.running({ rebalance: { cooldownHours: 24 } });
    const change = async (fields: Omit<Parameters<BotWorld['bots']['update']>[1], 'botId'>) => {
      await world.bots.update(follower, { botId: bot.id, ...fields });
      await world.run();
      return held(bot);
    };
    expect(await change({ limits: { maxPerStock: decimal('0.4') } })).toEqual({ acme: 40 });
    expect(await change({ leverage: decimal('0.5') })).toEqual({ acme: 25 });
    expect(await change({ leverage: decimal('0.7') })).toEqual({ acme: 25 });
    expect(await change({ rebalance: 'every_trade' })).toEqual({ acme: 35 });
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await world.run();
    expect(await held(bot)).toEqual({});
  });

  it('plans a dry run at its pace, and says what waits', async () => {
    const bot = await world.start({ dryRun: true, rebalance: { cooldownHours: 3 } });
    await world.run();
    expect(await world.orders(bot)).toEqual(['planned: buy 0 acme']);
    await pass(10 * MINUTE);
    expect((await world.find(bot.id)).statusReason).toMatch(/^This is a dry run.*ACME wait until/);
  });

  it('is previewed', async () => {
    const bot = await world.running({ rebalance: { cooldownHours: 24 } });
    await hold(STEADY, '0.2', { acme: '0.008' }, [trade('buy')]);
    const preview = (fields: object) =>
      previewBot(world.deps)(follower, { botId: bot.id, ...fields });
    const waiting = await preview({});
    expect(waiting.orders).toEqual([]);
    expect(waiting.warnings.join(' ')).toContain('Increases and drift of ACME wait until');
    expect((await preview({ rebalance: 'every_trade' })).orders).toHaveLength(1);
    expect((await preview({ rebalance: { band: decimal('0.4') } })).orders).toEqual([]);
  });
});
