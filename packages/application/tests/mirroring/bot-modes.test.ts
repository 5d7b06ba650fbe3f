import { describe, expect, it } from '@jest/globals';
import { STEADY, aBotWorld, follower } from './bot-world.js';

describe('the mode of a bot', () => {
  it('paused: sends nothing and says so, normal again: goes on at once', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    await world.bots.update(follower, { botId: bot.id, mode: 'paused' });
    const before = world.sent.length;
    await world.hold(STEADY, '1', {});
    await world.run();
    expect(world.sent).toHaveLength(before);
    expect(await world.find(bot.id)).toMatchObject({ statusReason: 'The bot is paused.' });
    await world.bots.update(follower, { botId: bot.id, mode: 'normal' });
    await world.run();
    await world.expectInLine(bot);
    expect(await world.holdings(bot)).toEqual({});
  });

  it('paused: a closure waits, also one that waited already, and says so', async () => {
    const world = await aBotWorld();
    const bot = await world.running({ mode: 'normal' });
    await world.bots.update(follower, { botId: bot.id, mode: 'paused' });
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      condition: 'closing',
      statusReason: 'The bot is paused.',
    });
    await world.bots.update(follower, { botId: bot.id, mode: 'reduce_only' });
    await world.run();
    expect((await world.find(bot.id)).status).toBe('off');
    expect(await world.holdings(bot)).toEqual({});
  });

  it('paused: open orders are cancelled', async () => {
    const world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start();
    await world.engine.runDueBots();
    await world.bots.update(follower, { botId: bot.id, mode: 'paused' });
    await world.run();
    expect(await world.orders(bot)).toEqual(['cancelled: buy 0 acme']);
  });

  it('reduce_only: follows reductions, leaves increases out and says so', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    await world.bots.update(follower, { botId: bot.id, mode: 'reduce_only' });
    await world.hold(STEADY, '0.3', { acme: '0.003', bolt: '0.004' });
    await world.run();
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    expect(await world.orders(bot)).toContainEqual(expect.stringMatching(/^filled: sell .* acme$/));
    expect((await world.find(bot.id)).statusReason).toBe(
      'The bot only reduces, by its mode reduce_only.',
    );
    // A reversal only closes.
    await world.hold(STEADY, '1.3', { acme: '-0.003' });
    await world.run();
    expect(await world.holdings(bot)).toEqual({});
  });

  it('is weaker than a halt', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    await world.bots.update(follower, { botId: bot.id, mode: 'reduce_only' });
    await world.halt('operator', 'all');
    await world.hold(STEADY, '1', {});
    await world.run();
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    expect((await world.find(bot.id)).statusReason).toMatch(/^Trading is halted/);
  });
});

describe('the lists of a bot', () => {
  it('leave stocks out, say so, and scale nothing up', async () => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0.2', { acme: '0.004', bolt: '0.004' });
    const bot = await world.start({ denyStocks: ['bolt'] });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      status: 'running',
      statusReason: 'Increases of BOLT are left out, by the lists of the bot.',
    });
    const { acme, bolt } = await world.holdings(bot);
    expect(bolt).toBeUndefined();
    expect(Number(acme)).toBeLessThanOrEqual(40);

    await world.bots.update(follower, { botId: bot.id, denyStocks: [], allowStocks: ['bolt'] });
    await world.run();
    expect(Object.keys(await world.holdings(bot)).toSorted()).toEqual(['acme', 'bolt']);
    expect((await world.find(bot.id)).statusReason).toBeNull();
  });

  it('let what is held of a denied stock be reduced as the strategy reduces it, never added to', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    await world.bots.update(follower, { botId: bot.id, denyStocks: ['acme'] });
    const before = await world.holdings(bot);
    await world.hold(STEADY, '0.2', { acme: '0.008' });
    await world.run();
    expect(await world.holdings(bot)).toEqual(before);
    await world.hold(STEADY, '0.8', { acme: '0.002' });
    await world.run();
    expect(Number((await world.holdings(bot))['acme'])).toBeLessThanOrEqual(20.1);
    await world.hold(STEADY, '1', {});
    await world.run();
    expect(await world.holdings(bot)).toEqual({});
  });

  it('keep back an order that was planned before a stock was denied', async () => {
    const world = await aBotWorld();
    const { broker } = world;
    world.brokers.set('simulated', {
      ...broker,
      place: async (access, order) => {
        const denied = order.stock.id === 'acme' ? 'bolt' : 'acme';
        await world.bots.update(follower, { botId: bot.id, denyStocks: [denied] });
        return broker.place(access, order);
      },
    });
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    const bot = await world.start();
    await world.run();
    expect(Object.keys(await world.holdings(bot))).toHaveLength(1);
  });
});
