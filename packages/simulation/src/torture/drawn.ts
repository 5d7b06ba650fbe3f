import type { Client } from '@slipstream/client';
import { STOCKS, type Trading } from './scene.js';
import type { Sent } from './sent.js';

/** Something to pick from. */
export const pick = <Item>(random: () => number, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item;

const price = (random: () => number): number => Math.round(9000 + random() * 2000) / 100;

/** Quotes of every stock around 100. */
export const drawnQuotes = (random: () => number): Parameters<Client['newQuotes']>[0] => ({
  quotes: STOCKS.map((stock_id) => {
    const bid = price(random);
    return { stock_id, bid, ask: Number((bid + 0.01).toFixed(2)), last: bid };
  }),
});

export interface DrawOptions {
  readonly random: () => number;
  /** Part of the names of the requests. */
  readonly name: string;
  /** True if some orders have no key, and some alerts not even an alert_id: they cannot be sent again. */
  readonly someArePlain?: boolean;
}

/** Draws one trading request of a strategy after another. */
export function drawing(
  trading: Trading,
  { random, name: ofLoad, someArePlain = false }: DrawOptions,
): (strategyId: string) => Sent {
  let drawn = 0;
  return (strategy_id) => {
    drawn += 1;
    const name = `${ofLoad}-${drawn}`;
    const made = (sent: Pick<Sent, 'name' | 'fields' | 'key'>): Sent => ({
      ...sent,
      strategyId: strategy_id,
      answer: undefined,
    });
    const stock_id = pick(random, STOCKS);
    const isPlain = someArePlain && random() < 0.3;
    const kind = random();
    if (kind < 0.2) {
      const allocations = STOCKS.map((stock) => ({
        stock_id: stock,
        percent: Math.round(random() * 120 - 60) / 100,
      }));
      const fields = { strategy_id, allocations };
      return made({ name: 'newOrderAllocations', fields, key: name });
    }
    if (kind < 0.55) {
      const action = pick(random, ['buy', 'sell', 'close']);
      const alert = { strategy_id, stock_id, action, leverage: 0.5, pyramiding: 3 };
      return made({
        name: 'newOrderWebhook',
        fields: isPlain ? alert : { ...alert, alert_id: name },
        key: isPlain || kind > 0.4 ? undefined : name,
      });
    }
    // A total of its own shows whether a request took effect twice.
    const total = `0.01${String(totalNumber(trading)).padStart(9, '0')}1`;
    const order = { strategy_id, stock_id, action: pick(random, ['buy', 'sell']), total };
    return made({
      name: 'newOrder',
      fields: kind < 0.8 ? { ...order, type: 'limit', price: price(random) } : order,
      key: isPlain ? undefined : name,
    });
  };
}

const totals = new WeakMap<Trading, number>();

/** A new number for each request: 1, 2, 3 … */
function totalNumber(trading: Trading): number {
  const number = (totals.get(trading) ?? 0) + 1;
  totals.set(trading, number);
  return number;
}
