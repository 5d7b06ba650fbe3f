import type { Stock } from '@slipstream/domain';
import type { Clock, MarketFeed, Timers } from '@slipstream/ports';
import type { Source } from './source.js';

/** At most so often each stock's newest quote is told, in milliseconds. */
const BEAT = 100;

export interface LiveMarketOptions {
  readonly sources: readonly Source[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly notice: string | null;
}

/** `MARKET=live`: quotes of real markets. A stock is quoted by the first source that trades it. */
export function liveMarket({ sources, clock, timers, notice }: LiveMarketOptions): MarketFeed {
  let stopBeats = (): void => {};
  return {
    acceptsQuotes: false,
    quotesNewShares: true,
    notice,
    sourceOf: (stock) => sources.find((source) => source.quotes(stock))?.name,
    start: async (stocks, _resume, listener) => {
      stopBeats();
      const left = new Set(stocks);
      for (const source of sources) {
        const own = [...left].filter((stock) => source.quotes(stock));
        for (const stock of own) left.delete(stock);
        source.start(own, listener, () => clock.now());
      }
      const beat = (): void => {
        for (const source of sources) source.beat();
      };
      beat();
      stopBeats = timers.every(BEAT, beat);
    },
    add: (stocks) => {
      const sourceOf = (stock: Stock) => sources.find((source) => source.quotes(stock));
      for (const source of sources) {
        const own = stocks.filter((stock) => sourceOf(stock) === source);
        // One may have been quoted by this source before: two of them would quote it.
        source.leave(stocks.flatMap((stock) => (own.includes(stock) ? [] : [stock.id])));
        if (own.length > 0) source.add(own);
      }
    },
    prefer: (stockIds) => {
      for (const source of sources) source.prefer?.(stockIds);
    },
    health: () => sources.flatMap((source) => source.health(clock.now())),
    stop: async () => {
      stopBeats();
      stopBeats = () => {};
      for (const source of sources) source.stop();
    },
  };
}
