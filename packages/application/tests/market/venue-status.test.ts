import { describe, expect, it } from '@jest/globals';
import { silentFeed } from '@slipstream/adapter-memory/testing';
import { type StockStatus, decimal, id } from '@slipstream/domain';
import type { FeedListener } from '@slipstream/ports';
import fc from 'fast-check';
import type { Caller } from '../../src/index.js';
import { fixture, text } from '../fixture.js';

const operator: Caller = { kind: 'operator' };

/** AAPL at 100 with a feed that tells halts, and a strategy. */
async function scene() {
  const nothing = () => undefined;
  let told: FeedListener = { quotes: nothing, lost: nothing, status: nothing };
  const marketFeed = {
    ...silentFeed(),
    start: async (_: unknown, __: unknown, to: FeedListener) => {
      told = to;
    },
  };
  const world = await fixture({ marketFeed });
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await world.quote('aapl', '100');
  const buy = () =>
    world.app.newOrder(owner, {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      pricing: { type: 'market' },
      size: { by: 'amount', amount: decimal('0.001') },
      dependsOn: [],
      reduceOnly: false,
    });
  const fills = async () => {
    // A feed is not answered: a transaction that comes later ends after those that it brought about.
    await world.app.newQuotes(operator, { quotes: [] });
    await world.app.tick();
    return (await world.app.getTrades(owner, { strategyId })).map(({ price }) => text(price));
  };
  const shown = async () =>
    (await world.app.getStocks(operator, { stocks: ['aapl'] }))[0]?.stock.status;
  return {
    world,
    buy,
    fills,
    shown,
    venue: (status: 'active' | 'halted', stock = 'aapl') => told.status(id(stock), status, 'LUDP'),
    lose: () => told.lost([id('aapl')]),
    tell: (...quotes: readonly (readonly [string, string])[]) =>
      told.quotes(
        quotes.map(([stock, price]) => {
          const [stockId, bid] = [id<'stock'>(stock), decimal(price)];
          return { stockId, bid, ask: bid, last: bid, at: world.ports.clock.now() };
        }),
      ),
    says: (stockStatus: StockStatus) =>
      world.app.updateStocks(operator, { stocks: [{ stockId: 'aapl', stockStatus }] }),
    renames: () => world.app.updateStocks(operator, { stocks: [{ stockId: 'aapl', name: 'New' }] }),
  };
}

type Tell = Awaited<ReturnType<typeof scene>>['tell'];

describe('a quote that its feed has lost', () => {
  it('trades nothing, and values still; the next quote trades again', async () => {
    const { world, lose, buy, fills } = await scene();
    lose();
    await buy();
    expect(await fills()).toEqual([]);
    const [shownStock] = await world.app.getStocks(operator, { stocks: ['aapl'] });
    expect(text(shownStock?.quote?.bid)).toBe('100');
    await world.quote('aapl', '101');
    expect(await fills()).toEqual(['101']);
  });
});

describe('a quote that its feed has lost while a long list was handled', () => {
  const long = Array.from({ length: 500 }, (_, index) => ['msft', `${100 + (index % 3)}`] as const);

  it.each([
    ['in the list', (tell: Tell) => tell(...long, ['aapl', '101'])],
    ['behind the list', (tell: Tell) => (tell(...long), tell(['aapl', '101']))],
  ])('trades nothing, if it was %s; the next quote trades again', async (_, before) => {
    const { tell, lose, buy, fills } = await scene();
    before(tell);
    lose();
    await buy();
    expect(await fills()).toEqual([]);
    before(tell);
    lose();
    tell(['aapl', '102']);
    expect(await fills()).toEqual(['102']);
  });
});

describe('a halt of the venue', () => {
  it('holds orders, and its end lets them execute at once', async () => {
    const { venue, buy, fills, shown } = await scene();
    venue('halted');
    expect(await shown()).toBe('halted');
    await buy();
    expect(await fills()).toEqual([]);
    venue('active');
    expect(await fills()).toEqual(['100']);
  });

  it('does not end by a change of the stock that is no status', async () => {
    const { venue, renames, shown } = await scene();
    venue('halted');
    await renames();
    expect(await shown()).toBe('halted');
    venue('active');
    expect(await shown()).toBe('active');
  });

  it('of an unknown stock changes nothing', async () => {
    const { venue, shown } = await scene();
    venue('halted', 'unknown');
    expect(await shown()).toBe('active');
  });

  it('is forgotten over a restart: the venue tells it again, or nothing is fresh', async () => {
    const { world, venue } = await scene();
    venue('halted');
    const app = await world.restart();
    expect((await app.getStocks(operator, { stocks: ['aapl'] }))[0]?.stock.status).toBe('active');
  });

  it("stands beside the operator's: the stock trades only when neither halts it", async () => {
    const step = fc.record({
      by: fc.constantFrom('venue' as const, 'operator' as const),
      to: fc.constantFrom('active' as const, 'halted' as const),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { venue, says, shown } = await scene();
        const last = { venue: 'active', operator: 'active' };
        for (const { by, to } of steps) {
          if (by === 'venue') venue(to);
          else await says(to);
          last[by] = to;
          const isHalted = last.venue === 'halted' || last.operator === 'halted';
          expect(await shown()).toBe(isHalted ? 'halted' : 'active');
        }
      }),
      { numRuns: 40 },
    );
  });
});
