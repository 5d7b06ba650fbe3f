import { describe, expect, it } from '@jest/globals';
import {
  type OrderId,
  type Pricing,
  type StockStatus,
  type StrategyId,
  decimal,
} from '@slipstream/domain';
import fc from 'fast-check';
import { type Caller, DEFAULT_SETTINGS } from '../../src/index.js';
import type { App } from '../app.js';
import { type Fixture, fixture, text } from '../fixture.js';

const operator: Caller = { kind: 'operator' };
const MARKET: Pricing = { type: 'market' };
const limit = (price: string): Pricing => ({ type: 'limit', price: decimal(price) });

/** One strategy; AAPL at 100 and MSFT at 50. */
async function scene(overrides: Parameters<typeof fixture>[0] = {}) {
  const world = await fixture(overrides);
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await world.quote('aapl', '100');
  await world.quote('msft', '50');
  return { world, owner, strategyId };
}

const order = async (
  app: App,
  owner: Caller,
  strategyId: StrategyId,
  stock: string,
  pricing: Pricing,
  changes: { readonly after?: readonly OrderId[]; readonly action?: 'buy' | 'sell' } = {},
) => {
  const { after = [], action = 'buy' } = changes;
  const placed = await app.newOrder(owner, {
    strategyId,
    stock,
    action,
    pricing,
    size: { by: 'amount', amount: decimal('0.001') },
    dependsOn: after,
    reduceOnly: false,
  });
  return placed.order.id;
};
const status = (app: App, stockStatus: StockStatus, stockId = 'aapl') =>
  app.updateStocks(operator, { stocks: [{ stockId, stockStatus }] });
const fills = async (app: App, owner: Caller, strategyId: StrategyId) =>
  (await app.getTrades(owner, { strategyId })).map(
    ({ stockId, price }) => `${stockId} ${text(price)}`,
  );

describe('an order executes as soon as it can', () => {
  it('a halt that ends, while the quote is fresh', async () => {
    const { world, owner, strategyId } = await scene();
    await status(world.app, 'halted');
    await order(world.app, owner, strategyId, 'aapl', MARKET);
    expect(await fills(world.app, owner, strategyId)).toEqual([]);
    await status(world.app, 'active');
    expect(await fills(world.app, owner, strategyId)).toEqual(['aapl 100']);
  });

  it('a halt that ends, at the quote that came while it lasted', async () => {
    const { world, owner, strategyId } = await scene();
    await order(world.app, owner, strategyId, 'aapl', limit('95'));
    await status(world.app, 'halted');
    await world.quote('aapl', '94');
    expect(await fills(world.app, owner, strategyId)).toEqual([]);
    await status(world.app, 'active');
    expect(await fills(world.app, owner, strategyId)).toEqual(['aapl 95']);
  });

  it('an exchange that changes to one in session', async () => {
    const open = { opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER };
    const { world, owner, strategyId } = await scene({
      tradingHours: {
        sessionAt: ({ exchange }) => (exchange === 'CLOSED' ? undefined : open),
        nextSession: () => undefined,
      },
    });
    const moveTo = (exchange: string) =>
      world.app.updateStocks(operator, { stocks: [{ stockId: 'aapl', exchange }] });
    await moveTo('CLOSED');
    await order(world.app, owner, strategyId, 'aapl', MARKET);
    expect(await fills(world.app, owner, strategyId)).toEqual([]);
    await moveTo('NYSE');
    expect(await fills(world.app, owner, strategyId)).toEqual(['aapl 100']);
  });

  it('a quote of another holding, without which the book has no value', async () => {
    const { world, owner, strategyId } = await scene();
    await order(world.app, owner, strategyId, 'msft', MARKET);
    await order(world.app, owner, strategyId, 'aapl', limit('90'));
    // The quotes were not kept yet: the next start knows none.
    const app = await world.restart();
    const quote = (stock: string, price: string) =>
      app.newQuotes(operator, {
        quotes: [{ stock, bid: decimal(price), ask: decimal(price), last: decimal(price) }],
      });
    await quote('aapl', '89');
    expect(await fills(app, owner, strategyId)).toEqual(['msft 50']);
    await quote('msft', '51');
    expect(await fills(app, owner, strategyId)).toEqual(['aapl 90', 'msft 50']);
  });

  it('a delisting that cancels what another order waits for', async () => {
    const { world, owner, strategyId } = await scene();
    const first = await order(world.app, owner, strategyId, 'aapl', limit('90'));
    await order(world.app, owner, strategyId, 'msft', MARKET, { after: [first] });
    await world.app.updateStocks(operator, {
      stocks: [{ stockId: 'aapl', stockStatus: 'delisted', settlePrice: decimal('1') }],
    });
    expect(await fills(world.app, owner, strategyId)).toEqual(['msft 50']);
  });
});

const aStep = fc.oneof(
  fc.record({
    do: fc.constant('quote' as const),
    stock: fc.constantFrom('aapl', 'msft'),
    price: fc.constantFrom('80', '90', '100', '110'),
  }),
  fc.record({
    do: fc.constant('order' as const),
    stock: fc.constantFrom('aapl', 'msft'),
    action: fc.constantFrom('buy' as const, 'sell' as const),
    pricing: fc.oneof(fc.constant(MARKET), fc.constantFrom('85', '95', '105').map(limit)),
    depends: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('status' as const),
    stock: fc.constantFrom('aapl', 'msft'),
    status: fc.constantFrom('active' as const, 'halted' as const),
  }),
  fc.record({
    do: fc.constant('split' as const),
    stock: fc.constantFrom('aapl', 'msft'),
    ratio: fc.constantFrom('2', '0.5'),
  }),
  fc.record({ do: fc.constant('delete' as const), at: fc.nat({ max: 3 }) }),
  fc.record({ do: fc.constant('wait' as const) }),
  fc.record({ do: fc.constant('restart' as const), keepsQuotes: fc.boolean() }),
);

/** Open orders that nothing keeps from executing: market orders that wait for nothing, and limits that are reached. */
async function executable(world: Fixture, app: App, owner: Caller, strategyId: StrategyId) {
  const { strategyValue } = await app.getPositions(owner, { strategyId });
  const open = await app.getOrders(owner, { strategyId });
  return open.filter(({ order: { pricing, action }, stock, quote, waitingReason }) => {
    if (waitingReason === null) return true;
    if (waitingReason !== 'price' || pricing.type !== 'limit' || !quote || !strategyValue)
      return false;
    const isFresh = world.ports.clock.now() - quote.at <= DEFAULT_SETTINGS.quoteFreshFor;
    const { price } = pricing;
    const isReached = action === 'buy' ? quote.ask.lte(price) : quote.bid.gte(price);
    return stock.status === 'active' && isFresh && isReached;
  });
}

describe('after any events', () => {
  it('no open order could execute', async () => {
    const seen = { quote: 0, order: 0, status: 0, split: 0, delete: 0, wait: 0, restart: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 3, maxLength: 25, size: 'max' }),
        async (steps) => {
          const { world, owner, strategyId } = await scene();
          let { app } = world;
          for (const step of steps) {
            seen[step.do] += 1;
            world.ports.clock.advance(1);
            const open = await app.getOrders(owner, { strategyId });
            switch (step.do) {
              case 'quote': {
                const [bid, ask, last] = [step.price, step.price, step.price].map(decimal);
                if (bid && ask && last)
                  await app.newQuotes(operator, {
                    quotes: [{ stock: step.stock, bid, ask, last }],
                  });
                break;
              }
              case 'order': {
                const before = step.depends ? open[0]?.order.id : undefined;
                const { stock, pricing, action } = step;
                const after = before ? [before] : [];
                // One that is too large now, or that needs a value, is refused: nothing has happened then.
                await order(app, owner, strategyId, stock, pricing, { after, action }).catch(
                  () => 0,
                );
                break;
              }
              case 'status':
                await status(app, step.status, step.stock);
                break;
              case 'split': {
                const { stock, ratio } = step;
                await app.newStockAction(operator, {
                  stock,
                  kind: 'split',
                  ratio: { newShares: decimal(ratio), oldShares: decimal('1') },
                });
                break;
              }
              case 'delete': {
                const orderId = open[step.at]?.order.id;
                if (orderId) await app.deleteOrder(owner, { strategyId, orderId });
                break;
              }
              case 'wait':
                world.ports.clock.advance(70_000);
                break;
              case 'restart':
                if (step.keepsQuotes) await app.tick();
                app = await world.restart();
            }
            expect(await executable(world, app, owner, strategyId)).toEqual([]);
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(Object.values(seen).every((times) => times > 10)).toBe(true);
  });
});
