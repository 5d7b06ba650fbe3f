import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, decimal } from '@slipstream/domain';
import { BrokerRefused } from '@slipstream/ports';
import { BotReconciler } from '../../../src/mirroring/index.js';
import { haltTrading } from '../../../src/mirroring/restraints/halts.js';
import { LossIndex } from '../../../src/mirroring/limits/loss-index.js';
import { BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld({ acceptsFirst: true });
  await world.hold(STEADY, '0.5', { acme: '0.005' });
});

const pass = async (seconds: number): Promise<void> => {
  for (let second = 0; second < seconds; second += 5) {
    world.clock.advance(5_000);
    await world.engine.runDueBots();
  }
};
const ofBolt = async (bot: Bot): Promise<string[]> =>
  (await world.orders(bot)).filter((order) => order.endsWith('bolt'));

/** A bot in `error` whose order in BOLT is open at the broker. */
async function inError(): Promise<Bot> {
  const bot = await world.start({ priceCollar: decimal('0') });
  await pass(20);
  await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
  await world.engine.runDueBots();
  world.price(BOLT, '101');
  const access = world.deps.brokers.get('simulated') ?? world.broker;
  world.brokers.set('simulated', {
    ...access,
    find: () => Promise.reject(new BrokerRefused('the key was replaced')),
  });
  await pass(5);
  world.brokers.set('simulated', access);
  expect(await world.find(bot.id)).toMatchObject({ status: 'error' });
  return bot;
}

describe('a bot that halts in error', () => {
  it('has its open increases cancelled, and is not due any more', async () => {
    const bot = await inError();
    expect(await ofBolt(bot)).toEqual(['open: buy 0 bolt']);
    await pass(10);
    expect(await ofBolt(bot)).toEqual(['cancelled: buy 0 bolt']);
    await pass(10);
    expect(await world.find(bot.id)).toMatchObject({ status: 'error', nextRunAt: null });
    world.price(BOLT, '100');
    await pass(60);
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
  });

  it('has them cancelled by the process after a crash', async () => {
    const bot = await inError();
    const next = new BotReconciler({ ...world.deps, losses: new LossIndex() });
    world.clock.advance(10_000);
    await next.runDueBots();
    expect(await ofBolt(bot)).toEqual(['cancelled: buy 0 bolt']);
  });

  it('is tried again with backoff while its broker does not answer', async () => {
    const bot = await inError();
    world.faults.always('lost_request');
    let asked = 0;
    const broker = world.brokers.get('simulated') ?? world.broker;
    world.brokers.set('simulated', {
      ...broker,
      cancel: (...given) => {
        asked += 1;
        return broker.cancel(...given);
      },
    });
    await pass(1_200);
    expect(asked).toBeGreaterThan(3);
    expect(asked).toBeLessThan(15);
    world.faults.clear();
    await pass(600);
    expect(await ofBolt(bot)).toEqual(['cancelled: buy 0 bolt']);
    expect(await world.find(bot.id)).toMatchObject({ status: 'error', nextRunAt: null });
  });

  it('holds no other bot when its account is silent and a process starts under a halt', async () => {
    const bot = await inError();
    const other = await world.start();
    const broker = world.brokers.get('simulated') ?? world.broker;
    let asked = 0;
    world.brokers.set('simulated', {
      ...broker,
      find: (access, ids) => {
        if (access.accountId !== bot.accountId) return broker.find(access, ids);
        asked += 1;
        return new Promise(() => undefined);
      },
    });
    await haltTrading(world.deps)(
      { kind: 'operator' },
      { scope: 'bot', target: bot.id, reason: 'test' },
    );
    const next = new BotReconciler({ ...world.deps, losses: new LossIndex() });
    for (let beat = 0; beat < 5; beat += 1) {
      world.clock.advance(5_000);
      void next.runDueBots();
      for (let turns = 0; turns < 1_000; turns += 1) await Promise.resolve();
    }
    expect(asked).toBe(1);
    expect(Object.keys(await world.holdings(other))).toContain('acme');
  });

  it('stays in error, with its reason, and goes on when its owner resets it', async () => {
    const bot = await inError();
    await pass(30);
    expect(await world.find(bot.id)).toMatchObject({
      status: 'error',
      statusReason: expect.stringContaining('the key was replaced'),
    });
    await world.bots.reset(follower, { botId: bot.id });
    world.price(BOLT, '100');
    await pass(60);
    expect(Object.keys(await world.holdings(bot)).sort()).toEqual(['acme', 'bolt']);
    world.expectSentOnce();
  });
});
