import { createRequire } from 'node:module';
import { type OpenOrder, TriggerIndex } from '@slipstream/domain';
import { benchmark, ratioAtLeast, ratioAtMost } from '../measure/benchmark.js';
import { cpuPerCall } from '../measure/cpu.js';
import { type Resting, restingOrders } from '../resting-orders.js';

/** The used part of nodejs-order-book; its own types refer to a file that it does not ship. */
interface OrderBook {
  limit(order: { id: string; side: 'buy' | 'sell'; size: number; price: number }): { err: unknown };
  cancel(id: string): unknown;
}
const { OrderBook } = createRequire(import.meta.url)('nodejs-order-book') as {
  OrderBook: new () => OrderBook;
};

const placeable = ({ order, price }: Resting) => ({
  id: order.id,
  side: order.action,
  size: 1,
  price,
});

/** Limit orders of one stock: the baseline engine has only one market. */
function* limitsOfOneStock(count: number, seed: number): Generator<Resting> {
  for (const resting of restingOrders(2 * count, 1, seed)) if (resting.kind < 2) yield resting;
}

/** The cost of placing and cancelling an order while very many orders rest. */
export const placeAndCancel = benchmark(
  'P12',
  [
    {
      what: 'place + cancel a CPU-second, 300k orders of one stock rest',
      baseline: 'nodejs-order-book 10.1.1, one book',
      gate: ratioAtLeast(2),
    },
    {
      what: 'growth: CPU us of place + cancel, 300k against 100k resting',
      baseline: 'its own with 100k orders',
      gate: ratioAtMost(2.5),
    },
  ],
  async ({ quick }, tell) => {
    const [few, many] = quick ? [20_000, 60_000] : [100_000, 300_000];
    const [index, small, book] = [new TriggerIndex(), new TriggerIndex(), new OrderBook()];
    tell(`${many} orders`);
    let count = 0;
    for (const resting of limitsOfOneStock(many, 3)) {
      index.put(resting.order);
      if (count++ < few) small.put(resting.order);
      const { err } = book.limit(placeable(resting));
      if (err) throw new Error('nodejs-order-book refused an order');
    }
    const fresh = [...limitsOfOneStock(quick ? 500 : 5000, 4)];

    /** Keeps a few hundred orders open, as bots do that follow the price. */
    const inFlight = Math.min(200, fresh.length / 2);
    const churn = (place: (one: Resting) => void, cancel: (one: Resting) => void): number => {
      const cpu = cpuPerCall(fresh.length, (at) => {
        place(fresh[at] as Resting);
        if (at >= inFlight) cancel(fresh[at - inFlight] as Resting);
      });
      for (const one of fresh.slice(-inFlight)) cancel(one);
      return cpu;
    };
    const onIndex = (of: TriggerIndex): number =>
      churn(
        ({ order }) => of.put(order),
        ({ order }: { order: OpenOrder }) => of.remove(order),
      );
    const onBook = (): number =>
      churn(
        (one) => void book.limit(placeable(one)),
        ({ order }) => void book.cancel(order.id),
      );
    onIndex(index);
    onBook();
    let seen: readonly (readonly [number, number])[] = [];
    return {
      async round() {
        const [figure, baseline, before] = [onIndex(index), onBook(), onIndex(small)];
        seen = [
          [few, before],
          [many, figure],
        ];
        return [
          { figure: 1e6 / figure, baseline: 1e6 / baseline, cpu: { figure, baseline } },
          { figure, baseline: before },
        ];
      },
      curves: () => [
        {
          name: 'P12: place + cancel while orders of the same stock rest',
          x: 'resting orders',
          y: 'CPU us',
          series: [{ name: 'trigger index', points: seen }],
        },
      ],
      close: () => undefined,
    };
  },
);
