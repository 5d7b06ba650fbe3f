import { describe, expect, it } from '@jest/globals';
import { silentFeed } from '@slipstream/adapter-memory/testing';
import { MINUTE, decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { fixture } from '../fixture.js';

const operator: Caller = { kind: 'operator' };

/** A feed that remembers the stocks that were named to it. */
async function scene() {
  const preferred: string[][] = [];
  const added: string[] = [];
  const world = await fixture({
    marketFeed: {
      ...silentFeed(),
      prefer: (stockIds) => void preferred.push([...stockIds]),
      add: (stocks) => void added.push(...stocks.map(({ symbol }) => symbol)),
    },
  });
  const owner = await world.user('owner');
  for (const stock of ['aapl', 'msft']) await world.quote(stock, '100');
  const limitBuy = (strategyId: string, stock: string) =>
    world.app.newOrder(owner, {
      strategyId,
      stock,
      action: 'buy',
      pricing: { type: 'limit', price: decimal('50') },
      size: { by: 'amount', amount: decimal('0.001') },
    });
  const follow = async (milliseconds = 5_000) => {
    world.ports.clock.advance(milliseconds);
    await world.app.followMarket();
    return preferred.at(-1);
  };
  return { world, owner, limitBuy, follow, preferred, added };
}

describe('the stocks that a feed is told to prefer', () => {
  it('are those with the most open orders, then those that bots mirror', async () => {
    const { world, owner, limitBuy, follow } = await scene();
    expect(await follow()).toEqual([]);
    const [first, second] = [await world.strategy(owner), await world.strategy(owner)];
    await limitBuy(first, 'msft');
    await limitBuy(second, 'msft');
    await limitBuy(second, 'aapl');
    expect(await follow()).toEqual(['msft', 'aapl']);
  });

  it('are named every five seconds', async () => {
    const { follow, preferred } = await scene();
    for (let beat = 0; beat < 40; beat += 1) await follow(250);
    expect(preferred).toHaveLength(2);
    await follow(5 * MINUTE);
    expect(preferred).toHaveLength(3);
  });
});

describe('a stock that is listed later', () => {
  it('is named to the feed, as is one with another name; other changes are not', async () => {
    const { world, added } = await scene();
    const change = (fields: object) => world.app.updateStocks(operator, { stocks: [fields] });
    await change({ symbol: 'NEWC', exchange: 'NASDAQ', security: 'stock', name: 'New' });
    await change({ stockId: 'aapl', name: 'Apple' });
    expect(added).toEqual(['NEWC']);
    await change({ stockId: 'aapl', symbol: 'APPL', stock: 'APPL' });
    expect(added).toEqual(['NEWC', 'APPL']);
  });

  it.each(['active', 'halted'] as const)(
    'is named to the feed when it is %s again: a feed that started meanwhile left it out',
    async (stockStatus) => {
      const { world, added } = await scene();
      const change = (fields: object) =>
        world.app.updateStocks(operator, { stocks: [{ stockId: 'aapl', ...fields }] });
      await change({ stockStatus: 'delisted' });
      await change({ name: 'Apple' });
      expect(added).toEqual([]);
      await change({ stockStatus });
      expect(added).toEqual(['AAPL']);
    },
  );
});
