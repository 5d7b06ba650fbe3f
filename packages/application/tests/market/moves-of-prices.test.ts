import { describe, expect, it } from '@jest/globals';
import { type StrategyId, decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { type Fixture, fixture } from '../fixture.js';

/** A strategy that holds AAPL; MSFT is quoted, and nobody holds it. */
async function holding() {
  const world = await fixture();
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await world.quote('aapl', '100');
  await world.quote('msft', '100');
  const half = [{ stock: 'aapl', percent: decimal('0.5') }];
  await world.app.newOrderAllocations(owner, { strategyId, allocations: half });
  const moves = () => world.events.filter(({ kind }) => kind === 'prices_moved').length;
  return { world, owner, strategyId, moves };
}

/** What the stream shows equals what the read shows. */
const expectAsRead = async ({ app }: Fixture, owner: Caller, strategyId: StrategyId) =>
  expect(app.valuedPositions(strategyId)).toEqual(await app.getPositions(owner, { strategyId }));

describe('moves of prices', () => {
  it('are published for strategies that are watched and hold the stock', async () => {
    const { world, owner, strategyId, moves } = await holding();
    await world.quote('aapl', '101');
    expect(moves()).toBe(0);
    const stop = world.app.watchPrices(strategyId);
    await world.quote('aapl', '102');
    expect(moves()).toBe(1);
    await expectAsRead(world, owner, strategyId);
    await world.quote('msft', '99');
    expect(moves()).toBe(1);
    stop();
    stop();
    await world.quote('aapl', '103');
    expect(moves()).toBe(1);
  });

  it('are none when a quote repeats its prices', async () => {
    const { world, strategyId, moves } = await holding();
    world.app.watchPrices(strategyId);
    world.ports.clock.advance(1);
    await world.quote('aapl', '100');
    expect(moves()).toBe(0);
    await world.quote('aapl', '100', '100.1');
    expect(moves()).toBe(1);
  });

  it('are published once however many watch, and until the last one stops', async () => {
    const { world, strategyId, moves } = await holding();
    const [first, second] = [world.app.watchPrices(strategyId), world.app.watchPrices(strategyId)];
    await world.quote('aapl', '101');
    first();
    await world.quote('aapl', '102');
    expect(moves()).toBe(2);
    second();
    await world.quote('aapl', '103');
    expect(moves()).toBe(2);
  });

  it('are published once for a list of quotes', async () => {
    const { world, strategyId, moves } = await holding();
    world.app.watchPrices(strategyId);
    const quote = (stock: string, price: string) => {
      const [bid, ask, last] = [decimal(price), decimal(price), decimal(price)];
      return { stock, bid, ask, last };
    };
    const quotes = [quote('aapl', '101'), quote('msft', '102'), quote('aapl', '103')];
    await world.app.newQuotes({ kind: 'operator' }, { quotes });
    expect(moves()).toBe(1);
  });

  it('follow a split, once its quote is there', async () => {
    const { world, owner, strategyId, moves } = await holding();
    world.app.watchPrices(strategyId);
    const ratio = { newShares: decimal('2'), oldShares: decimal('1') };
    await world.app.newStockAction({ kind: 'operator' }, { stock: 'aapl', kind: 'split', ratio });
    expect(moves()).toBe(1);
    await expectAsRead(world, owner, strategyId);
    expect(world.app.valuedPositions(strategyId)?.strategyValue).not.toBeNull();
  });
});
