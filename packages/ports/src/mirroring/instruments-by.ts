import type { Stock } from '@slipstream/domain';
import type { Instruments } from './broker.js';

/** The instruments with that key, in the order of `all`. */
export type InstrumentsBy = (instruments: Instruments, key: string) => readonly Stock[];

/**
 * Finds instruments by a key, such as the name that a broker has for them; those without a key are not found. It reads a list only once:
 * `all` returns the same one while nothing changes. Adapters of brokers share it.
 */
export function instrumentsBy(keyOf: (stock: Stock) => string | undefined): InstrumentsBy {
  const known = new WeakMap<readonly Stock[], ReadonlyMap<string, readonly Stock[]>>();
  const indexed = (stocks: readonly Stock[]): ReadonlyMap<string, readonly Stock[]> => {
    const found = known.get(stocks);
    if (found) return found;
    const byKey = new Map<string, Stock[]>();
    for (const stock of stocks) {
      const key = keyOf(stock);
      if (key === undefined) continue;
      const same = byKey.get(key);
      if (same) same.push(stock);
      else byKey.set(key, [stock]);
    }
    known.set(stocks, byKey);
    return byKey;
  };
  return (instruments, key) => indexed(instruments.all()).get(key) ?? [];
}
