import { describe, expect, it } from '@jest/globals';
import { type StrategyId, decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { type Fixture, fixture, text } from '../fixture.js';

const operator: Caller = { kind: 'operator' };

const quoted = (world: Pick<Fixture, 'app'>, price: string, at?: number) =>
  world.app.newQuotes(operator, {
    quotes: [{ stock: 'aapl', bid: decimal(price), ask: decimal(price), last: decimal(price), at }],
  });
const bid = async (world: Pick<Fixture, 'app'>) =>
  text((await world.app.getStocks(operator, { stocks: ['aapl'] }))[0]?.quote?.bid);
const split = (world: Fixture, ratio: string) =>
  world.app.newStockAction(operator, {
    stock: 'aapl',
    kind: 'split',
    ratio: { newShares: decimal(ratio), oldShares: decimal('1') },
  });
const valueOf = async ({ app }: Pick<Fixture, 'app'>, owner: Caller, strategyId: StrategyId) =>
  text((await app.getPositions(owner, { strategyId })).strategyValue);

/** Bought 0.005 at 90, to be sold at 120; then, a minute later, a split by 3. */
async function afterSplit() {
  const world = await fixture();
  const { clock } = world.ports;
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await quoted(world, '90');
  const size = { by: 'amount', amount: decimal('0.005') } as const;
  const order = { strategyId, stock: 'aapl', size, dependsOn: [], reduceOnly: false };
  await world.app.newOrder(owner, { ...order, action: 'buy', pricing: { type: 'market' } });
  const pricing = { type: 'limit', price: decimal('120') } as const;
  await world.app.newOrder(owner, { ...order, action: 'sell', pricing });
  clock.advance(30_000);
  const before = clock.now();
  clock.advance(30_000);
  await split(world, '3');
  clock.advance(1_000);
  return { world, owner, strategyId, before };
}

describe('a quote from before a split of its stock', () => {
  it.each([
    ['later than the one that stands', 0],
    ['earlier than it', -45_000],
  ])('is rejected, though it is %s', async (_, shift) => {
    const { world, owner, strategyId, before } = await afterSplit();
    expect(await quoted(world, '90.3', before + shift)).toEqual({
      accepted: 0,
      rejected: [{ index: 0, reason: 'it is from before the split of the stock' }],
    });
    expect([await bid(world), await valueOf(world, owner, strategyId)]).toEqual(['30', '1']);
    expect(await world.app.getOrders(owner, { strategyId })).toHaveLength(1);
  });

  it('is rejected after a restart too', async () => {
    const { world, before } = await afterSplit();
    const app = await world.restart();
    expect((await quoted({ app }, '90.3', before)).rejected).toHaveLength(1);
    expect(await bid({ app })).toBe('30');
    expect((await quoted({ app }, '31', world.ports.clock.now())).accepted).toBe(1);
  });

  it('is distinguished from one of the same moment after the clock was set back behind the split', async () => {
    const { world } = await afterSplit();
    world.ports.clock.advance(-10_000);
    expect((await quoted(world, '31')).accepted).toBe(1);
    expect(await bid(world)).toBe('31');
  });
});

describe('the time of a quote', () => {
  it.each([
    ['now', 0, 0],
    ['a second ago', -1_000, -1_000],
    ['5 s ahead: the clock of the sender may be', 5_000, 0],
  ])('may be %s', async (_, shift, kept) => {
    const world = await fixture();
    const now = world.ports.clock.now();
    expect((await quoted(world, '90', now + shift)).accepted).toBe(1);
    const [view] = await world.app.getStocks(operator, { stocks: ['aapl'] });
    expect(view?.quote?.at).toBe(now + kept);
    expect((await quoted(world, '91', now)).accepted).toBe(1);
  });

  it('may not be more than 5 s ahead', async () => {
    const world = await fixture();
    expect(await quoted(world, '90', world.ports.clock.now() + 5_001)).toEqual({
      accepted: 0,
      rejected: [{ index: 0, reason: 'at is in the future' }],
    });
  });
});

describe('after a moment in which the clock was ahead', () => {
  it.each([
    ['now', 0],
    ['a minute ago', -60_000],
  ])('a quote of %s is taken, and orders meet it', async (_, shift) => {
    const world = await fixture();
    const { clock } = world.ports;
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    const order = { strategyId, stock: 'aapl', dependsOn: [], reduceOnly: false };
    const size = { by: 'amount', amount: decimal('0.005') } as const;
    clock.advance(3_600_000);
    await quoted(world, '90');
    const market = { type: 'market' } as const;
    await world.app.newOrder(owner, { ...order, size, action: 'buy', pricing: market });
    const stop = { type: 'stop_market', stopPrice: decimal('85') } as const;
    await world.app.newOrder(owner, { ...order, size, action: 'sell', pricing: stop });
    clock.advance(-3_600_000);
    expect(await quoted(world, '80', clock.now() + shift)).toEqual({ accepted: 1, rejected: [] });
    expect(await bid(world)).toBe('80');
    expect(await quoted(world, '79', clock.now() + shift - 1)).toEqual({
      accepted: 0,
      rejected: [{ index: 0, reason: 'a later quote is known' }],
    });
    await quoted(world, '81');
    expect(await world.app.getOrders(owner, { strategyId })).toEqual([]);
  });

  it('nothing trades at its quotes, whose age is not known', async () => {
    const world = await fixture();
    const { clock } = world.ports;
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    clock.advance(3_600_000);
    await quoted(world, '90');
    clock.advance(-1_800_000);
    const size = { by: 'amount', amount: decimal('0.005') } as const;
    const order = { strategyId, stock: 'aapl', dependsOn: [], reduceOnly: false, size };
    const pricing = { type: 'market' } as const;
    await world.app.newOrder(owner, { ...order, action: 'buy', pricing });
    const [waiting] = await world.app.getOrders(owner, { strategyId });
    expect(waiting?.waitingReason).toBe('quote');
    await quoted(world, '91');
    expect(await world.app.getOrders(owner, { strategyId })).toEqual([]);
  });

  it('a quote is taken after a restart too', async () => {
    const world = await fixture();
    world.ports.clock.advance(3_600_000);
    await quoted(world, '90');
    await world.app.tick();
    world.ports.clock.advance(-3_600_000);
    const app = await world.restart();
    expect((await quoted({ app }, '80')).accepted).toBe(1);
    expect(await bid({ app })).toBe('80');
  });
});

describe('a quote from before a restart', () => {
  const market = async (world: Pick<Fixture, 'app'>, owner: Caller, strategyId: StrategyId) => {
    const { order } = await world.app.newOrder(owner, {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      pricing: { type: 'market' },
      size: { by: 'amount', amount: decimal('0.001') },
      dependsOn: [],
      reduceOnly: false,
    });
    return order.id;
  };

  it('values and sizes, and trades nothing until a new one comes', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await quoted(world, '90');
    await market(world, owner, strategyId);
    await world.app.tick();
    const app = await world.restart();
    expect(await valueOf({ app }, owner, strategyId)).toBe('1');
    await market({ app }, owner, strategyId);
    const [waiting] = await app.getOrders(owner, { strategyId });
    expect(waiting?.waitingReason).toBe('quote');
    await quoted({ app }, '95');
    const [trade] = await app.getTrades(owner, { strategyId });
    expect(text(trade?.price)).toBe('95');
  });

  it('trades nothing when a split divides it, either', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await quoted(world, '90');
    await market(world, owner, strategyId);
    await world.app.tick();
    const app = await world.restart();
    await market({ app }, owner, strategyId);
    await app.newStockAction(operator, {
      stock: 'aapl',
      kind: 'split',
      ratio: { newShares: decimal('3'), oldShares: decimal('1') },
    });
    expect([await bid({ app }), await valueOf({ app }, owner, strategyId)]).toEqual(['30', '1']);
    expect(await app.getOrders(owner, { strategyId })).toHaveLength(1);
  });
});
