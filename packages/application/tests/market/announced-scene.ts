import { silentFeed } from '@slipstream/adapter-memory/testing';
import { openMemory } from '@slipstream/adapter-memory';
import {
  HOUR,
  type Quote,
  type SourcedAction,
  type StockId,
  type Timestamp,
  decimal,
  id,
} from '@slipstream/domain';
import {
  type FeedListener,
  type SourceHealth,
  StorageUnavailable,
  type UnitOfWork,
} from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { type Fixture, fixture, text } from '../fixture.js';

export const operator: Caller = { kind: 'operator' };
export const AAPL = id<'stock'>('aapl');
/** 04:00 in New York of the day after the world's first. */
export const DUE = Date.UTC(2026, 0, 6, 9);

export const anAction = (changes: Partial<SourcedAction> = {}): SourcedAction => ({
  sourceId: 'source-1',
  stockId: AAPL,
  kind: 'split',
  newShares: decimal('4'),
  oldShares: decimal('1'),
  amount: null,
  name: 'forward split',
  dueAt: DUE,
  ...changes,
});
export const none = { newShares: null, oldShares: null } as const;
export const dividend = {
  kind: 'cash_dividend',
  ...none,
  amount: decimal('2'),
  name: 'cash dividend',
} as const;

const HEALTHY = { age: 0, healthy: true, reconnects: 0, drops: {} } as const;

/** A feed of its own that quotes new shares, a source of announcements, and a strategy with half of its value in AAPL at 200. */
export async function scene(around: (storage: UnitOfWork) => UnitOfWork = (storage) => storage) {
  const nothing = () => undefined;
  const sources: SourceHealth[] = [{ ...HEALTHY, name: 'own' }];
  let told: FeedListener = { quotes: nothing, lost: nothing, status: nothing };
  let announced: readonly SourcedAction[] = [];
  let unanswered: readonly StockId[] = [];
  let asked = 0;
  const errors: string[] = [];
  const storage = around(openMemory());
  let left = Infinity;
  const world = await fixture({
    unitOfWork: {
      ...storage,
      run: async (work, options) => {
        if (left <= 0) throw new StorageUnavailable('full');
        left -= 1;
        return storage.run(work, options);
      },
    },
    log: {
      info: nothing,
      warn: nothing,
      error: (fields: object, text: string) =>
        void errors.push(`${text} ${JSON.stringify(fields)}`),
    },
    marketFeed: {
      ...silentFeed(),
      acceptsQuotes: false,
      health: () => sources,
      start: async (_: unknown, __: unknown, to: FeedListener) => {
        told = to;
      },
    },
    announcedActions: {
      source: 'own',
      between: async (stocks, from, to) => {
        asked += 1;
        const known = new Set(stocks.map(({ id: stockId }) => stockId));
        const actions = announced.filter(
          ({ stockId, dueAt }) => known.has(stockId) && dueAt >= from && dueAt < to,
        );
        return { actions, unanswered };
      },
    },
  });
  const { clock } = world.ports;
  const quote = async (bid: string, stock: StockId = AAPL, at: Timestamp = clock.now()) => {
    const price = decimal(bid);
    const given: Quote = { stockId: stock, bid: price, ask: price, last: price, at };
    told.quotes([given]);
    // A feed is not answered: what its quotes bring about is done after some turns.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await quote('200');
  await world.app.newOrderAllocations(owner, {
    strategyId,
    allocations: [{ stock: 'aapl', percent: decimal('0.5') }],
    slippage: decimal('0'),
  });
  // Stores the quote, as the server does each second.
  await world.app.tick();
  const rest = (price: string) =>
    world.app.newOrder(owner, {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      pricing: { type: 'limit', price: decimal(price) },
      size: { by: 'amount', amount: decimal('0.001') },
    });
  const view = async (app: Fixture['app'] = world.app) => {
    const { strategyValue, positions } = await app.getPositions(owner, { strategyId });
    const [held] = positions;
    const [order] = await app.getOrders(owner, { strategyId });
    const [stock] = await app.getStocks(operator, { stocks: ['aapl'] });
    const pricing = order?.order.pricing;
    return {
      value: text(strategyValue),
      amount: text(held?.position.amount),
      bid: text(stock?.quote?.bid),
      status: stock?.stock.status,
      limit: pricing?.type === 'limit' ? text(pricing.price) : null,
      cashOf: (await app.getStockActions(owner, { strategyId })).map(({ kind, cash }) => [
        kind,
        text(cash),
      ]),
    };
  };
  const trades = async () => {
    await world.app.tick();
    const made = await world.app.getTrades(owner, { strategyId });
    return made.map(({ price }) => text(price));
  };
  const pass = async (until: Timestamp, app: Fixture['app'] = world.app) => {
    clock.advance(until - clock.now());
    await app.followMarket();
    await app.tick();
  };
  const announce = async (...actions: readonly SourcedAction[]) => {
    announced = actions;
    clock.advance(HOUR);
    await world.app.followMarket();
    await world.app.tick();
  };
  return {
    world,
    owner,
    strategyId,
    clock,
    quote,
    rest,
    view,
    trades,
    pass,
    announce,
    errors,
    /** From the next start on the feed has another line in its health. */
    hears: (name: string, isBeside: boolean) =>
      void sources.push({ ...HEALTHY, name, ...(isBeside && { isBeside: true as const }) }),
    source: (...actions: readonly SourcedAction[]) => (announced = actions),
    asked: () => asked,
    silent: (...stocks: readonly StockId[]) => (unanswered = stocks),
    says: (stockStatus: 'active' | 'halted') =>
      world.app.updateStocks(operator, { stocks: [{ stockId: 'aapl', stockStatus }] }),
    splitByHand: (newShares: string) =>
      world.app.newStockAction(operator, {
        stock: 'aapl',
        kind: 'split',
        ratio: { newShares: decimal(newShares), oldShares: decimal('1') },
      }),
    fail: (after: number) => (left = after),
    repair: () => (left = Infinity),
  };
}
