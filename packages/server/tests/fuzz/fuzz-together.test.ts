import { afterEach, describe, expect, it } from '@jest/globals';
import { ONE, ZERO, decimal } from '@slipstream/domain';
import type { ResponseOf } from '@slipstream/wire';
import fc from 'fast-check';
import { type Answer } from '../helpers/call.js';
import { type ComposedServer, STORAGES, composedServer } from '../helpers/composed-server.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20260304);
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const [AAPL, MSFT] = ['AAPL:NASDAQ', 'MSFT:NASDAQ'];
const STATUSES = ['open', 'filled', 'cancelled', 'rejected'] as const;

type Order = ResponseOf<'newOrder'>;
/** A request by its operation; the strategy is filled in. */
type Asked = readonly [
  name: 'newOrder' | 'newOrderAllocations' | 'newOrderWebhook' | 'deleteOrder' | 'updateStrategy',
  fields: Readonly<Record<string, unknown>>,
];

const stock = fc.constantFrom(AAPL, AAPL, MSFT, 'NOTHING:NYSE');
const action = fc.constantFrom('buy', 'sell');
const newOrder = fc.oneof(
  fc.record({ stock_id: stock, action, amount: fc.constantFrom('0.001', '0.004', '9') }),
  fc.record({ stock_id: stock, action, total: fc.constantFrom('0.3', '0') }),
  fc.record({
    stock_id: stock,
    action,
    type: fc.constant('limit'),
    price: fc.constantFrom('150', '250'),
    amount: fc.constantFrom('0.002', 'x'),
  }),
);
const newOrderAllocations = fc.record({
  allocations: fc.uniqueArray(
    fc.record({ stock_id: stock, percent: fc.constantFrom('0', '0.5', '-0.5', '1', '3') }),
    { maxLength: 2, selector: (allocation) => allocation.stock_id },
  ),
});
const newOrderWebhook = fc.record({
  stock_id: stock,
  action: fc.constantFrom('buy', 'sell', 'close', 'hold'),
  leverage: fc.constantFrom(0.5, 1, 9),
  pyramiding: fc.constantFrom(1, 2),
});
const asked: fc.Arbitrary<Asked> = fc.oneof(
  newOrder.map((fields) => ['newOrder', fields] as const),
  newOrderAllocations.map((fields) => ['newOrderAllocations', fields] as const),
  newOrderWebhook.map((fields) => ['newOrderWebhook', fields] as const),
  fc.constant(['deleteOrder', { order_id: 'first' }] as const),
  fc.constantFrom(['updateStrategy', { name: 'Again' }], [
    'updateStrategy',
    { price: -1 },
  ] as const),
);

describe.each(STORAGES)(`requests that come together, on %s (TEST_SEED=${SEED})`, (storage) => {
  let server: ComposedServer;
  afterEach(() => server.close());

  it('each take effect completely or not at all, one after another', async () => {
    // A strategy for each run, also with many more runs.
    server = await composedServer({ storage, environment: { CAPS: 'strategies=10000' } });
    const owner = await server.user('ada');
    await server.quotes({ [AAPL]: [199.98, 200.02], [MSFT]: [399, 401] });

    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 2, maxLength: 8 }), async (requests) => {
        const { strategy_id } = await server.ask(
          'newStrategy',
          { type: 'stock', name: 'Busy' },
          owner,
        );
        const first = await server.ask(
          'newOrder',
          { strategy_id, stock_id: AAPL, action: 'buy', type: 'limit', price: '1', amount: '1' },
          owner,
        );
        const before = await bookOf(strategy_id);
        const answers = await Promise.all(
          requests.map(async ([name, { order_id, ...fields }]) => {
            const named = order_id === undefined ? {} : { order_id: first.order_id };
            return {
              name,
              answer: await server.attempt(name, { strategy_id, ...fields, ...named }, owner),
            };
          }),
        );

        for (const { answer } of answers) expect([200, 400]).toContain(answer.status);
        const after = await bookOf(strategy_id);
        expect(after.cash).toBe(cashOf(after.trades));
        const ids = after.orders.map(({ order_id }) => order_id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining(answers.flatMap(placedBy)));
        const done = answers.filter(
          ({ name, answer }) => answer.status === 200 && name !== 'updateStrategy',
        );
        if (done.length === 0) expect(after).toEqual(before);
        expect(done.filter(({ name }) => name === 'deleteOrder').length).toBeLessThanOrEqual(1);
      }),
      { seed: SEED, numRuns: 20 * MORE },
    );

    async function bookOf(strategy_id: string) {
      const { cash, version } = await server.ask('getPositions', { strategy_id }, owner);
      const trades = await server.ask('getTrades', { strategy_id }, owner);
      const orders: Order[] = [];
      for (const order_status of STATUSES)
        orders.push(...(await server.ask('getOrders', { strategy_id, order_status }, owner)));
      return { cash, version, trades, orders };
    }
  });
});

/** Contract 1, "Decimals": what the trades leave of the cash that a strategy begins with. */
const cashOf = (trades: ResponseOf<'getTrades'>): string =>
  trades
    .reduce((cash, { action: side, total, fee_total, rounding }) => {
      const gross = decimal(total).times(side === 'buy' ? decimal('-1') : ONE);
      return cash.plus(gross).minus(decimal(fee_total)).minus(decimal(rounding));
    }, ONE.plus(ZERO))
    .toFixed();

/** The orders that an answer says were placed; one of amount 0 is not kept. */
function placedBy({ name, answer }: { name: Asked[0]; answer: Answer }): string[] {
  if (answer.status !== 200 || !name.startsWith('newOrder')) return [];
  const orders = [answer.body?.response as Order | readonly Order[]].flat();
  return orders.filter(({ amount }) => amount !== '0').map(({ order_id }) => order_id);
}
