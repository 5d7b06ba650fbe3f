import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, type Subscription, id, reasonOf } from '@slipstream/domain';
import { NOON } from '@slipstream/port-contracts';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower, owner } from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

describe('stopping', () => {
  it('keeps positions without closure', async () => {
    const bot = await world.running();
    expect(await world.bots.stop(follower, { botId: bot.id })).toMatchObject({
      status: 'stopping',
    });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      status: 'off',
      condition: 'off',
      nextRunAt: null,
      drift: null,
    });
    expect(await world.holdings(bot)).toEqual({ acme: '49.99' });
    expect(world.notices).toContainEqual('stop: Off, positions kept.');
  });

  it('closes positions with closure, whatever the saved setting', async () => {
    const bot = await world.running({ closeOnStop: false });
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off', closeOnStop: false });
    expect(await world.holdings(bot)).toEqual({});
  });

  it('cancels open orders first, and is off only when none is open', async () => {
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    world.faults.on('place', 'partial', 'partial');
    const bot = await world.start();
    await world.run();
    world.closed.add(ACME).add(BOLT);
    await world.bots.stop(follower, { botId: bot.id });
    world.faults.on('cancel', 'lost_request');
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'stopping' });
    world.clock.advance(5_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    const orders = await world.orders(bot);
    expect(orders.toSorted()).toEqual(['cancelled: buy 24.545 bolt', 'filled: buy 49.8802 acme']);
  });

  it('closes when the market opens', async () => {
    const bot = await world.running({ closeOnStop: true });
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

  it('leaves a delisted holding as it is instead of waiting for ever, and names it', async () => {
    const bot = await world.running({ closeOnStop: true });
    world.delisted.add(ACME);
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    const stopped = await world.find(bot.id);
    expect(stopped).toMatchObject({ status: 'off' });
    expect(stopped.statusReason).toContain('ACME was delisted and is left as it is.');
  });

  it('waits for a stock that is halted here while its broker has no stock of that symbol', async () => {
    const bot = await world.running({ closeOnStop: true });
    const broker = world.brokers.get('simulated') ?? world.broker;
    // Its symbol changed at the broker last night, and the operator enters the new one in the morning.
    world.halted.add(ACME);
    world.brokers.set('simulated', { ...broker, rules: async () => new Map() });
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    const waiting = await world.find(bot.id);
    expect(waiting).toMatchObject({ status: 'stopping', closesPositions: true });
    expect(waiting.statusReason).toContain('Waits until ACME (halted) can be traded.');
    world.halted.clear();
    world.brokers.set('simulated', broker);
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.holdings(bot)).toEqual({});
  });

  it('waits for a stock that its broker tells by a new symbol which is not known here yet', async () => {
    const bot = await world.running({ closeOnStop: true, existingPositions: 'keep' });
    const broker = world.brokers.get('simulated') ?? world.broker;
    world.brokers.set('simulated', {
      ...broker,
      rules: async () => new Map(),
      account: async (...asked) => {
        const account = await broker.account(...asked);
        const named = account.positions.map((one) => ({ ...one, stockId: id<'stock'>('x:APEX') }));
        return { ...account, positions: named };
      },
    });
    // Its fill is old by now.
    world.clock.advance(400_000);
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    const waiting = await world.find(bot.id);
    expect(waiting).toMatchObject({ status: 'stopping', closesPositions: true });
    expect(waiting.statusReason).toContain('ACME (its symbol changes)');
    world.brokers.set('simulated', broker);
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.holdings(bot)).toEqual({});
  });

  it('leaves what its broker does not trade any more instead of waiting for ever, and names it', async () => {
    await world.hold(STEADY, '0.2', { acme: '0.004', bolt: '0.004' });
    const bot = await world.start({ closeOnStop: true });
    await world.run();
    const { rules } = world.broker;
    world.brokers.set('simulated', {
      ...world.broker,
      rules: (access, stocks) =>
        rules(
          access,
          stocks.filter(({ id: stockId }) => stockId !== ACME),
        ),
    });
    await world.bots.stop(follower, { botId: bot.id });
    for (let minute = 0; minute < 3; minute += 1) {
      world.clock.advance(60_000);
      await world.run();
    }
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    const left = 'ACME is not traded by the broker and is left as it is.';
    expect(world.notices.at(-1)).toBe(`stop: Off, positions closed. ${left}`);
  });

  it('leaves nothing of the way there in the reason once it is off', async () => {
    const bot = await world.running({ closeOnStop: true });
    world.closed.add(ACME);
    await world.bots.stop(follower, { botId: bot.id });
    await world.run();
    expect(reasonOf(await world.find(bot.id))).toContain('Waits until ACME');
    world.closed.clear();
    world.clock.advance(60_000);
    await world.run();
    expect(reasonOf(await world.find(bot.id))).toBeNull();
  });

  it('counts what is too small to sell as flat, and names it', async () => {
    const bot = await world.running({ closeOnStop: true });
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
    const bot = await world.start();
    await world.run();
    await world.bots.stop(follower, { botId: bot.id });
    // The broker may show it late: it stays in doubt for a minute.
    world.clock.advance(60_000);
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
    const bot = await world.running({ closeOnStop: true });
    await world.unitOfWork.run(async ({ subscriptions }) => {
      const found = await subscriptions.find(id('of-steady'));
      if (found) await subscriptions.save({ ...found, ...change });
    });
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.holdings(bot)).toEqual({});
    expect(world.notices).toContainEqual(expect.stringContaining('warning: Stops because'));
    // However it went on, why it stopped is still to be read (T10), until it is started again.
    expect(reasonOf(await world.find(bot.id))).toMatch(/^Stops because .*“Steady”/);
  });

  it('begins as soon as it is told that the access ended, for those whom it concerns', async () => {
    const bot = await world.running({ closeOnStop: true });
    const other = await world.bots.new(owner, {
      type: 'stock',
      broker: 'simulated',
      allocations: bot.allocations,
    });
    await world.bots.start(owner, { botId: other.id });
    await world.unitOfWork.run(async ({ subscriptions }) => {
      const found = await subscriptions.find(id('of-steady'));
      if (found) await subscriptions.save({ ...found, status: 'cancelled' });
    });
    await world.engine.stopBots({ strategyId: STEADY, userId: owner });
    expect(await world.find(bot.id)).toMatchObject({ status: 'running' });

    await world.engine.stopBots({ strategyId: STEADY, userId: null });
    expect(await world.find(bot.id)).toMatchObject({
      status: 'stopping',
      closesPositions: true,
      nextRunAt: world.clock.now(),
    });
    expect(world.notices).toContainEqual(expect.stringContaining('warning: Stops because'));
    expect(await world.find(other.id)).toMatchObject({ status: 'scheduled_rebalance' });
  });

  it('happens by itself when its strategy is over, which none may mirror any more (contract 7b.9)', async () => {
    const bot = await world.running();
    await world.unitOfWork.run(async ({ strategies }) => {
      const found = await strategies.find(STEADY);
      if (found) await strategies.save({ ...found, endedAt: world.clock.now() });
    });
    await world.engine.stopBots({ strategyId: STEADY, userId: null });
    await world.run();
    const stopped = await world.find(bot.id);
    expect(stopped).toMatchObject({ status: 'off' });
    expect(reasonOf(stopped)).toContain('“Steady” is over: its value was at or below zero');
    const refused = { code: 'strategy_ended' };
    await expect(world.bots.start(follower, { botId: bot.id })).rejects.toMatchObject(refused);
    await expect(world.aNewBot()).rejects.toMatchObject(refused);
  });

  it('happens by itself when its strategy was deleted', async () => {
    const bot = await world.running();
    await world.unitOfWork.run(async ({ strategies }) => {
      const found = await strategies.find(STEADY);
      if (found) await strategies.save({ ...found, deletedAt: world.clock.now() });
    });
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect((await world.find(bot.id)).stopReason).toContain('“Steady”');
  });
});

describe('a bot whose subscription runs out', () => {
  const change = (changes: Partial<Subscription>): Promise<void> =>
    world.unitOfWork.run(async ({ subscriptions }) => {
      const found = await subscriptions.find(id('of-steady'));
      if (found) await subscriptions.save({ ...found, ...changes });
    });

  it.each<[string, Partial<Subscription>, string]>([
    ['goes on while a renewal is tried again', { status: 'past_due', renewsAt: NOON }, 'running'],
    ['is off where no month was paid', { status: 'past_due', renewsAt: null }, 'off'],
    ['goes on to the end of a paid month', { endsAt: NOON + 2 * 60_000 }, 'running'],
    ['is off once that is over', { endsAt: NOON + 60_000 }, 'off'],
  ])('%s', async (_, changes, status) => {
    const bot = await world.running();
    await change(changes);
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status });
  });

  it('goes on while the clock is in doubt by which it is over', async () => {
    const bot = await world.running();
    await change({ endsAt: NOON + DAY });
    world.clock.advance(366 * DAY);
    world.clock.doubt(true);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ condition: 'active' });
    world.clock.doubt(false);
    world.clock.advance(60_000);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ condition: 'off' });
  });

  it('takes no new allocations of it while a renewal is tried again', async () => {
    const { id: botId, allocations } = await world.running();
    await change({ status: 'past_due', renewsAt: NOON });
    const update = world.bots.update(follower, { botId, allocations });
    await expect(update).rejects.toMatchObject({ code: 'not_found' });
  });
});
