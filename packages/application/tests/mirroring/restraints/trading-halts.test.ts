import { describe, expect, it } from '@jest/globals';
import { type Halt, type HaltScope, id } from '@slipstream/domain';
import type { Broker } from '@slipstream/ports';
import { BotReconciler } from '../../../src/mirroring/index.js';
import { DOUBT_LASTS } from '../../../src/mirroring/bot-schedule.js';
import { STEADY, aBotWorld, follower, owner } from '../bot-world.js';

const SAID = 'Trading is halted by the operator: prices look wrong.';

describe('a halt of trading', () => {
  it('keeps a bot from sending orders, and it says so; lifted, the bot goes on at once', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    const halt = await world.halt('operator', 'all');
    const before = world.sent.length;
    await world.hold(STEADY, '0', { acme: '0.01' });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      status: 'scheduled_rebalance',
      statusReason: SAID,
    });
    world.clock.advance(60_000);
    await world.run();
    expect(world.sent).toHaveLength(before);

    await world.resume('operator', halt);
    await world.run();
    await world.expectInLine(bot);
    expect((await world.find(bot.id)).statusReason).toBeNull();
    world.expectSentOnce();
  });

  it('notifies the owner once, and once more when the last halt is lifted', async () => {
    const world = await aBotWorld();
    await world.running();
    world.notices.length = 0;
    const [all, broker] = [
      await world.halt('operator', 'all'),
      await world.halt('operator', 'broker', 'simulated'),
    ];
    for (let looks = 0; looks < 3; looks += 1) {
      await world.run();
      world.clock.advance(60_000);
    }
    expect(world.notices).toEqual([`warning: ${SAID} ${SAID}`]);
    await world.resume('operator', all);
    await world.run();
    expect(world.notices).toHaveLength(1);
    await world.resume('operator', broker);
    await world.run();
    expect(world.notices.slice(1)).toContain('info: Trading goes on: no halt is left.');
  });

  it('is said by a bot that is in line with its target, and by one that waits for a trade', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    await world.halt('operator', 'bot', bot.id);
    await world.run();
    expect((await world.find(bot.id)).statusReason).toBe(SAID);

    const other = await aBotWorld();
    const waiting = await other.start({ rebalanceOnStart: false });
    await other.run();
    await other.halt('operator', 'user', follower);
    await other.run();
    expect((await other.find(waiting.id)).statusReason).toBe(
      `${SAID} Waits for the next trade of a mirrored strategy.`,
    );
  });

  it('set between the stored intents and their sending keeps them back, also over a restart', async () => {
    const world = await aBotWorld();
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    const bot = await world.start();
    // The process ends after it stored the intents: the first call of `place` never returns.
    world.faults.on('place', 'hang_before');
    void new BotReconciler(world.deps).runDueBots();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await world.orders(bot)).toEqual(['new: buy 0 acme', 'new: buy 0 bolt']);
    const sent = world.sent.length;
    await world.halt('operator', 'all');
    const next = new BotReconciler(world.deps);
    await next.runDueBots();
    expect(await world.orders(bot)).toEqual(['new: buy 0 acme', 'new: buy 0 bolt']);
    world.clock.advance(DOUBT_LASTS);
    await next.runDueBots();
    await next.runDueBots();
    expect(world.sent).toHaveLength(sent);
    expect(await world.orders(bot)).toEqual(['cancelled: buy 0 acme', 'cancelled: buy 0 bolt']);
    expect((await world.find(bot.id)).statusReason).toBe(SAID);
  });

  it('set while the first order of a batch is being sent keeps the others back', async () => {
    const world = await aBotWorld();
    const { broker } = world;
    let places = 0;
    const haltsAtFirst: Broker = {
      ...broker,
      place: async (access, order) => {
        places += 1;
        const placed = await broker.place(access, order);
        if (places === 1) await world.halt('operator', 'all');
        return placed;
      },
    };
    world.brokers.set('simulated', haltsAtFirst);
    await world.hold(STEADY, '0', { acme: '0.005', bolt: '0.005' });
    const bot = await world.start();
    await world.run();
    expect(places).toBe(1);
    const orders = await world.orders(bot);
    expect(orders.map((order) => order.split(':')[0])).toEqual(['filled', 'cancelled']);
  });

  it('set between the plan and its intents leaves no intent', async () => {
    const world = await aBotWorld();
    const { broker } = world;
    const haltsInRules: Broker = {
      ...broker,
      rules: async (access, stocks) => {
        await world.halt('operator', 'all');
        return broker.rules(access, stocks);
      },
    };
    world.brokers.set('simulated', haltsInRules);
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start();
    await world.run();
    expect(world.sent).toEqual([]);
    expect(await world.orders(bot)).toEqual([]);
  });

  it.each([
    ['at work', false],
    ['in error', true],
  ])('cancels the open orders of a bot that is %s at once', async (_, fails) => {
    const world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start();
    await world.engine.runDueBots();
    const [open] = await world.orders(bot);
    expect(open).toMatch(/^open/);
    const found = await world.find(bot.id);
    if (fails)
      await world.unitOfWork.run(({ bots }) =>
        bots.save({ ...found, status: 'error', nextRunAt: null }),
      );
    await world.halt('operator', 'broker', 'simulated');
    await world.run();
    const [order] = await world.orders(bot);
    expect(order).toBe('cancelled: buy 0 acme');
    expect((await world.find(bot.id)).status).toBe(fails ? 'error' : 'scheduled_rebalance');
  });

  it('holds back a closure, which says so, and lets a bot stop that closes nothing', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    const halt = await world.halt(follower, 'user');
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      condition: 'closing',
      statusReason: 'Trading is halted by you: prices look wrong.',
    });
    expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    await world.resume(follower, halt);
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
    expect(await world.holdings(bot)).toEqual({});

    const other = await aBotWorld();
    const keeping = await other.running();
    await other.halt('operator', 'all');
    await other.bots.stop(follower, { botId: keeping.id, closeOnStop: false });
    await other.run();
    expect((await other.find(keeping.id)).status).toBe('off');
  });

  it('refuses startBot with its reason, and not the reading of the account', async () => {
    const world = await aBotWorld();
    const bot = await world.aNewBot();
    await world.halt('operator', 'broker', 'simulated');
    await expect(world.bots.start(follower, { botId: bot.id })).rejects.toMatchObject({
      code: 'trading_halted',
      message: SAID,
    });
    expect((await world.bots.account(follower, { botId: bot.id })).positions).toEqual([]);
  });

  it('overrides the backoff of a bot, and is passed on by the next process', async () => {
    const world = await aBotWorld();
    const bot = await world.running();
    const later = world.clock.now() + 300_000;
    const found = await world.find(bot.id);
    await world.unitOfWork.run(async ({ bots, halts }) => {
      await bots.save({ ...found, attempts: 5, nextRunAt: later });
      const createdAt = world.clock.now();
      const halt = { scope: 'all', target: null, reason: 'x', by: 'operator' } as const;
      await halts.save({ ...halt, id: id('halt-1'), createdAt });
    });
    await new BotReconciler(world.deps).runDueBots();
    expect((await world.find(bot.id)).statusReason).toBe('Trading is halted by the operator: x.');
  });

  it('is set once by whoever sets the same twice', async () => {
    const world = await aBotWorld();
    const first = await world.halt('operator', 'all');
    expect(await world.halt('operator', 'all')).toEqual(first);
    const own = await world.halt(follower, 'user', follower);
    expect(await world.halt(follower, 'user')).toEqual(own);
    const same = await world.halt('operator', 'user', follower);
    expect(same.id).not.toBe(own.id);
  });

  it('ends with the bot that it names', async () => {
    const world = await aBotWorld();
    const bot = await world.aNewBot();
    await world.halt(follower, 'bot', bot.id);
    await world.bots.delete(follower, { botId: bot.id });
    expect(await world.haltsSeenBy('operator')).toEqual([]);
  });
});

describe('getTradingHalts', () => {
  it.each<[Halt['by']]>([['operator'], [follower]])('shows %s the halts in pages', async (by) => {
    const world = await aBotWorld();
    const made: Halt[] = [];
    for (let count = 0; count < 2; count += 1) {
      const bot = await world.aNewBot();
      made.unshift(await world.halt(follower, 'bot', bot.id));
      world.clock.advance(1);
    }
    const pageAfter = (cursor?: string) => world.haltsSeenBy(by, { limit: 1, cursor });
    const [newest, older] = made;
    expect(await pageAfter()).toEqual([newest]);
    expect(await pageAfter(newest?.id)).toEqual([older]);
    expect(await pageAfter(older?.id)).toEqual([]);
    expect(await pageAfter('unknown')).toEqual([]);
  });
});

describe('who may halt what, and who may lift it', () => {
  const table: readonly (readonly [Halt['by'], HaltScope, string | undefined, string])[] = [
    ['operator', 'all', undefined, 'done'],
    ['operator', 'all', 'x', 'invalid_field'],
    ['operator', 'broker', 'simulated', 'done'],
    ['operator', 'broker', 'alpaca', 'not_found'],
    ['operator', 'broker', undefined, 'invalid_field'],
    ['operator', 'user', follower, 'done'],
    ['operator', 'user', 'nobody', 'not_found'],
    ['operator', 'user', undefined, 'invalid_field'],
    ['operator', 'bot', 'own', 'done'],
    ['operator', 'bot', 'none', 'not_found'],
    [follower, 'all', undefined, 'not_owner'],
    [follower, 'broker', 'simulated', 'not_owner'],
    [follower, 'user', undefined, 'done'],
    [follower, 'user', follower, 'done'],
    [follower, 'user', owner, 'not_owner'],
    [follower, 'bot', 'own', 'done'],
    [follower, 'bot', undefined, 'invalid_field'],
    [owner, 'bot', 'own', 'not_found'],
  ];

  it.each(table)('%s halts %s %s: %s', async (by, scope, name, expected) => {
    const world = await aBotWorld();
    const bot = await world.aNewBot();
    const target = name === 'own' ? bot.id : name;
    const outcome = await world.halt(by, scope, target).catch((error: { code: string }) => error);
    expect('code' in outcome ? outcome.code : 'done').toBe(expected);
    if ('code' in outcome) return;

    const others = (['operator', follower, owner] as const).filter((other) => other !== by);
    for (const other of others)
      await expect(world.resume(other, outcome)).rejects.toMatchObject({
        name: 'Refusal',
      });
    expect(await world.haltsSeenBy(follower)).toEqual([outcome]);
    expect(await world.haltsSeenBy('operator')).toEqual([outcome]);
    expect(await world.haltsSeenBy(owner)).toEqual(scope === 'all' ? [outcome] : []);
    await world.resume(by, outcome);
    expect(await world.haltsSeenBy('operator')).toEqual([]);
  });
});
