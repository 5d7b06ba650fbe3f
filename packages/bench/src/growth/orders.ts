import { decimal, newBook } from '@slipstream/domain';
import { makeFullDatabase } from '../baselines/full-database.js';
import { type CoreAlone, OWNER, type Priced, inFlight, openCore } from '../core-alone.js';
import { cpuOf, heapNow } from '../measure/cpu.js';
import { newFolder } from '../folder.js';
import { aStock, stockIdOf, strategyIdOf } from '../many-strategies.js';
import { STOCKS, restingOrders } from '../resting-orders.js';
import { below, seeded } from '../seeded.js';
import type { Dimension } from './dimension.js';
import { medianOf } from './median-of.js';
import { openHandle } from '@slipstream/adapter-sql/testing';

/** The number of orders of one strategy, all of one stock, as in a grid strategy. */
const EACH = 100;
const BATCH = 100;
const IN_FLIGHT = 64;

/** Adds resting orders far from the later quotes. Returns the number of their stocks. */
function write(file: string, size: number): number {
  const books = Array.from({ length: size / EACH }, (_, index) => newBook(strategyIdOf(index)));
  const stocks = Array.from({ length: Math.min(STOCKS, books.length) }, (_, at) => aStock(at));
  makeFullDatabase(file, { stocks, books });
  const handle = openHandle(file);
  const insert = handle.prepare(
    `INSERT INTO orders (id, strategy_id, stock_id, action, type, price, stop_price, amount, depends_on, reduce_only,
       origin, created_at, status, resting_since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, '[]', 0, 'order', 0, 'open', ?)`,
  );
  handle.transaction(() => {
    let index = 0;
    for (const { order } of restingOrders(size)) {
      const { pricing, size: ordered } = order;
      const slot = Math.floor(index / EACH);
      insert.run(
        order.id,
        strategyIdOf(slot),
        stockIdOf(slot % stocks.length),
        order.action,
        pricing.type,
        'price' in pricing ? pricing.price.toFixed() : null,
        'stopPrice' in pricing ? pricing.stopPrice.toFixed() : null,
        'amount' in ordered ? ordered.amount.toFixed() : null,
        order.restingSince,
      );
      index += 1;
    }
  })();
  handle.close();
  return stocks.length;
}

/** A quote between all orders, which triggers none of them. */
const quiet = (random: () => number, stock: number): Priced => {
  const cents = 9900 + below(random, 200);
  return {
    stockId: stockIdOf(stock),
    bid: decimal((cents / 100).toFixed(2)),
    ask: decimal(((cents + 1) / 100).toFixed(2)),
  };
};

/** Places a resting limit order in a random strategy, and cancels it. */
function placingAndCancelling(
  { application }: CoreAlone,
  strategyCount: number,
  stockCount: number,
  count: number,
) {
  const random = seeded(8);
  return () =>
    inFlight(count, IN_FLIGHT, async () => {
      const slot = below(random, strategyCount);
      const strategyId = strategyIdOf(slot);
      const { order } = await application.operations.newOrder(OWNER, {
        strategyId,
        stock: stockIdOf(slot % stockCount),
        action: 'buy',
        pricing: { type: 'limit', price: decimal('60') },
        size: { by: 'amount', amount: decimal('0.001') },
      });
      await application.operations.deleteOrder(OWNER, { strategyId, orderId: order.id });
    });
}

export const orders: Dimension = {
  id: 'orders',
  title: 'resting orders',
  sizes: [1000, 10_000, 100_000, 1_000_000],
  quickSizes: [1000, 10_000],
  costs: [
    {
      name: 'a quote that fires nothing',
      unit: 'CPU us',
      grows: 'not',
      why: "it looks at the top of its stock's heaps, not at the orders below",
    },
    {
      name: 'place + cancel of an order',
      unit: 'CPU us',
      grows: 'not',
      why: 'one book of 100 orders is changed, and its heaps by a few places',
    },
    {
      name: 'start-up',
      unit: 's',
      grows: 'in proportion',
      why: 'every open order is read and watched again before the first request is served',
    },
    {
      name: 'the opening of a session',
      unit: 'CPU s',
      grows: 'in proportion',
      why: 'the first quote of each stock meets all that rest in it',
    },
    {
      name: 'the heap of an order',
      unit: 'bytes',
      grows: 'not',
      why: 'each is kept once, in its book, and by its price in the index',
    },
  ],
  async measure(size, { quick, rounds }, tell) {
    const folder = newFolder();
    try {
      const file = folder.file('orders.db');
      tell('writing the database');
      const stockCount = write(file, size);
      await (await openCore(folder.file('empty.db'))).close();
      tell('starting');
      const [before, begun] = [heapNow(), performance.now()];
      const core = await openCore(file);
      const startUp = (performance.now() - begun) / 1000;
      const heap = (heapNow() - before) / size;

      const random = seeded(9);
      tell('the first quotes');
      const opening = await cpuOf(async () => {
        for (let stock = 0; stock < stockCount; stock += 1)
          await core.quote([quiet(random, stock)]);
      });
      const [quotes, pairs] = quick ? [1000, 200] : [20_000, 2000];
      const batches = Array.from({ length: quotes / BATCH }, () =>
        Array.from({ length: BATCH }, () => quiet(random, below(random, stockCount))),
      );
      const tick = async (): Promise<void> => {
        for (const batch of batches) await core.quote(batch);
      };
      const placeAndCancel = placingAndCancelling(core, size / EACH, stockCount, pairs);
      await tick();
      await placeAndCancel();
      tell('quotes, orders placed and cancelled');
      const costs = await medianOf(rounds, async () => [
        (await cpuOf(tick)) / quotes,
        (await cpuOf(placeAndCancel)) / pairs,
      ]);
      await core.close();
      return [...costs, startUp, opening / 1e6, heap];
    } finally {
      folder.remove();
    }
  },
};
