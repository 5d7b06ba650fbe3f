import type { Book, StockId } from '@slipstream/domain';
import {
  type Benchmark,
  benchmark,
  figureAtMost,
  ratioAtLeast,
  ratioAtMost,
} from '../measure/benchmark.js';
import { decimalLoop, floatLoop, inSums, summedValue } from '../baselines/revaluation-loops.js';
import { cpuPerAwaited, cpuPerCall } from '../measure/cpu.js';
import {
  type ManyStrategies,
  HOLDERS,
  manyStrategies,
  randomPrice,
  stockIdOf,
} from '../many-strategies.js';
import { type RevaluedService, revaluedService } from '../revalued-service.js';
import { below, seeded } from '../seeded.js';

interface Tick {
  readonly stockId: StockId;
  readonly price: string;
}

const ticksOf = ({ stocks }: ManyStrategies, count: number, seed: number): Tick[] => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => ({
    stockId: stockIdOf(below(random, stocks.length)),
    price: randomPrice(random),
  }));
};

/** Quotes every stock once: from then on every strategy has a value. */
async function opened(many: ManyStrategies): Promise<RevaluedService> {
  const service = await revaluedService(many);
  for (const { id } of many.stocks) await service.tick(id, '100');
  return service;
}

/** The holders of each stock whose value is read after a tick: one in 25. */
function watchedHolders({ books }: ManyStrategies): ReadonlyMap<StockId, readonly Book[]> {
  const found = new Map<StockId, Book[]>();
  const counts = new Map<StockId, number>();
  for (const book of books) {
    for (const stockId of book.positions.keys()) {
      const count = (counts.get(stockId) ?? 0) + 1;
      counts.set(stockId, count);
      if (count % 25 === 1) found.set(stockId, [...(found.get(stockId) ?? []), book]);
    }
  }
  return found;
}

const revaluation = benchmark(
  'P7',
  [
    {
      what: 'strategies revalued a CPU-second by the service, 200 a tick, 1 in 25 read',
      baseline: 'float64 loop over typed arrays (not exact)',
      gate: ratioAtLeast(1 / 25),
    },
    {
      what: 'strategies revalued a CPU-second by the service, 200 a tick, 1 in 25 read',
      baseline: 'big.js delta loop (exact)',
      gate: ratioAtLeast(3),
    },
  ],
  async ({ quick }, tell) => {
    const many = manyStrategies(quick ? 2000 : 10_000);
    tell(`${many.books.length} strategies of 20 positions`);
    const service = await opened(many);
    const watched = watchedHolders(many);
    const [floats, decimals] = [floatLoop(many.books), decimalLoop(many.books)];
    for (const { id } of many.stocks) {
      floats.tick(id, '100');
      decimals.tick(id, '100');
    }
    const ticks = ticksOf(many, quick ? 500 : 5000, 6);
    const tickAt = (at: number) => ticks[at % ticks.length] as Tick;
    // Four times all: before that many, a part is the compiling of the program.
    const served = () =>
      cpuPerAwaited(4 * ticks.length, async (at) => {
        const { stockId, price } = tickAt(at);
        await service.tick(stockId, price);
        for (const { strategyId } of watched.get(stockId) ?? []) service.valueOf(strategyId);
      });
    const looped = (loop: { tick(stockId: StockId, price: string): void }, count: number) =>
      cpuPerCall(count, (at) => loop.tick(tickAt(at).stockId, tickAt(at).price));
    await served();
    looped(floats, ticks.length);
    return {
      async round() {
        const byFloats = looped(floats, ticks.length * 20);
        const figure = await served();
        const byDecimals = looped(decimals, ticks.length);
        const rate = (cpu: number) => (HOLDERS * 1e6) / cpu;
        return [byFloats, byDecimals].map((baseline) => ({
          figure: rate(figure),
          baseline: rate(baseline),
          cpu: { figure, baseline },
        }));
      },
      close: () => undefined,
    };
  },
);

const exactness = benchmark(
  'P8',
  [
    {
      what: 'values of the service that differ, of 200,000',
      baseline: 'all positions summed anew in BigInt',
      gate: figureAtMost(0),
    },
  ],
  async ({ quick }, tell) => {
    const many = manyStrategies(quick ? 500 : 2000);
    const service = await opened(many);
    const prices = new Map<StockId, string>();
    let seed = 7;
    return {
      async round() {
        let mismatches = 0;
        const checks = quick ? 2 : 34;
        for (let check = 0; check < checks; check += 1) {
          if (check % 10 === 0) tell(`${check} of ${checks} times all values`);
          for (const { stockId, price } of ticksOf(many, 200, (seed += 1))) {
            await service.tick(stockId, price);
            prices.set(stockId, price);
          }
          for (const book of many.books) {
            const value = service.valueOf(book.strategyId)?.toFixed() ?? 'none';
            const sum = summedValue(book, (stockId) => prices.get(stockId) ?? '100');
            if (value === 'none' || inSums(value) !== sum) mismatches += 1;
          }
        }
        return [{ figure: mismatches }];
      },
      close: () => undefined,
    };
  },
);

const growth = benchmark(
  'P9',
  [
    {
      what: 'CPU us of a tick with 200 holders, 100k strategies',
      baseline: 'its own with 1k strategies',
      gate: ratioAtMost(2.5),
    },
  ],
  async ({ quick }, tell) => {
    const sizes = quick ? [1000, 5000] : [1000, 10_000, 30_000, 100_000];
    const services: {
      readonly size: number;
      readonly ticks: readonly Tick[];
      readonly service: RevaluedService;
    }[] = [];
    for (const size of sizes) {
      tell(`${size} strategies`);
      const many = manyStrategies(size);
      services.push({
        size,
        ticks: ticksOf(many, quick ? 500 : 5000, 8),
        service: await opened(many),
      });
    }
    const perTick = ({ ticks, service }: (typeof services)[number]) =>
      cpuPerAwaited(ticks.length, (at) => {
        const { stockId, price } = ticks[at] as Tick;
        return service.tick(stockId, price);
      });
    for (const one of services) await perTick(one);
    let seen: [number, number][] = [];
    return {
      async round() {
        seen = [];
        for (const one of services) seen.push([one.size, await perTick(one)]);
        return [{ figure: seen.at(-1)?.[1] ?? NaN, baseline: seen[0]?.[1] ?? NaN }];
      },
      curves: () => [
        {
          name: 'P9: what a tick costs with 200 holders',
          x: 'strategies',
          y: 'CPU us a tick',
          series: [{ name: 'the service', points: seen }],
        },
      ],
      close: () => undefined,
    };
  },
);

export const revaluationBenchmarks: readonly Benchmark[] = [revaluation, exactness, growth];
