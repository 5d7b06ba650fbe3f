import { describe, expect, it } from '@jest/globals';
import { silentFeed } from '@slipstream/adapter-memory/testing';
import {
  type Action,
  type OrderId,
  type Pricing,
  type Quote,
  type StrategyId,
  decimal,
  id,
} from '@slipstream/domain';
import fc from 'fast-check';
import type { Caller } from '../../src/index.js';
import { type Fixture, fixture, text } from '../fixture.js';

const operator: Caller = { kind: 'operator' };

interface Given {
  readonly stock?: string;
  readonly amount?: string;
  readonly reduceOnly?: boolean;
  readonly after?: readonly OrderId[];
}

/** A stock and its price, or bid and ask. */
type Tick = readonly [stock: string, bid: string, ask?: string];

const quotesOf = (ticks: readonly Tick[]) => ({
  quotes: ticks.map(([stock, bid, ask = bid]) => ({
    stock,
    bid: decimal(bid),
    ask: decimal(ask),
    last: decimal(bid),
  })),
});
const limit = (price: string): Pricing => ({ type: 'limit', price: decimal(price) });
const stop = (price: string): Pricing => ({ type: 'stop_market', stopPrice: decimal(price) });
const stopLimit = (stopPrice: string, price: string): Pricing => ({
  type: 'stop_limit',
  price: decimal(price),
  stopPrice: decimal(stopPrice),
});

/** One strategy at 100/100 for AAPL and 50/50 for MSFT. */
async function scene(overrides: Parameters<typeof fixture>[0] = {}) {
  const world = await fixture(overrides);
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  const inOneRequest = (...ticks: readonly Tick[]) =>
    world.app.newQuotes(operator, quotesOf(ticks));
  await inOneRequest(['aapl', '100'], ['msft', '50']);
  const order = async (action: Action, pricing: Pricing, given: Given = {}) => {
    const { stock = 'aapl', amount = '0.005', reduceOnly = false, after = [] } = given;
    const { order: accepted } = await world.app.newOrder(owner, {
      strategyId,
      stock,
      action,
      pricing,
      size: { by: 'amount', amount: decimal(amount) },
      reduceOnly,
      dependsOn: after,
    });
    return accepted.id;
  };
  return { world, owner, strategyId, order, inOneRequest };
}

const fills = async (world: Fixture, owner: Caller, strategyId: StrategyId) =>
  (await world.app.getTrades(owner, { strategyId }))
    .toReversed()
    .map(({ stockId, action, price }) => `${action} ${stockId} ${text(price)}`);

/** Three ways in which quotes come faster than books change. */
const WAYS = ['in one request', 'in requests at once', 'by a feed that does not wait'] as const;

async function sceneOf(way: (typeof WAYS)[number]) {
  let receive = (_: readonly Quote[]): void => undefined;
  const made = await scene({
    marketFeed: {
      ...silentFeed(),
      start: async (_, __, told) => {
        receive = told.quotes;
      },
    },
  });
  const { world, inOneRequest } = made;
  const bring = async (...ticks: readonly Tick[]): Promise<void> => {
    if (way === 'in one request') await inOneRequest(...ticks);
    else if (way === 'in requests at once')
      await Promise.all(ticks.map((tick) => inOneRequest(tick)));
    else {
      for (const { stock, ...quote } of quotesOf(ticks).quotes)
        receive([{ stockId: id(stock), at: world.ports.clock.now(), ...quote }]);
      // A feed is not answered: the next transaction of the storage comes after those that it brought about.
      await inOneRequest();
      await world.app.tick();
    }
  };
  return { ...made, bring };
}

describe.each(WAYS)('quotes that come %s', (way) => {
  it('let an entry fill and its stop fire at the next one', async () => {
    const { world, owner, strategyId, order, bring } = await sceneOf(way);
    const entry = await order('buy', limit('90'));
    await order('sell', stop('85'), { reduceOnly: true, after: [entry] });
    await bring(['aapl', '90'], ['aapl', '84'], ['aapl', '95']);
    expect(await fills(world, owner, strategyId)).toEqual(['buy aapl 90', 'sell aapl 84']);
  });

  it('let a stop-limit fire at one and fill at the next', async () => {
    const { world, owner, strategyId, order, bring } = await sceneOf(way);
    await order('buy', { type: 'market' });
    await order('sell', stopLimit('95', '94'));
    await bring(['aapl', '93', '93.1'], ['aapl', '96', '96.1']);
    expect(await fills(world, owner, strategyId)).toEqual(['buy aapl 100', 'sell aapl 94']);
  });

  it('reach a dependent of another stock that the first of them releases', async () => {
    const { world, owner, strategyId, order, bring } = await sceneOf(way);
    const entry = await order('buy', limit('90'));
    await order('buy', limit('45'), { stock: 'msft', after: [entry] });
    await bring(['aapl', '90'], ['msft', '44'], ['msft', '60']);
    expect(await fills(world, owner, strategyId)).toEqual(['buy aapl 90', 'buy msft 45']);
  });

  it('value a fill as at its moment', async () => {
    const { world, owner, strategyId, order, bring } = await sceneOf(way);
    await order('buy', { type: 'market' }, { stock: 'msft', amount: '0.01' });
    await order('buy', limit('90'));
    await bring(['aapl', '90'], ['msft', '70'], ['aapl', '80']);
    const [filled] = await world.app.getTrades(owner, { strategyId });
    expect([filled?.price, filled?.strategyValue].map(text)).toEqual(['90', '1']);
  });
});

describe('many orders under two requests at once', () => {
  it('are matched with both quotes: the first fires them, the second fills them', async () => {
    const { world, owner, inOneRequest } = await scene();
    const strategies = await Promise.all(Array.from({ length: 30 }, () => world.strategy(owner)));
    for (const strategyId of strategies) {
      for (let count = 0; count < 10; count += 1) {
        await world.app.newOrder(owner, {
          strategyId,
          stock: 'aapl',
          action: 'buy',
          pricing: stopLimit('105', '104'),
          size: { by: 'amount', amount: decimal('0.001') },
        });
      }
    }
    await Promise.all([inOneRequest(['aapl', '106']), inOneRequest(['aapl', '103'])]);
    for (const strategyId of strategies) {
      expect(await world.app.getOrders(owner, { strategyId })).toEqual([]);
    }
  });
});

describe('a command that comes while a book has quotes in its backlog', () => {
  it('is decided by the market before them, and its order is matched with them', async () => {
    const { world, owner, strategyId, order, inOneRequest } = await scene();
    await order('buy', limit('90'));
    const quoted = inOneRequest(['aapl', '90'], ['aapl', '80'], ['aapl', '120']);
    const placed = order('sell', limit('119'), { amount: '0.001' });
    await Promise.all([quoted, placed]);
    expect(await fills(world, owner, strategyId)).toEqual(['buy aapl 90', 'sell aapl 119']);
  });
});

/** Orders and quotes of three stocks: what happens must not depend on how the quotes are packed. */
const PRICES = ['80', '85', '90', '95', '100', '105', '110', '120'];
const aPrice = fc.constantFrom(...PRICES);
const anOrder = fc.record({
  stock: fc.constantFrom('aapl', 'msft'),
  action: fc.constantFrom('buy' as const, 'sell' as const),
  pricing: fc.oneof(
    aPrice.map(limit),
    aPrice.map(stop),
    fc.tuple(aPrice, aPrice).map(([first, second]) => stopLimit(first, second)),
    fc.tuple(aPrice, aPrice).map((): Pricing => ({ type: 'market' })),
  ),
  amount: fc.constantFrom('0.002', '0.009'),
  /** Which of the orders before it, counted from the last. */
  after: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
});
const aTick = fc.tuple(fc.constantFrom('aapl', 'msft'), aPrice);

describe('quotes in any batches', () => {
  it('trade the same as one by one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anOrder, { minLength: 2, maxLength: 8 }),
        fc.array(aTick, { minLength: 2, maxLength: 12 }),
        fc.array(fc.nat({ max: 4 }), { maxLength: 6 }),
        fc.boolean(),
        async (orders, ticks, cuts, together) => {
          const played = async (packs: readonly (readonly Tick[])[], atOnce: boolean) => {
            const { world, owner, strategyId, order, inOneRequest } = await scene();
            await inOneRequest(['aapl', '100'], ['msft', '100']);
            const placed: OrderId[] = [];
            for (const { action, pricing, after, ...given } of orders) {
              const before = after === undefined ? undefined : placed.at(-1 - after);
              const open = await world.app.getOrders(owner, { strategyId });
              const isOpen = open.some((view) => view.order.id === before);
              try {
                placed.push(
                  await order(action, pricing, {
                    ...given,
                    after: before && isOpen ? [before] : [],
                  }),
                );
              } catch {
                // Too large for the book: the same for every packing.
              }
            }
            if (atOnce) await Promise.all(packs.map((pack) => inOneRequest(...pack)));
            else for (const pack of packs) await inOneRequest(...pack);
            const trades = await world.app.getTrades(owner, { strategyId });
            const { cash } = await world.app.getPositions(owner, { strategyId });
            const closed = await Promise.all(
              (['open', 'cancelled', 'rejected'] as const).map((orderStatus) =>
                world.app.getOrders(owner, { strategyId, orderStatus }),
              ),
            );
            return {
              cash: text(cash),
              trades: trades.map((trade) =>
                [trade.orderId, trade.price, trade.amount, trade.strategyValue].map(String),
              ),
              orders: closed.map((views) => views.map(({ order: { id: orderId } }) => orderId)),
            };
          };
          const oneByOne = await played(
            ticks.map((tick) => [tick]),
            false,
          );
          const packs: Tick[][] = [];
          for (const [at, tick] of ticks.entries()) {
            if (at === 0 || cuts.includes(at % 5)) packs.push([]);
            packs.at(-1)?.push(tick);
          }
          const shape = ({ trades, ...rest }: typeof oneByOne) => ({
            ...rest,
            trades: trades.sort(),
          });
          expect(shape(await played(packs, together))).toEqual(shape(oneByOne));
        },
      ),
      { numRuns: 60 },
    );
  });
});
