import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, decimal } from '@slipstream/domain';
import { BrokerUnreachable } from '@slipstream/ports';
import { BotReconciler } from '../../../src/mirroring/index.js';
import { anAccess } from '@slipstream/port-contracts';
import { ACME, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

/** Minutes of a server, which looks for due bots all the time. */
const minutes = async (count: number, engine = world.engine): Promise<void> => {
  for (let minute = 0; minute < count; minute += 1) {
    world.clock.advance(60_000);
    await engine.runDueBots();
    await world.run();
  }
};
/** The clock is a day ahead for a moment. */
const ahead = async (): Promise<void> => {
  world.clock.advance(DAY);
  await world.engine.runDueBots();
  world.clock.advance(-DAY);
};
/** The amount of ACME in its account. */
const acmeOf = async (bot: Awaited<ReturnType<BotWorld['running']>>): Promise<number> =>
  Number((await world.holdings(bot))['acme']);

describe('a bot after a moment in which the clock was ahead', () => {
  it('is checked each minute, as before', async () => {
    const bot = await world.running();
    await ahead();
    world.price(ACME, '200');
    await minutes(2);
    const { nextRunAt } = await world.find(bot.id);
    expect((nextRunAt ?? 0) - world.clock.now()).toBeLessThanOrEqual(60_000);
  });

  it('is checked by the next process, too', async () => {
    const bot = await world.running();
    await ahead();
    await minutes(1, new BotReconciler(world.deps));
    const { nextRunAt } = await world.find(bot.id);
    expect((nextRunAt ?? 0) - world.clock.now()).toBeLessThanOrEqual(60_000);
  });

  it('is tried again with its waits when its broker gave no answer then', async () => {
    const bot = await world.running();
    const { account } = world.broker;
    const broker = world.brokers.get('simulated') ?? world.broker;
    const unreachable = () => Promise.reject(new BrokerUnreachable('no answer in time'));
    world.brokers.set('simulated', { ...broker, account: unreachable });
    await ahead();
    world.brokers.set('simulated', { ...broker, account });
    await minutes(2);
    await world.expectInLine(bot);
  });

  it('has its readings in its history, in the newest row', async () => {
    const bot = await world.running();
    await ahead();
    world.price(ACME, '200');
    await minutes(2);
    const last = await world.unitOfWork.read(({ botHistory }) => botHistory.last(bot.id));
    expect(last?.equity.gt('14000')).toBe(true);
  });

  it('cancels an order of that moment after two minutes, and trades on', async () => {
    world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({ priceCollar: decimal('0') });
    await ahead();
    world.price(ACME, '101');
    await minutes(5);
    expect(await acmeOf(bot)).toBeGreaterThan(48);
    await world.expectInLine(bot);
  });

  it('sends no order of that moment twice, although its answer was lost', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start();
    world.faults.on('place', 'lost_answer');
    await ahead();
    await minutes(5);
    await world.expectInLine(bot);
    world.expectSentOnce();
  });

  it('sees what its owner sells by hand, although an order of that moment was filled', async () => {
    const bot = await world.running();
    await world.hold(STEADY, '0.4', { acme: '0.006' });
    await ahead();
    await world.broker.transfer(
      anAccess({ accountId: bot.accountId, credentials: { user_id: follower } }),
      {
        cash: decimal('500'),
        stockId: ACME,
        amount: decimal('-5'),
      },
    );
    await minutes(3);
    await world.expectInLine(bot);
  });

  it('rebalances by its rule: a cooldown does not begin a day later', async () => {
    const bot = await world.running({ rebalance: { cooldownHours: 1 } });
    await world.hold(STEADY, '0.4', { acme: '0.006' });
    await ahead();
    await world.hold(STEADY, '0.2', { acme: '0.008' });
    await minutes(2);
    expect(await acmeOf(bot)).toBeGreaterThan(75);
    await world.bots.stop(follower, { botId: bot.id });
  });
});
