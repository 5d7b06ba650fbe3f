import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, decimal, decimalText } from '@slipstream/domain';
import { aQuote } from '@slipstream/port-contracts';
import { ACME, STEADY, type BotWorld, aBotWorld, follower } from './bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
  await world.hold(STEADY, '0.5', { acme: '0.005' });
});

const quote = (bid: string, ask: string): void => {
  const prices = { bid: decimal(bid), ask: decimal(ask), last: decimal(bid) };
  world.quotes.set(ACME, aQuote({ stockId: ACME, ...prices }));
};
const check = async (): Promise<void> => {
  world.clock.advance(60_000);
  await world.run();
};
const limits = async (bot: Bot) =>
  (await world.bots.orders(follower, { botId: bot.id, limit: 10 })).map(
    ({ action, limitPrice }) => `${action} ${limitPrice && decimalText(limitPrice)}`,
  );

describe('the orders of a bot (contract 10)', () => {
  it('are limits at its collar, as stored', async () => {
    const bot = await world.running();
    await world.hold(STEADY, '1', {});
    await check();
    expect(await limits(bot)).toEqual(['sell 99', 'buy 101.0202']);
  });

  it.each(['accepted later', 'at once'])(
    'wait when the market leaves them behind: %s',
    async (when) => {
      world = await aBotWorld({ acceptsFirst: when === 'accepted later' });
      await world.hold(STEADY, '0.5', { acme: '0.005' });
      const bot = await world.start({ priceCollar: decimal('0') });
      await world.engine.runDueBots();
      if (when === 'at once') return world.expectSentOnce();
      quote('110', '110.02');
      world.clock.advance(5_000);
      await world.run();
      expect(await world.holdings(bot)).toEqual({});
      // After two minutes it is cancelled, and planned again at the price of then.
      world.clock.advance(120_000);
      await world.run();
      for (let minute = 0; minute < 2; minute += 1) await check();
      expect(Object.keys(await world.holdings(bot))).toEqual(['acme']);
    },
  );

  it('invest all of a cash account, though each is planned at its limit', async () => {
    await world.hold(STEADY, '0', { acme: '0.01' });
    const bot = await world.start();
    await world.run();
    await check();
    await world.expectInLine(bot);
    expect((await limits(bot)).length).toBeLessThanOrEqual(3);
  });

  it("pass the broker's check of its buying power at their limits", async () => {
    world = await aBotWorld({ checkReserve: decimal('0.03') });
    await world.hold(STEADY, '-0.9', { acme: '0.019' });
    const bot = await world.start({ leverage: decimal('1') });
    await world.run();
    expect((await world.orders(bot)).filter((order) => order.startsWith('rejected'))).toEqual([]);
  });
});

describe('a spread wider than max_spread (contract 10)', () => {
  it('stops every order, and is told', async () => {
    const bot = await world.running();
    quote('90', '100');
    await world.hold(STEADY, '1', {});
    const before = world.sent.length;
    await check();
    expect(world.sent).toHaveLength(before);
    expect(await world.find(bot.id)).toMatchObject({
      status: 'scheduled_rebalance',
      statusReason: expect.stringContaining('ACME (the spread of 10.53% is wider than 2%)'),
    });
    quote('99', '100');
    await check();
    expect(await world.holdings(bot)).toEqual({});
  });

  it.each([
    [null, 'scheduled_rebalance'],
    ['0.2', 'running'],
  ])('of %s: the bot is %s at a spread of 10.5%%', async (maxSpread, status) => {
    const bot = await world.running({ maxSpread: maxSpread === null ? null : decimal(maxSpread) });
    quote('90', '100');
    await world.hold(STEADY, '1', {});
    await check();
    expect(await world.find(bot.id)).toMatchObject({ status });
  });

  it('lets a closure wait, which says so', async () => {
    const bot = await world.running();
    quote('90', '100');
    await world.bots.stop(follower, { botId: bot.id, closeOnStop: true });
    await world.run();
    expect(await world.find(bot.id)).toMatchObject({
      condition: 'closing',
      statusReason: expect.stringContaining('ACME (the spread'),
    });
    quote('100', '100');
    await check();
    expect(await world.find(bot.id)).toMatchObject({ status: 'off' });
  });

  it('and price_collar change by updateBot', async () => {
    const bot = await world.running({ maxSpread: decimal('0.2') });
    const changed = await world.bots.update(follower, {
      botId: bot.id,
      maxSpread: null,
      priceCollar: decimal('0.05'),
    });
    expect([changed.maxSpread, decimalText(changed.priceCollar)]).toEqual([null, '0.05']);
  });
});

describe("a broker's price that differs from ours by more than a tenth (contract 10)", () => {
  it('is not traded, and both prices are told', async () => {
    const bot = await world.running();
    const { account } = world.broker;
    world.brokers.set('simulated', {
      ...world.broker,
      account: async (...given) => {
        const read = await account(...given);
        const positions = read.positions.map((position) => ({
          ...position,
          amount: position.amount.times(decimal('10')),
          price: decimal('10'),
        }));
        return { ...read, positions };
      },
    });
    await world.hold(STEADY, '1', {});
    const before = world.sent.length;
    await check();
    expect(world.sent).toHaveLength(before);
    expect((await world.find(bot.id)).statusReason).toContain(
      "ACME (the broker's price 10 and ours, 100, differ by more than 10%)",
    );
  });
});
