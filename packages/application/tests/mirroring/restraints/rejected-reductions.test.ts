import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, type GivenLimits, ONE, ZERO, decimal, sum } from '@slipstream/domain';
import { aQuote } from '@slipstream/port-contracts';
import { BrokerRateLimited } from '@slipstream/ports';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;
/** Amounts of ACME that its broker has for sale; undefined for all. */
let most: string | undefined;
/** Sales of ACME are accepted, and never filled. */
let isIdle: boolean;

beforeEach(async () => {
  world = await aBotWorld();
  most = undefined;
  isIdle = false;
  const { place } = world.broker;
  world.brokers.set('simulated', {
    ...world.broker,
    place: async (access, order) => {
      const isSale = order.stock.symbol === 'ACME' && order.action === 'sell';
      if (isSale && isIdle) return place(access, { ...order, limit: decimal('1000') });
      const isHeld = isSale && most !== undefined;
      const answer = await place(access, isHeld ? { ...order, amount: ZERO } : order);
      const reason = isHeld ? `insufficient qty available (available: ${most})` : answer.reason;
      return { ...answer, amount: order.amount, reason };
    },
  });
});

const minutes = async (count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute += 1) {
    world.clock.advance(60_000);
    await world.run();
  }
};
/** Four tenths in ACME, two in BOLT; then three and five, while a stop order of its owner holds ACME at the broker. */
const aBotWithout = async (limits: GivenLimits = {}): Promise<Bot> => {
  await world.hold(STEADY, '0.4', { acme: '0.004', bolt: '0.002' });
  const bot = await world.start({ limits });
  await minutes(2);
  most = '0';
  await world.hold(STEADY, '0.2', { acme: '0.003', bolt: '0.005' });
  return bot;
};
const heldOf = async (bot: Bot, symbol: string): Promise<number> =>
  Number((await world.holdings(bot))[symbol] ?? '0');

describe('a reduction that comes to nothing again and again', () => {
  it('does not keep other stocks from being increased, with what is left of cash', async () => {
    const bot = await aBotWithout();
    await minutes(30);
    expect(await heldOf(bot, 'acme')).toBeGreaterThan(39);
    expect(await heldOf(bot, 'bolt')).toBeGreaterThan(48);
    const { cash } = await world.bots.account(follower, { botId: bot.id });
    expect(cash.gte(ZERO)).toBe(true);
  });

  it('does not either when it is accepted and never filled', async () => {
    const bot = await aBotWithout();
    [isIdle, most] = [true, undefined];
    await minutes(30);
    expect(await heldOf(bot, 'acme')).toBeGreaterThan(39);
    expect(await heldOf(bot, 'bolt')).toBeGreaterThan(48);
    isIdle = false;
    await minutes(5);
    await world.expectInLine(bot);
  });

  it('is waited for at first: what it pays for follows it', async () => {
    const bot = await aBotWithout();
    world.clock.advance(2_000);
    await world.run();
    expect(await heldOf(bot, 'bolt')).toBeLessThan(21);
    most = undefined;
    await minutes(3);
    await world.expectInLine(bot);
  });

  it('is tried again, and done once the broker takes it', async () => {
    const bot = await aBotWithout();
    await minutes(30);
    most = undefined;
    await minutes(20);
    await world.expectInLine(bot);
  });

  it('is tried less and less often, and leaves the bot its other orders of the day and its pace', async () => {
    const bot = await aBotWithout({ maxOrdersPerDay: 200 });
    await minutes(20 * 60);
    const { length } = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    expect(length).toBeLessThan(70);
    const before = await heldOf(bot, 'bolt');
    await world.hold(STEADY, '0.4', { acme: '0.003', bolt: '0.003' });
    await world.run();
    expect(await heldOf(bot, 'bolt')).toBeLessThan(before - 15);
  });

  it('is tried less often, too, when it is accepted and never filled', async () => {
    const bot = await aBotWithout({ maxOrdersPerDay: 200 });
    [isIdle, most] = [true, undefined];
    await minutes(8 * 60);
    const { length } = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    expect(length).toBeLessThan(100);
    isIdle = false;
    await minutes(5);
    await world.expectInLine(bot);
  });

  it.each([
    ['accepted and never filled', true],
    ['rejected', false],
  ])('leaves half of the orders of the day to increases: %s', async (_, idles) => {
    const bot = await aBotWithout({ maxOrdersPerDay: 20 });
    if (idles) [isIdle, most] = [true, undefined];
    await minutes(10 * 60);
    await world.hold(STEADY, '0', { acme: '0.003', bolt: '0.007' });
    await minutes(2);
    expect(await heldOf(bot, 'bolt')).toBeGreaterThan(55);
  });

  it('is notified once a day for one reason, whatever the figures in it', async () => {
    await aBotWithout();
    for (let time = 0; time < 30; time += 1) {
      most = `${time}`;
      world.price(BOLT, `${100 + time / 10}`);
      await minutes(1);
    }
    expect(world.notices.filter((notice) => notice.includes('rejected'))).toHaveLength(1);
  });

  it.each<[string, GivenLimits]>([
    ['max_orders_per_day', { maxOrdersPerDay: 7 }],
    ['max_turnover_per_day', { maxTurnoverPerDay: decimal('0.75') }],
  ])('counts towards %s with the increases beside it', async (_, limits) => {
    const bot = await aBotWithout(limits);
    await minutes(60);
    const orders = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    const increases = orders.filter(({ closes }) => !closes);
    const toTheLast = orders.slice(orders.findIndex((order) => increases.includes(order)));
    expect(toTheLast.length).toBeLessThanOrEqual(limits.maxOrdersPerDay ?? toTheLast.length);
    const traded = sum(orders.map((order) => order.filledAmount.times(order.filledPrice ?? ZERO)));
    const allowed = (limits.maxTurnoverPerDay ?? ONE).times(decimal('10000'));
    expect(traded.lte(allowed)).toBe(true);
  });
});

describe('an increase that comes to nothing again and again', () => {
  it('is tried less and less often while its limit does not reach the quote', async () => {
    world = await aBotWorld();
    const finely = (price: string): void => {
      const [bid, ask] = [decimal(price), decimal(price)];
      world.quotes.set(ACME, aQuote({ stockId: ACME, bid, ask, last: bid }));
    };
    finely('100.00005');
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.start({ priceCollar: ZERO, limits: { maxOrdersPerDay: 200 } });
    await minutes(8 * 60);
    const { length } = await world.bots.orders(follower, { botId: bot.id, limit: 100 });
    expect(length).toBeLessThan(40);
    await world.hold(STEADY, '0.2', { acme: '0.005', bolt: '0.003' });
    await world.run();
    expect(await heldOf(bot, 'bolt')).toBeGreaterThan(29);
    finely('100.01');
    await minutes(31);
    await world.expectInLine(bot);
  });

  it('is made at once when it never reached its broker, which asked to slow down', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const before = world.brokers.get('simulated');
    if (!before) throw new Error('there is a broker');
    const place = () => Promise.reject(new BrokerRateLimited(1_000));
    world.brokers.set('simulated', { ...before, place });
    const bot = await world.start({});
    await minutes(90);
    world.brokers.set('simulated', before);
    await minutes(3);
    await world.expectInLine(bot);
  });
});
