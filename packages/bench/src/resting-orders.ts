import { type OpenOrder, type Quote, decimal, id } from '@slipstream/domain';
import { below, seeded } from './seeded.js';

/** The stocks over which resting orders and quotes are spread. */
export const STOCKS = 1000;

const stockId = (index: number) => id<'stock'>(`stock-${index}`);
const price = (cents: number): string => (cents / 100).toFixed(2);

/** Orders rest below 95 or above 105, and quotes stay from 99 to 101, so no order triggers. */
export interface Resting {
  readonly order: OpenOrder;
  readonly kind: 0 | 1 | 2 | 3;
  readonly price: number;
}

/** Buy and sell, limit and stop in turn, over the first `stocks` stocks. */
export function* restingOrders(count: number, stocks = STOCKS, seed = 1): Generator<Resting> {
  const random = seeded(seed);
  for (let index = 0; index < count; index += 1) {
    const kind = ((index >> 1) % 4) as Resting['kind'];
    const isBuy = kind % 2 === 0;
    const isLimit = kind < 2;
    const cents = isBuy === isLimit ? 5000 + below(random, 4500) : 10_500 + below(random, 4500);
    const at = decimal(price(cents));
    const order: OpenOrder = {
      id: id(`order-${seed}-${index}`),
      strategyId: id(`strategy-${index % 10_000}`),
      stockId: stockId((index * 7919) % stocks),
      action: isBuy ? 'buy' : 'sell',
      pricing: isLimit ? { type: 'limit', price: at } : { type: 'stop_market', stopPrice: at },
      size: SIZE,
      dependsOn: NOTHING,
      reduceOnly: false,
      origin: 'order',
      createdAt: 0,
      triggeredAt: null,
      status: 'open',
      restingSince: isLimit ? 0 : null,
    };
    yield { order, kind, price: cents / 100 };
  }
}

const SIZE = { by: 'amount', amount: decimal('0.01') } as const;
const NOTHING: readonly never[] = [];

/** Quotes of random stocks that no resting order waits for. */
export function quietQuotes(count: number, seed = 2): Quote[] {
  const random = seeded(seed);
  return Array.from({ length: count }, () => {
    const cents = 9900 + below(random, 200);
    return {
      stockId: stockId(below(random, STOCKS)),
      bid: decimal(price(cents)),
      ask: decimal(price(cents + 1)),
      last: decimal(price(cents)),
      at: 0,
    };
  });
}
