import { MINUTE, SECOND, type StockId, type StrategyId } from '@slipstream/domain';
import type { Core } from '../core.js';
import { botsHitBy } from '../mirroring/restraints/halts.js';
import { Throttle } from '../housekeeping/throttle.js';

const TOLD = 5 * SECOND;
/** Bots are many, and what they mirror changes slowly. */
const BOTS_READ = 5 * MINUTE;

const more = <Key>(counts: Map<Key, number>, key: Key, by = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + by);

const byCount = (counts: ReadonlyMap<StockId, number>): StockId[] =>
  [...counts]
    .toSorted(([one, first], [other, second]) => second - first || (one < other ? -1 : 1))
    .map(([stockId]) => stockId);

/** For each stock the number of bots that mirror a strategy which holds it. */
async function mirroredStocks(core: Core): Promise<ReadonlyMap<StockId, number>> {
  const { live, pause } = core;
  const strategies = new Map<StrategyId, number>();
  for await (const bots of botsHitBy(core, { scope: 'all', target: null })) {
    for (const { allocations } of bots)
      for (const { strategyId } of allocations) more(strategies, strategyId);
    await pause();
  }
  const stocks = new Map<StockId, number>();
  for (const [strategyId, count] of strategies)
    for (const stockId of live.book(strategyId)?.positions.keys() ?? [])
      more(stocks, stockId, count);
  return stocks;
}

/**
 * Names to the feed the stocks that matter most now: those with the most open orders, then those that the most bots mirror. The
 * returned function is called often and does so every few seconds.
 */
export function preferredStocks(core: Core): () => Promise<void> {
  const { marketFeed, live, clock } = core;
  let mirrored: ReadonlyMap<StockId, number> = new Map();
  const [telling, reading] = [new Throttle(), new Throttle()];
  return async () => {
    const now = clock.now();
    if (!marketFeed.prefer || !telling.isDue(now)) return;
    telling.done(now, TOLD);
    if (reading.isDue(now)) {
      reading.done(now, BOTS_READ);
      mirrored = await mirroredStocks(core);
    }
    const ordered = byCount(live.stocksWaitedFor());
    marketFeed.prefer([...new Set([...ordered, ...byCount(mirrored)])]);
  };
}
