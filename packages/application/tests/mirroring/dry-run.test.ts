import { describe, expect, it } from '@jest/globals';
import type { Broker } from '@slipstream/ports';
import { STEADY, aBotWorld, follower } from './bot-world.js';

const SAID = 'This is a dry run: its orders are planned, nothing is sent.';

describe('a dry run', () => {
  it('stores what it would send, once, and again after the strategy traded or wants another thing', async () => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({ dryRun: true });
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await world.run();
      world.clock.advance(60_000);
    }
    expect(world.sent).toEqual([]);
    expect(await world.orders(bot)).toEqual(['planned: buy 0 acme']);
    expect(await world.find(bot.id)).toMatchObject({
      status: 'scheduled_rebalance',
      statusReason: SAID,
    });
    await world.hold(STEADY, '0.5', { bolt: '0.005' });
    await world.run();
    expect(await world.orders(bot)).toEqual(['planned: buy 0 bolt', 'planned: buy 0 acme']);
  });

  it('plans the reductions and the increases that they pay for', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await world.bots.update(follower, { botId: bot.id, dryRun: true });
    await world.hold(STEADY, '0', { bolt: '0.01' });
    const sent = world.sent.length;
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    const planned = (await world.orders(bot)).filter((order) => order.startsWith('planned'));
    expect(planned.toSorted()).toEqual(['planned: buy 0 bolt', 'planned: sell 0 acme']);

    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await world.run();
    expect(world.sent).toHaveLength(sent);
    expect(await world.find(bot.id)).toMatchObject({ status: 'off', statusReason: SAID });
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
  });

  it('can be begun and ended only while the bot is off', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    await expect(
      world.bots.update(follower, { botId: bot.id, dryRun: true }),
    ).rejects.toMatchObject({ code: 'bot_not_off' });
  });
});

describe('a bot of real money', () => {
  /** The simulated broker, as if its accounts held real money. */
  const liveWorld = async () => {
    const world = await aBotWorld();
    const { broker } = world;
    const live: Broker = {
      ...broker,
      name: 'simulated',
      live: true,
      link: async (request) => ({ ...(await broker.link(request)), live: true }),
    };
    world.brokers.set('simulated', live);
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    return world;
  };

  it('starts only with live: true, at each start, and is told account, equity and what is kept', async () => {
    const world = await liveWorld();
    const bot = await world.aNewBot({ accountId: 'savings', existingPositions: 'keep' });
    const start = (live?: boolean) => world.bots.start(follower, { botId: bot.id, live });
    for (const live of [undefined, false])
      await expect(start(live)).rejects.toMatchObject({
        code: 'live_not_confirmed',
        message:
          'this bot trades real money: account savings at simulated, equity 10000 USD, of it 10000 USD for the bot; kept: nothing. Start it with live: true',
      });
    await start(true);
    await world.run();
    await world.expectInLine(bot);
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    await expect(start()).rejects.toMatchObject({ code: 'live_not_confirmed' });
  });

  it('tells what is kept', async () => {
    const world = await liveWorld();
    const bot = await world.aNewBot({ accountId: 'savings' });
    await world.bots.start(follower, { botId: bot.id, live: true });
    await world.run();
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
    await world.run();
    const keeping = await world.aNewBot({ accountId: 'savings', existingPositions: 'keep' });
    await expect(world.bots.start(follower, { botId: keeping.id })).rejects.toMatchObject({
      message: expect.stringMatching(/of it [\d.]+ USD for the bot; kept: [\d.]+ ACME\. Start it/),
    });
  });

  it('of a dry run needs no live: true, and one of play money refuses it', async () => {
    const world = await liveWorld();
    const dry = await world.start({ dryRun: true });
    expect(dry.status).toBe('scheduled_rebalance');
    const play = await aBotWorld();
    const bot = await play.aNewBot();
    await expect(play.bots.start(follower, { botId: bot.id, live: true })).rejects.toMatchObject({
      code: 'invalid_field',
    });
  });
});
