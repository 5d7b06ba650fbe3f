import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { HOUR, type Pricing, type StockStatus, decimal } from '@slipstream/domain';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import { type Caller, DEFAULT_SETTINGS } from '../../src/index.js';
import { fixture, text } from '../fixture.js';

const operator: Caller = { kind: 'operator' };
const NEXT_DAY = Date.UTC(2026, 0, 6, 14, 30);
const SESSIONS = [NEXT_DAY - 24 * HOUR, NEXT_DAY].map((opensAt) => ({
  opensAt,
  closesAt: opensAt + 6.5 * HOUR,
}));

/** Each order with a limit price of 90, and the prices after which it rests. */
const ORDERS: readonly (readonly [name: string, pricing: Pricing, prices: readonly string[]])[] = [
  ['limit', { type: 'limit', price: decimal('90') }, []],
  ['OCO', { type: 'oco', price: decimal('90'), stopPrice: decimal('120') }, []],
  [
    'stop-limit',
    { type: 'stop_limit', price: decimal('90'), stopPrice: decimal('110') },
    ['111', '100'],
  ],
];

type Scene = Awaited<ReturnType<typeof nextDay>>;

/** What may keep the first quote of a session from the orders. */
const OPENINGS: readonly (readonly [name: string, open: (scene: Scene) => Promise<void>])[] = [
  ['it is quoted', ({ quote }) => quote('99')],
  [
    'the stock is halted, and its quote is old when that ends',
    async ({ quote, status, wait }) => {
      await status('halted');
      await quote('99');
      wait();
      await status('active');
    },
  ],
  [
    'the storage fails until the quote is old',
    async ({ quote, failing, wait }) => {
      failing.next = 1;
      await quote('99');
      wait();
    },
  ],
];

/** The second of two sessions has just begun; an order to buy rests since the first one. */
async function nextDay(pricing: Pricing, prices: readonly string[]) {
  const storage = openMemory();
  const failing = { next: 0 };
  const unitOfWork: UnitOfWork = {
    ...storage,
    run: (work, options) => {
      if (failing.next === 0) return storage.run(work, options);
      failing.next -= 1;
      return Promise.reject(new StorageUnavailable('full'));
    },
  };
  const world = await fixture({
    unitOfWork,
    tradingHours: {
      sessionAt: (_, at) => SESSIONS.find((one) => one.opensAt <= at && at < one.closesAt),
      nextSession: (_, at) => SESSIONS.find((one) => one.opensAt > at),
    },
  });
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  const quote = (price: string) => world.quote('aapl', price);
  await quote('100');
  await world.app.newOrder(owner, {
    ...{ strategyId, stock: 'aapl', action: 'buy', pricing, dependsOn: [], reduceOnly: false },
    size: { by: 'amount', amount: decimal('0.001') },
  });
  for (const price of prices) await quote(price);
  world.ports.clock.set(NEXT_DAY + 1000);
  return {
    quote,
    failing,
    status: (stockStatus: StockStatus) =>
      world.app.updateStocks(operator, { stocks: [{ stockId: 'aapl', stockStatus }] }),
    wait: () => world.ports.clock.advance(DEFAULT_SETTINGS.quoteFreshFor + 1),
    price: async () => text((await world.app.getTrades(owner, { strategyId }))[0]?.price),
  };
}

describe.each(ORDERS)('a %s order that rests since an earlier session', (_, pricing, prices) => {
  it.each(OPENINGS)(
    'fills at its own price once it has met a quote of the next one, in which %s',
    async (__, open) => {
      const scene = await nextDay(pricing, prices);
      await open(scene);
      await scene.quote('95');
      await scene.quote('80');
      expect(await scene.price()).toBe('90');
    },
  );

  it('fills at the first quote of the next one that it meets', async () => {
    const { status, quote, wait, price } = await nextDay(pricing, prices);
    await status('halted');
    await quote('99');
    wait();
    await status('active');
    await quote('80');
    expect(await price()).toBe('80');
  });
});
