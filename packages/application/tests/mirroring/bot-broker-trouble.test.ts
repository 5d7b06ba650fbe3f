import { beforeEach, describe, expect, it } from '@jest/globals';
import { BotReconciler } from '../../src/mirroring/index.js';
import { DOUBT_LASTS } from '../../src/mirroring/bot-schedule.js';
import { ZERO, decimal } from '@slipstream/domain';
import { aPosition, positionsOf } from '@slipstream/port-contracts';
import { ACME, STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

describe('a broker in trouble', () => {
  beforeEach(() => world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' }));

  it('is asked before an order whose answer was lost is thought about, and never sent it twice', async () => {
    world.faults.on('place', 'lost_answer');
    const bot = await world.start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'rebalancing', attempts: 1 });
    expect(await world.orders(bot)).toContainEqual(expect.stringMatching(/^unknown: buy 0 /));
    world.clock.advance(2_000);
    await world.run();
    await world.expectInLine(bot);
    world.expectSentOnce();
  });

  it('gets an order that never arrived again, under the same id', async () => {
    world.faults.on('place', 'lost_request');
    const bot = await world.start();
    await world.run();
    world.clock.advance(2_000);
    await world.run();
    await world.expectInLine(bot);
    // Two orders, one of them twice, and one for what the limits left over.
    expect(world.sent).toHaveLength(4);
    expect(world.sent.slice(1)).toContain(world.sent[0]);
    expect(await world.orders(bot)).toHaveLength(3);
  });

  it.each(['lost_request', 'lost_answer', 'server_error'] as const)(
    'trades nothing while the doubt cannot be settled (%s on find)',
    async (fault) => {
      world.faults.on('place', 'lost_answer');
      world.faults.on('find', fault, fault);
      const bot = await world.start();
      await world.run();
      for (const pause of [2_000, 4_000]) {
        world.clock.advance(pause);
        await world.run();
        expect(world.sent).toHaveLength(1);
        expect(await world.find(bot.id)).toMatchObject({ status: 'rebalancing' });
      }
      world.clock.advance(8_000);
      await world.run();
      await world.expectInLine(bot);
      world.expectSentOnce();
    },
  );

  it.each(['hang_before', 'hang_after'] as const)(
    'loses nothing when the process is killed while it sends (%s)',
    async (fault) => {
      world.faults.on('place', fault);
      const bot = await world.start();
      void world.engine.runBot(bot.id);
      while (world.sent.length === 0) await Promise.resolve();
      for (let turns = 0; turns < 1000; turns += 1) await Promise.resolve();

      const restarted = new BotReconciler(world.deps);
      await restarted.runDueBots();
      await world.expectInLine(bot);
      const account = await world.bots.account(follower, { botId: bot.id });
      expect(account.cash.gt(ZERO)).toBe(true);
      expect(await world.orders(bot)).toHaveLength(3);
    },
  );

  it('mirrors at once after a start what was traded and not heard of when the process was killed', async () => {
    const bot = await world.running();
    const bought = {
      positions: positionsOf(aPosition({ stockId: ACME, amount: decimal('0.008') })),
    };
    await world.unitOfWork.run(async ({ books }) => {
      const book = await books.find(STEADY);
      if (!book) throw new Error('there is a book');
      await books.save({ ...book, cash: decimal('0.2'), ...bought }, []);
    });
    await world.engine.runDueBots();
    expect((await world.drift(bot))?.gt(decimal('0.1'))).toBe(true);

    await new BotReconciler(world.deps).runDueBots();
    await world.expectInLine(bot);
    world.expectSentOnce();
  });

  it('never sees an order twice from a broker that does not know ids, either', async () => {
    world = await aBotWorld({ dedupes: false });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    world.faults.on('place', 'lost_answer');
    const bot = await world.start();
    await world.run();
    world.clock.advance(2_000);
    await world.run();
    await world.expectInLine(bot);
    expect(await world.holdings(bot)).toEqual({ acme: '49.99' });
  });

  it('backs off longer each time it cannot be reached, without end', async () => {
    const bot = await world.start();
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
    await world.expectInLine(bot);
  });

  it('has not failed while a holding has no quote, as in the moment of a split', async () => {
    const bot = await world.start();
    await world.run();
    const [quote, told] = [world.quotes.get(ACME), world.notices.length];
    if (!quote) throw new Error('there is a quote');
    world.quotes.delete(ACME);
    world.clock.advance(60_000);
    await world.run();
    const waits = 'The account cannot be read yet: there is no quote of ACME to value the account.';
    expect(await world.find(bot.id)).toMatchObject({ status: 'running', statusReason: waits });
    await expect(world.bots.account(follower, { botId: bot.id })).rejects.toThrow(
      'there is no quote of ACME to value the account, try again later',
    );
    world.quotes.set(ACME, quote);
    world.clock.advance(2_000);
    await world.run();
    await world.expectInLine(bot);
    expect(world.notices).toHaveLength(told);

    world.quotes.delete(ACME);
    world.clock.advance(60_000);
    for (let seconds = 0; seconds < 300; seconds += 2) {
      await world.run();
      world.clock.advance(2_000);
    }
    expect(world.notices.slice(told)).toEqual([`warning: ${waits}`]);
  });

  it('is left in peace for as long as it asks', async () => {
    world.faults.on('place', { rateLimited: 30_000 });
    const bot = await world.start();
    await world.run();
    expect((await world.find(bot.id)).nextRunAt).toBe(world.clock.now() + 30_000);
    world.clock.advance(30_000);
    await world.run();
    await world.expectInLine(bot);
    expect(await world.orders(bot)).toHaveLength(3);
  });

  it('may reject: told, and tried again later with another order', async () => {
    world.faults.on('place', 'reject', 'none', 'reject');
    const bot = await world.start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'scheduled_rebalance', attempts: 1 });
    expect(world.notices).toContainEqual(expect.stringContaining('warning: The broker rejected'));
    world.clock.advance(2_000);
    await world.run();
    world.clock.advance(4_000);
    await world.run();
    await world.expectInLine(bot);
    world.expectSentOnce();
  });

  it('may fill in parts', async () => {
    world.faults.on('place', 'partial');
    const bot = await world.start();
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'rebalancing' });
    world.clock.advance(5_000);
    await world.run();
    await world.expectInLine(bot);
    world.expectSentOnce();
  });

  it('may be handed an order twice on the way', async () => {
    world.faults.on('place', 'duplicated');
    const bot = await world.start();
    await world.run();
    await world.expectInLine(bot);
    expect(await world.orders(bot)).toHaveLength(3);
  });

  it('halts the bot when access is lost; resetBot goes on', async () => {
    const bot = await world.start();
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
    await world.expectInLine(bot);
  });

  it('halts the closure when access is lost; resetBot goes on with it', async () => {
    const bot = await world.start();
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
    const bot = await world.start();
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
    // Its second order may have been sent, as far as the bot knows.
    world.clock.advance(DOUBT_LASTS);
    await world.run();
    await world.expectInLine(bot);
    world.expectSentOnce();
  });
});

describe('credentials that no master key opens any more', () => {
  it('halt the bot and are named as such, to its owner too', async () => {
    const bot = await world.running();
    const sealed = world.deps.secretBox.seal('{}', 'something else');
    const running = await world.find(bot.id);
    await world.unitOfWork.run(({ bots }) => bots.save({ ...running, sealedCredentials: sealed }));
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      status: 'error',
      statusReason: expect.stringMatching(/^The credentials cannot be read any more.*updateBot/),
    });
    await expect(world.bots.account(follower, { botId: bot.id })).rejects.toMatchObject({
      code: 'broker_access',
      message: expect.stringMatching(/^The credentials cannot be read any more/),
    });
  });
});
