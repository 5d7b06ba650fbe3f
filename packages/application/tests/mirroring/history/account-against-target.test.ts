import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Bot, type StockId, ZERO, decimal, decimalText, id } from '@slipstream/domain';
import { anAccess } from '@slipstream/port-contracts';
import { ACME, BOLT, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';

let world: BotWorld;

beforeEach(async () => {
  world = await aBotWorld();
});

const accountOf = (bot: Bot) => world.bots.account(follower, { botId: bot.id });

/** The owner buys at the broker, not through the bot. */
const buyByHand = (bot: Bot, stockId: StockId, amount: string) =>
  world.broker.place(anAccess({ accountId: bot.accountId, credentials: { user_id: follower } }), {
    clientOrderId: `by hand ${stockId}`,
    stock: world.stockOf(stockId),
    action: 'buy',
    amount: decimal(amount),
    limit: null,
    closes: false,
  });

describe('the account of a bot against its target', () => {
  it('says by how much each holding differs, in fractions of the equity that the bot manages', async () => {
    const bot = await world.running();
    await world.hold(STEADY, '0.7', { acme: '0.003' });
    const { positions, missing, kept, managedEquity, equity, drift } = await accountOf(bot);
    const [acme] = positions;
    expect(acme).toMatchObject({ stockId: ACME, symbol: 'ACME' });
    const { weight, target, difference } = acme?.against ?? {};
    expect(target?.round(6).toFixed()).toBe('0.3');
    expect(difference?.toFixed()).toBe(weight?.minus(target ?? ZERO).toFixed());
    expect(difference?.round(2).toFixed()).toBe('0.2');
    expect([missing, kept, managedEquity]).toEqual([[], [], equity]);
    // Cash is off by as much the other way: half the sum is the difference.
    expect(drift?.round(12).toFixed()).toBe(difference?.round(12).toFixed());
  });

  it('names the stocks that it wants and does not hold', async () => {
    const bot = await world.running();
    await world.hold(STEADY, '0.4', { acme: '0.005', bolt: '0.001' });
    const { missing } = await accountOf(bot);
    expect(missing).toHaveLength(1);
    const [bolt] = missing;
    expect(bolt).toMatchObject({ stockId: BOLT, symbol: 'BOLT' });
    expect(bolt?.target.round(6).toFixed()).toBe('0.1');
    expect(bolt?.difference.toFixed()).toBe(`-${bolt?.target.toFixed()}`);
  });

  it('tells kept holdings apart: the bot manages what is beside them', async () => {
    await world.hold(STEADY, '0.5', { acme: '0.005' });
    const bot = await world.aNewBot({ existingPositions: 'keep' });
    await buyByHand(bot, BOLT, '40');
    await buyByHand(bot, ACME, '10');
    await world.bots.start(follower, { botId: bot.id });
    await world.run();
    const { kept, positions, equity, managedEquity } = await accountOf(bot);
    const amounts = kept.map(({ symbol, amount }) => [symbol, decimalText(amount)]);
    expect(Object.fromEntries(amounts)).toEqual({ BOLT: '40', ACME: '10' });
    const value = kept.reduce((total, one) => total.plus(one.value), decimal('0'));
    expect(managedEquity.toFixed()).toBe(equity.minus(value).toFixed());
    const bolt = positions.find(({ stockId }) => stockId === BOLT);
    expect(bolt?.against?.weight.toFixed()).toBe('0');
    const acme = positions.find(({ stockId }) => stockId === ACME);
    expect(acme?.against?.weight.round(2).toFixed()).toBe('0.5');
  });

  it('has no weights while the strategy has no value', async () => {
    const bot = await world.running();
    await world.hold(STEADY, '0.5', { bolt: '0.005' });
    world.quotes.delete(BOLT);
    const { positions, missing, drift } = await accountOf(bot);
    expect([positions.map(({ against }) => against), missing, drift]).toEqual([
      positions.map(() => null),
      [],
      null,
    ]);
  });
});

describe('an order of a bot', () => {
  it('has the symbol of its stock, and how much worse it was filled than the trade that it follows', async () => {
    const bot = await world.running();
    world.clock.advance(1_000);
    const sale = {
      id: id<'trade'>('sale'),
      stockId: ACME,
      action: 'sell' as const,
      price: decimal('101'),
      amount: decimal('0.005'),
    };
    await world.hold(STEADY, '1', {}, [sale]);
    await world.run();
    const [sold, joined] = await world.bots.orders(follower, { botId: bot.id, limit: 2 });
    expect(sold).toMatchObject({ symbol: 'ACME', action: 'sell', tradeIds: ['sale'] });
    const { strategyPrice, filledPrice, slippage } = sold ?? {};
    const exact = strategyPrice?.minus(filledPrice ?? ZERO).div(strategyPrice);
    expect(slippage?.toFixed()).toBe(exact?.toFixed());
    expect(slippage?.gt(decimal('0'))).toBe(true);
    expect([joined?.tradeIds, joined?.strategyPrice, joined?.slippage]).toEqual([[], null, null]);
  });
});
