import type { Application } from '@slipstream/application';
import { type StockId, decimal, MINUTE } from '@slipstream/domain';
import { makeFullDatabase } from '../baselines/full-database.js';
import { type CoreAlone, OWNER, inFlight, openCore, priced } from '../core-alone.js';
import { cpuOf, heapNow } from '../measure/cpu.js';
import { newFolder } from '../folder.js';
import { manyStrategies, randomPrice, stockIdOf, strategyIdOf } from '../many-strategies.js';
import { below, seeded } from '../seeded.js';
import type { Dimension } from './dimension.js';
import { medianOf } from './median-of.js';

const BATCH = 100;
const IN_FLIGHT = 64;
const LEVERAGE = decimal('0.1');

/** Adds strategies with room for one more position. Returns the stocks that they hold. */
function write(file: string, size: number): StockId[] {
  const { stocks, books } = manyStrategies(size);
  const cash = decimal('10');
  makeFullDatabase(file, { stocks, books: books.map((book) => ({ ...book, cash })) });
  return stocks.map((stock) => stock.id);
}

/** Random quotes in batches. */
function ticksOf({ quote }: CoreAlone, stockIds: readonly StockId[], count: number) {
  const random = seeded(6);
  const batches = Array.from({ length: count / BATCH }, () =>
    Array.from({ length: BATCH }, () =>
      priced(stockIds[below(random, stockIds.length)] as StockId, randomPrice(random)),
    ),
  );
  return async (): Promise<void> => {
    for (const batch of batches) await quote(batch);
  };
}

/** Alerts for random strategies. Each reverses the same position, from long to short or back. */
function alertsOf(application: Application, size: number, count: number) {
  const random = seeded(7);
  const isLong = new Uint8Array(size);
  return () =>
    inFlight(count, IN_FLIGHT, async () => {
      const slot = below(random, size);
      isLong[slot] = isLong[slot] === 1 ? 0 : 1;
      await application.operations.newOrderWebhook(OWNER, {
        strategyId: strategyIdOf(slot),
        stock: stockIdOf(0),
        action: isLong[slot] === 1 ? 'buy' : 'sell',
        leverage: LEVERAGE,
      });
    });
}

export const strategies: Dimension = {
  id: 'strategies',
  title: 'strategies of 20 positions',
  sizes: [1000, 3000, 10_000, 30_000, 100_000],
  quickSizes: [1000, 3000],
  costs: [
    {
      name: 'a tick with 200 holders',
      unit: 'CPU us',
      grows: 'not',
      why: 'a quote moves the sums of those who hold its stock and of nobody else',
    },
    {
      name: 'an alert',
      unit: 'CPU us',
      grows: 'not',
      why: "it reads and writes one strategy's rows by their keys",
    },
    {
      name: 'start-up',
      unit: 's',
      grows: 'in proportion',
      why: 'every book is read before the first request is served',
    },
    {
      name: "a minute's sampling",
      unit: 'CPU s',
      grows: 'in proportion',
      why: 'each strategy whose value moved gets a row a minute',
    },
    {
      name: "a minute's ranking",
      unit: 'CPU s',
      grows: 'in proportion',
      why: 'the performance of each over five timeframes is worked out and compared',
    },
    {
      name: 'the heap of a strategy',
      unit: 'bytes',
      grows: 'not',
      why: 'its book and the last of its records are kept in memory, and nothing of other ones',
    },
  ],
  async measure(size, { quick, rounds }, tell) {
    const folder = newFolder();
    try {
      const file = folder.file('strategies.db');
      tell('writing the database');
      const stockIds = write(file, size);
      // Loads code before the measurement, so that it counts neither as heap nor as start-up.
      await (await openCore(folder.file('empty.db'))).close();
      tell('starting');
      const [before, begun] = [heapNow(), performance.now()];
      const core = await openCore(file);
      const startUp = (performance.now() - begun) / 1000;

      const { application, clock, quote } = core;
      for (const stockId of stockIds) await quote([priced(stockId, '100')]);
      const [ticks, alerts] = quick ? [500, 300] : [5000, 3000];
      const tick = ticksOf(core, stockIds, ticks);
      const alert = alertsOf(application, size, alerts);
      await tick();
      await alert();
      tell('ticks and alerts');
      const costs = await medianOf(rounds, async () => [
        (await cpuOf(tick)) / ticks,
        (await cpuOf(alert)) / alerts,
      ]);
      // The first call also does the work of once an hour or once after a start, so it is not measured.
      tell('samples and ranks');
      await application.background.tick();
      await application.background.rankStrategies();
      clock.advance(MINUTE);
      for (const stockId of stockIds) await quote([priced(stockId, '101')]);
      const samples = (await cpuOf(() => application.background.tick())) / 1e6;
      const ranks = (await cpuOf(() => application.background.rankStrategies())) / 1e6;
      const heap = (heapNow() - before) / size;
      await core.close();
      return [...costs, startUp, samples, ranks, heap];
    } finally {
      folder.remove();
    }
  },
};
