import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, ONE, decimal } from '@slipstream/domain';
import { previewBot } from '../../../src/mirroring/index.js';
import { ACME, BOLT, DARING, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';
import { holdLater, madeTrades, wholeShares } from '../pacing/traded-strategy.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
  await world.hold(STEADY, '0.5', { acme: '0.005' });
});

const trade = madeTrades();
const hold = (...given: Parameters<BotWorld['hold']>): Promise<void> => holdLater(world, ...given);

const held = (bot: Bot) => wholeShares(world, bot);

const NOT_JOINED = 'Not joined, as the strategy held it before the start: ACME.';

describe('a bot that joins only what is new', () => {
  it('leaves out what the strategy held, says so, and counts it neither as drift nor for others', async () => {
    const bot = await world.start({ join: 'new_only' });
    await world.run();
    expect(await held(bot)).toEqual({});
    expect(await world.find(bot.id)).toMatchObject({ status: 'running', statusReason: NOT_JOINED });
    expect(world.notices.at(-1)).toContain(NOT_JOINED);
    await world.expectInLine(bot);
    await hold(STEADY, '0.2', { acme: '0.005', bolt: '0.003' }, [trade('buy', BOLT)]);
    expect(await held(bot)).toEqual({ bolt: 30 });
    await world.expectInLine(bot);
  });

  it('takes no trade from before its start for a new one where the clock was set back before it', async () => {
    await hold(STEADY, '0.6', { acme: '0.004' }, [trade('sell')]);
    world.clock.advance(-70_000);
    await hold(STEADY, '0.5', { acme: '0.005' }, [trade('buy')]);
    const bot = await world.start({ join: 'new_only' });
    await world.run();
    expect(await held(bot)).toEqual({});
    expect((await world.find(bot.id)).statusReason).toBe(NOT_JOINED);
  });

  it('waits for a trade of after its start where the clock was set back before it', async () => {
    await hold(STEADY, '0.6', { acme: '0.004' }, [trade('sell')]);
    world.clock.advance(-70_000);
    const bot = await world.start({ rebalanceOnStart: false });
    await world.run();
    expect(await held(bot)).toEqual({});
    await hold(STEADY, '0.5', { acme: '0.005' }, [trade('buy')]);
    expect(await held(bot)).toEqual({ acme: 50 });
  });

  it('follows the whole position once the strategy increases it', async () => {
    const bot = await world.start({ join: 'new_only' });
    await world.run();
    await hold(STEADY, '0.6', { acme: '0.004' }, [trade('sell')]);
    expect(await held(bot)).toEqual({});
    await hold(STEADY, '0.55', { acme: '0.0045' }, [trade('buy')]);
    expect(await held(bot)).toEqual({ acme: 45 });
    expect((await world.find(bot.id)).statusReason).toBeNull();
  });

  it('follows what opens anew, also smaller and between two checks, and a reversal', async () => {
    const bot = await world.start({ join: 'new_only' });
    await world.run();
    await hold(STEADY, '0.9', { acme: '0.001' }, [trade('sell'), trade('buy')]);
    expect(await held(bot)).toEqual({ acme: 10 });

    const other = await world.start({ join: 'new_only', accountId: 'other' });
    await world.run();
    expect(await held(other)).toEqual({});
    await hold(STEADY, '1.2', { acme: '-0.002' }, [trade('sell')]);
    expect(await held(other)).toEqual({ acme: -20 });
  });

  it('keeps that over a restart of the server, and over resetBot', async () => {
    const bot = await world.start({ join: 'new_only' });
    await world.run();
    await world.bots.reset(follower, { botId: bot.id });
    await world.run();
    const stored = await world.find(bot.id);
    expect([...(stored.following.unjoined.get(STEADY)?.keys() ?? [])]).toEqual([ACME]);
    expect(await held(bot)).toEqual({});
  });

  it('waits for the first trade, if it shall, and joins what that increases', async () => {
    const bot = await world.start({ join: 'new_only', rebalanceOnStart: false });
    await world.run();
    await hold(STEADY, '0.4', { acme: '0.006' }, [trade('buy')]);
    expect(await held(bot)).toEqual({ acme: 60 });
  });

  it('goes on with what it held itself before, which it reduces as the strategy does, and never adds to', async () => {
    const bot = await world.running({ join: 'new_only' });
    expect(await held(bot)).toEqual({});
    await hold(STEADY, '0.4', { acme: '0.006' }, [trade('buy')]);
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    expect(await held(bot)).toEqual({ acme: 60 });
    await world.bots.update(follower, { botId: bot.id, leverage: decimal('1.5') });
    await world.run();
    expect(await held(bot)).toEqual({ acme: 60 });
    await hold(STEADY, '0.8', { acme: '0.002' }, [trade('sell')]);
    expect(await held(bot)).toEqual({ acme: 30 });
    await hold(STEADY, '1', {}, [trade('sell')]);
    expect(await held(bot)).toEqual({});
  });

  it('takes what another strategy opens in the same stock', async () => {
    const half = decimal('0.5');
    const bot = await world.start({
      join: 'new_only',
      allocations: [STEADY, DARING].map((strategyId) => ({ strategyId, percent: half })),
    });
    await world.run();
    await hold(DARING, '0.6', { acme: '0.004' }, [{ ...trade('buy'), strategyId: DARING }]);
    expect(await held(bot)).toEqual({ acme: 20 });
    await hold(DARING, '0.9', { acme: '0.001' }, [{ ...trade('sell'), strategyId: DARING }]);
    expect(await held(bot)).toEqual({ acme: 5 });
  });

  it('leaves out what a strategy holds that is added later', async () => {
    await world.hold(DARING, '0.5', { bolt: '0.005' });
    const bot = await world.start({ join: 'new_only' });
    await world.run();
    const allocations = [STEADY, DARING].map((strategyId) => ({ strategyId, percent: ONE }));
    await world.bots.update(follower, { botId: bot.id, allocations });
    await hold(DARING, '0.4', { bolt: '0.005', acme: '0.001' }, [
      { ...trade('buy'), strategyId: DARING },
    ]);
    expect(await held(bot)).toEqual({ acme: 10 });
    await hold(DARING, '0.3', { bolt: '0.006', acme: '0.001' }, [
      { ...trade('buy', BOLT), strategyId: DARING },
    ]);
    expect(await held(bot)).toEqual({ acme: 10, bolt: 60 });
  });

  it('takes all at once when join becomes all, and leaves out nothing when it becomes new_only', async () => {
    const bot = await world.start({ join: 'new_only' });
    await world.run();
    await world.bots.update(follower, { botId: bot.id, join: 'all' });
    await world.run();
    expect(await held(bot)).toEqual({ acme: 50 });
    await world.bots.update(follower, { botId: bot.id, join: 'new_only' });
    await world.run();
    expect(await held(bot)).toEqual({ acme: 50 });
    expect((await world.find(bot.id)).statusReason).toBeNull();
  });

  it('is previewed as it would start, or goes on', async () => {
    const bot = await world.aNewBot();
    const preview = (join?: 'all' | 'new_only') =>
      previewBot(world.deps)(follower, { botId: bot.id, join });
    expect((await preview()).orders).toHaveLength(1);
    expect(await preview('new_only')).toMatchObject({ orders: [], warnings: [NOT_JOINED] });
    await world.bots.update(follower, { botId: bot.id, join: 'new_only' });
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    expect(await preview()).toMatchObject({ orders: [], warnings: [NOT_JOINED] });
    expect((await preview('all')).orders).toHaveLength(1);
  });
});
