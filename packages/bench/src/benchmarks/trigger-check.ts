import { TriggerIndex } from '@slipstream/domain';
import { benchmark, ratioAtLeast, ratioAtMost } from '../measure/benchmark.js';
import { cpuPerCall } from '../measure/cpu.js';
import { type Resting, quietQuotes, restingOrders } from '../resting-orders.js';

const FEW = 1000;

/** The baseline: checks the stock's orders one by one, with prices as binary floats. */
class BucketScan {
  private readonly buckets = new Map<string, Set<Resting>>();

  put(resting: Resting): void {
    const { stockId } = resting.order;
    this.buckets.set(stockId, (this.buckets.get(stockId) ?? new Set()).add(resting));
  }

  reached(stockId: string, bid: number, ask: number): Resting[] {
    const found: Resting[] = [];
    for (const resting of this.buckets.get(stockId) ?? []) {
      const { kind, price } = resting;
      const fires =
        kind === 0
          ? ask <= price
          : kind === 1
            ? bid >= price
            : kind === 2
              ? ask >= price
              : bid <= price;
      if (fires) found.push(resting);
    }
    return found;
  }
}

function indexOf(count: number): TriggerIndex {
  const index = new TriggerIndex();
  for (const { order } of restingOrders(count)) index.put(order);
  return index;
}

/** The cost of one quote while very many orders rest. */
export const triggerCheck = benchmark(
  'P11',
  [
    {
      what: 'trigger checks a CPU-second, 1M resting orders, none fires',
      baseline: "scan of the stock's orders (Map of Set, floats)",
      gate: ratioAtLeast(10),
    },
    {
      what: 'growth: CPU us of a check, 1M against 1k resting orders',
      baseline: 'its own with 1k orders',
      gate: ratioAtMost(3),
    },
  ],
  async ({ quick }, tell) => {
    const many = quick ? 100_000 : 1_000_000;
    const sizes = quick ? [FEW, 10_000, many] : [FEW, 10_000, 100_000, many];
    const quotes = quietQuotes(5000);
    const floats = quotes.map(
      ({ bid, ask }) => [Number(bid.toFixed()), Number(ask.toFixed())] as const,
    );
    const indexes = new Map<number, TriggerIndex>();
    for (const size of sizes) {
      tell(`${size} orders`);
      indexes.set(size, indexOf(size));
    }
    const scan = new BucketScan();
    for (const resting of restingOrders(many)) scan.put(resting);
    const checks = quick ? 20_000 : 200_000;

    const checked = (size: number): number =>
      cpuPerCall(checks, (at) => {
        const quote = quotes[at % quotes.length];
        if (quote && indexes.get(size)?.reached(quote, -Infinity).length !== 0)
          throw new Error('one fired');
      });
    const scanned = (): number =>
      cpuPerCall(checks / 10, (at) => {
        const [bid = 0, ask = 0] = floats[at % quotes.length] ?? [];
        if (scan.reached(quotes[at % quotes.length]?.stockId ?? '', bid, ask).length !== 0)
          throw new Error('one fired');
      });
    for (const size of sizes) checked(size);
    scanned();
    const seen = new Map<number, number>();
    return {
      async round() {
        for (const size of sizes) seen.set(size, checked(size));
        const [figure, baseline] = [seen.get(many) ?? NaN, scanned()];
        return [
          { figure: 1e6 / figure, baseline: 1e6 / baseline, cpu: { figure, baseline } },
          { figure, baseline: seen.get(FEW) ?? NaN },
        ];
      },
      curves: () => [
        {
          name: 'P11: what a quote costs while orders rest',
          x: 'resting orders',
          y: 'CPU us a quote',
          series: [{ name: 'trigger index', points: [...seen] }],
        },
      ],
      close: () => undefined,
    };
  },
);
