import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, LIVE_LIMITS, NO_LIMITS, decimal, id } from '@slipstream/domain';
import { aBotOrder, anAccountBucket } from '@slipstream/port-contracts';
import type { Broker } from '@slipstream/ports';
import { previewBot, updateBot } from '../../../src/mirroring/index.js';
import { dayOf } from '../../../src/mirroring/limits/envelope.js';
import { Moments } from '../../moments.js';
import { ACME, type BotWorld, aBotWorld, follower } from '../bot-world.js';

const unused = async (): Promise<never> => {
  throw new Error('not needed');
};

/** A broker with one account, which holds 10 ACME and 9,000 USD before any bot. */
function another(unlinked: string[]): Broker {
  return {
    name: 'another',
    live: true,
    existingPositions: 'keep',
    asksFor: [{ name: 'key', description: 'The key.', required: true, example: 'k' }],
    link: async ({ credentials }) => ({
      accountId: `account of ${credentials['key'] ?? ''}`,
      credentials,
      label: 'another',
      live: true,
      holdings: [],
      warnings: [],
    }),
    unlink: async ({ accountId }) => void unlinked.push(accountId),
    account: async () => ({
      equity: decimal('10000'),
      cash: decimal('9000'),
      buyingPower: decimal('9000'),
      maxGross: decimal('1'),
      positions: [
        { stockId: ACME, amount: decimal('10'), price: decimal('100'), value: decimal('1000') },
      ],
      allows: 'all',
      because: null,
    }),
    rules: async () => new Map(),
    place: unused,
    find: async () => new Map(),
    cancel: unused,
  };
}

let world: BotWorld;
let unlinked: string[];
beforeEach(async () => {
  unlinked = [];
  world = await aBotWorld({}, {}, [another(unlinked)]);
});

const CREDENTIALS = { key: 'k1' };

/** A bot that traded at the simulated broker, and is off again. */
async function traded() {
  await world.hold(id('steady'), '0.5', { acme: '0.005' });
  const { id: botId } = await world.start();
  await world.run();
  await world.bots.stop(follower, { botId });
  await world.run();
  return world.find(botId);
}

describe('another broker of a bot (contract 10)', () => {
  it('begins anew with its account: what was known of the account before is dropped', async () => {
    const bot = await traded();
    expect([bot.status, bot.heldParts.size, bot.existingPositions]).toEqual([
      'off',
      1,
      'take_over',
    ]);
    await world.ports.unitOfWork.run(({ botHistory }) =>
      botHistory.save(bot.id, anAccountBucket({ start: 1 })),
    );

    const changed = await world.bots.update(follower, {
      botId: bot.id,
      broker: 'another',
      credentials: CREDENTIALS,
      limits: { maxOrdersPerDay: null },
    });
    expect(changed).toMatchObject({
      broker: 'another',
      accountId: 'account of k1',
      live: true,
      existingPositions: 'keep',
      status: 'off',
      lossWatch: null,
      drift: null,
      cycle: bot.cycle + 1,
      limits: { ...LIVE_LIMITS, maxOrdersPerDay: null },
    });
    expect(bot.limits).toEqual(NO_LIMITS);
    expect([changed.heldParts.size, changed.following.open.size]).toEqual([0, 0]);
    const history = await world.ports.unitOfWork.read(({ botHistory }) =>
      botHistory.list(bot.id, 0),
    );
    expect(history).toEqual([]);

    await world.bots.start(follower, { botId: bot.id, live: true });
    await world.engine.runDueBots();
    const part = (await world.find(bot.id)).heldParts.get(ACME);
    expect([part?.kept.toFixed(), part?.own.toFixed()]).toEqual(['10', '0']);
  });

  it('counts no order at the account before: neither in its day nor as a fill that is told late', async () => {
    const limits = { maxOrdersPerDay: 1, maxTurnoverPerDay: decimal('0.5') };
    const bot = await traded();
    const cancelled = aBotOrder({
      botId: bot.id,
      cycle: bot.cycle,
      stockId: ACME,
      amount: decimal('20'),
      status: 'cancelled',
      filledAmount: decimal('0'),
      filledPrice: null,
      createdAt: world.ports.clock.now(),
      updatedAt: world.ports.clock.now(),
    });
    await world.ports.unitOfWork.run(({ botOrders }) => botOrders.save(cancelled));
    const moved = await world.bots.update(follower, {
      botId: bot.id,
      broker: 'another',
      credentials: CREDENTIALS,
      limits,
    });
    const leftOf = async (some: Bot) => {
      const { envelope } = await dayOf(world.deps, some, decimal('10000'));
      return [envelope.ordersLeft, envelope.turnoverLeft?.toFixed()];
    };
    expect((await leftOf({ ...bot, limits: moved.limits }))[0]).toBe(0);
    expect(await leftOf(moved)).toEqual([1, '5000']);

    await world.bots.start(follower, { botId: bot.id, live: true });
    await world.engine.runDueBots();
    const part = (await world.find(bot.id)).heldParts.get(ACME);
    expect([part?.kept.toFixed(), part?.own.toFixed()]).toEqual(['10', '0']);
  });

  it('is previewed with what it keeps, and nothing changes', async () => {
    const bot = await traded();
    const preview = await previewBot(world.deps)(follower, {
      botId: bot.id,
      broker: 'another',
      credentials: CREDENTIALS,
    });
    expect(preview.account).toMatchObject({ label: 'another', live: true });
    expect(preview.kept.map(({ stockId, amount }) => [stockId, amount.toFixed()])).toEqual([
      [ACME, '10'],
    ]);
    expect(await world.find(bot.id)).toEqual(bot);
  });

  it.each([
    ['without credentials', { broker: 'another' }, 'credentials are needed'],
    ['with those of the broker before', { broker: 'another', credentials: {} }, 'credentials.key'],
    ['that is not known', { broker: 'nowhere', credentials: CREDENTIALS }, 'broker must be one of'],
  ])('is refused %s, and nothing changes', async (_, given, text) => {
    const bot = await traded();
    const refused = world.bots.update(follower, { botId: bot.id, ...given });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(text) });
    expect(await world.find(bot.id)).toEqual(bot);
  });

  it('is refused while the bot is not off; its own broker is no change', async () => {
    const { id: botId } = await world.start();
    await world.run();
    const before = await world.find(botId);
    const move = world.bots.update(follower, {
      botId,
      broker: 'another',
      credentials: CREDENTIALS,
    });
    await expect(move).rejects.toMatchObject({
      code: 'bot_not_off',
      message: expect.stringContaining('broker and credentials'),
    });
    expect(await world.find(botId)).toEqual(before);
    expect(await world.bots.update(follower, { botId, broker: 'simulated' })).toMatchObject({
      broker: 'simulated',
      heldParts: before.heldParts,
      cycle: before.cycle,
    });
  });

  it('is refused while an order at the broker before has no end', async () => {
    const bot = await traded();
    await world.ports.unitOfWork.run(({ botOrders }) =>
      botOrders.save(aBotOrder({ botId: bot.id, status: 'unknown' })),
    );
    const move = world.bots.update(follower, {
      botId: bot.id,
      broker: 'another',
      credentials: CREDENTIALS,
    });
    await expect(move).rejects.toMatchObject({
      code: 'conflict',
      message: '1 orders of this bot at simulated have no end yet',
    });
    expect(await world.find(bot.id)).toEqual(bot);
  });

  it('keeps a breach until its owner acknowledges it, and releases the account before', async () => {
    const bot = await traded();
    const credentials = CREDENTIALS;
    await world.bots.update(follower, { botId: bot.id, broker: 'another', credentials });
    const moved = await world.find(bot.id);
    const breach = {
      limit: 'max_drawdown',
      at: 1,
      equity: decimal('1'),
      from: decimal('2'),
    } as const;
    await world.ports.unitOfWork.run(({ bots }) => bots.save({ ...moved, breach }));
    const back = await world.bots.update(follower, {
      botId: bot.id,
      broker: 'simulated',
      credentials: {},
    });
    expect(back).toMatchObject({ broker: 'simulated', live: false, breach });
    expect(unlinked).toEqual(['account of k1']);
  });

  it('is not left in silence by a request that names the broker which was left meanwhile', async () => {
    const { id: botId } = await world.aNewBot();
    const afterItsRead = new Moments(2);
    const { unitOfWork } = world.deps;
    const update = updateBot({ ...world.deps, unitOfWork: afterItsRead.watched(unitOfWork) });
    const leaves = { botId, broker: 'another', credentials: CREDENTIALS };
    await expect(
      afterItsRead.amid(
        () => world.bots.update(follower, leaves),
        () => update(follower, { botId, broker: 'simulated', name: 'mine' }),
      ),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await world.find(botId)).toMatchObject({ broker: 'another', name: null });
  });
});
