import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Bot,
  type BotOrder,
  type GivenLimits,
  ZERO,
  decimal,
  decimalText,
} from '@slipstream/domain';
import type { Broker } from '@slipstream/ports';
import { STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
  await world.hold(STEADY, '0', { acme: '0.006', bolt: '0.004' });
});

const check = async (times = 1): Promise<void> => {
  for (let time = 0; time < times; time += 1) {
    world.clock.advance(60_000);
    await world.run();
  }
};
const startWith = async (limits: GivenLimits): Promise<Bot> => {
  const bot = await world.start({ limits });
  await world.run();
  return bot;
};
const ordersOf = (bot: Bot): Promise<BotOrder[]> =>
  world.bots.orders(follower, { botId: bot.id, limit: 100 });
/** At the worst price that each order might have been filled at. */
const valuesOf = async (bot: Bot) =>
  (await ordersOf(bot)).map(({ amount, limitPrice }) => amount.times(limitPrice ?? ZERO));
const grossOf = async (bot: Bot): Promise<number> => {
  const { positions } = await world.bots.account(follower, { botId: bot.id });
  return positions.reduce((gross, { value }) => gross + Number(decimalText(value.abs())), 0);
};
const reasonOf = async (bot: Bot) => (await world.find(bot.id)).statusReason;

describe('the limits of a bot (contract 10)', () => {
  it.each<[string, GivenLimits, number, string]>([
    ['max_capital', { maxCapital: decimal('4000') }, 4000, 'max_capital, 4000 USD'],
    ['max_gross', { maxGross: decimal('0.3') }, 3000, 'max_gross, 0.3x'],
    ['max_per_stock', { maxPerStock: decimal('0.25') }, 5000, 'max_per_stock, 0.25 of equity'],
  ])('%s scales the target down, and tells it', async (_, limits, most, told) => {
    const bot = await startWith(limits);
    await check();
    const gross = await grossOf(bot);
    expect(gross).toBeGreaterThan(most * 0.95);
    expect(gross).toBeLessThanOrEqual(most);
    expect(await reasonOf(bot)).toContain(told);
  });

  it('max_order cuts each order, at its limit price; the rest follows', async () => {
    const bot = await startWith({ maxOrder: decimal('1500') });
    await check(3);
    const values = await valuesOf(bot);
    expect(values.every((value) => value.lte(decimal('1500')))).toBe(true);
    expect(values.length).toBeGreaterThan(6);
    await world.expectInLine(bot);
  });

  it('max_order is named while more orders follow than a minute has, too', async () => {
    const bot = await startWith({ maxOrder: decimal('500') });
    expect(await world.find(bot.id)).toMatchObject({
      status: 'rebalancing',
      statusReason: expect.stringMatching(
        /Increases are cut to max_order\. The account is not in line yet; the bot looks again in a minute\.$/,
      ),
    });
    await check(3);
    await world.expectInLine(bot);
    expect(await reasonOf(bot)).toBeNull();
  });

  it('max_order never cuts what reduces, and turns a position in two steps', async () => {
    const bot = await startWith({ maxOrder: decimal('2000') });
    await check(3);
    await world.hold(STEADY, '1.6', { acme: '-0.006' });
    await world.run();
    await check(3);
    const largest = (await ordersOf(bot)).filter(({ closes }) => closes);
    expect(largest.some(({ amount }) => amount.gt(decimal('30')))).toBe(true);
    expect(decimal((await world.holdings(bot))['acme'] ?? '0').lt(decimal('-50'))).toBe(true);
    const rest = (await ordersOf(bot)).filter(({ closes }) => !closes);
    expect(rest.every((order) => order.amount.times(decimal('100')).lte(decimal('2000')))).toBe(
      true,
    );
  });

  it.each<[string, GivenLimits, RegExp]>([
    ['max_orders_per_day', { maxOrdersPerDay: 1 }, /max_orders_per_day is reached: increases wait/],
    [
      'max_turnover_per_day',
      { maxTurnoverPerDay: decimal('0.5') },
      /max_turnover_per_day leaves no room/,
    ],
  ])(
    '%s stops increases until the next day, over a restart, and never a reduction',
    async (_, limits, told) => {
      const bot = await startWith(limits);
      await check(2);
      const { length } = world.sent;
      expect(await grossOf(bot)).toBeLessThan(6100);
      expect(await reasonOf(bot)).toMatch(told);
      await world.hold(STEADY, '1', {});
      await check();
      expect(await world.holdings(bot)).toEqual({});
      expect(world.sent.length).toBeGreaterThan(length);
      await world.hold(STEADY, '0', { bolt: '0.01' });
      await check();
      expect(await world.holdings(bot)).toEqual({});
      // The next day in New York.
      world.clock.advance(86_400_000);
      await world.run();
      expect(Object.keys(await world.holdings(bot))).toEqual(['bolt']);
    },
  );

  it('that are tightened act at once: what was planned within the old ones is withdrawn', async () => {
    world = await aBotWorld({ acceptsFirst: true });
    await world.hold(STEADY, '0', { acme: '0.01' });
    const bot = await world.start();
    await world.engine.runDueBots();
    const limits = { maxCapital: decimal('1000') };
    await world.bots.update(follower, { botId: bot.id, limits });
    await world.run();
    for (let time = 0; time < 4; time += 1) await check();
    expect((await world.orders(bot)).filter((order) => order.startsWith('cancelled'))).toHaveLength(
      1,
    );
    expect(await grossOf(bot)).toBeLessThanOrEqual(1000);
  });

  it('that are tightened reduce what is held', async () => {
    const bot = await startWith({});
    await world.bots.update(follower, { botId: bot.id, limits: { maxGross: decimal('0.5') } });
    await world.run();
    expect(await grossOf(bot)).toBeLessThanOrEqual(5000);
    const after = await world.bots.update(follower, { botId: bot.id, limits: { maxGross: null } });
    expect(after.limits.maxGross).toBeNull();
    await check();
    expect(await grossOf(bot)).toBeGreaterThan(9800);
  });

  it('of real money have defaults where the field is absent; null turns one off', async () => {
    const { link } = world.broker;
    const live: Broker = {
      ...world.broker,
      name: 'real',
      live: true,
      link: async (request) => ({ ...(await link(request)), live: true }),
    };
    world.brokers.set('real', live);
    const { limits } = await world.aNewBot({ broker: 'real', limits: { maxOrdersPerDay: null } });
    expect([
      limits.maxDailyLoss && decimalText(limits.maxDailyLoss),
      limits.maxOrdersPerDay,
      limits.maxTurnoverPerDay && decimalText(limits.maxTurnoverPerDay),
      limits.maxDrawdown,
    ]).toEqual(['0.1', null, '4', null]);
  });

  it('are refused by name when they are none', async () => {
    await expect(
      world.aNewBot({ limits: { maxDailyLoss: decimal('0.96') } }),
    ).rejects.toMatchObject({
      code: 'invalid_field',
      message: expect.stringContaining('limits.max_daily_loss'),
    });
  });
});

describe('an increase that the broker rejects three times for one reason (contract 10)', () => {
  const rejectNext = (count: number) =>
    world.faults.on('place', ...Array.from({ length: count }, () => 'reject' as const));
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) await check();
  };

  it('rests for the session, is told once, and others go on', async () => {
    rejectNext(6);
    const bot = await world.start();
    await minutes(3);
    const { length } = world.sent;
    expect(length).toBe(6);
    await minutes(3);
    expect(world.sent).toHaveLength(length);
    const rested = world.notices.filter((notice) => notice.includes('three times'));
    expect(rested).toHaveLength(1);
    expect(rested[0]).toContain('ACME was rejected three times for one reason (rejected as asked)');
    expect(await reasonOf(bot)).toContain('ACME (rejected three times today: rejected as asked)');
    world.clock.advance(86_400_000);
    await world.run();
    await check();
    await world.expectInLine(bot);
  });

  it('does not stop the others', async () => {
    const { place } = world.broker;
    world.brokers.set('simulated', {
      ...world.broker,
      place: async (access, order) => {
        const answer = await place(access, {
          ...order,
          ...(order.stock.symbol === 'ACME' ? { amount: ZERO } : {}),
        });
        return { ...answer, amount: order.amount };
      },
    });
    const bot = await world.start();
    await minutes(4);
    expect(Object.keys(await world.holdings(bot))).toEqual(['bolt']);
    expect(await reasonOf(bot)).toContain('ACME (rejected three times');
  });

  it('is not a reduction: that one is tried again, later each time', async () => {
    const bot = await startWith({});
    await world.hold(STEADY, '1', {});
    rejectNext(12);
    await minutes(1);
    expect(await world.holdings(bot)).not.toEqual({});
    await minutes(20);
    expect(await world.holdings(bot)).toEqual({});
    expect(world.notices.filter((notice) => notice.includes('three times'))).toEqual([]);
  });
});
