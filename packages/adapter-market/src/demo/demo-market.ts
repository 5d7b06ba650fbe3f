import { type Quote, type Stock, isUsable, DAY } from '@slipstream/domain';
import type { Clock, FeedListener, MarketFeed, Timers } from '@slipstream/ports';
import { type PriceProcess, priceProcess, seededFactors } from './price-process.js';
import { steadySource } from '../steady-source.js';

/** Every instrument gets a new quote within this time, well before its last one is stale (contract 3). */
const ROUND = 8_000;
/** After a longer pause (a sleeping laptop) the market continues as if only this time had passed. */
const LONGEST_PAUSE = 60_000;

/** The symbols of instruments that trade at every moment, and so get a quote on every beat. */
const LIQUID: ReadonlySet<string> = new Set(
  'SPY QQQ AAPL AMZN GOOG GOOGL META MSFT NVDA TSLA BTCUSD ETHUSD SOLUSD XRPUSD'.split(' '),
);

export interface DemoMarketOptions {
  /** The same seed, stocks, clock and beats give the same quotes. */
  readonly seed: string;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Milliseconds from beat to beat; 500 by default. */
  readonly interval?: number;
}

/**
 * `MARKET=demo` (contract 7): simulated quotes round the clock for every instrument. Each price follows a common factor, one
 * for stocks and one for coins, and its own random moves, with the recorded volatility.
 */
export function demoMarket({ seed, clock, timers, interval = 500 }: DemoMarketOptions): MarketFeed {
  let stopBeats = (): void => {};
  let saidAt: number | undefined;

  const start = (
    stocks: readonly Stock[],
    resume: readonly Quote[],
    listener: FeedListener,
  ): void => {
    const resumed = new Map(resume.filter(isUsable).map((quote) => [quote.stockId, quote]));
    const factors = seededFactors(seed);
    const processOf = (stock: Stock): PriceProcess =>
      priceProcess(seed, stock, factors, resumed.get(stock.id));
    const liquid = stocks.filter(({ symbol }) => LIQUID.has(symbol)).map(processOf);
    const others = stocks.filter(({ symbol }) => !LIQUID.has(symbol)).map(processOf);
    const share = Math.min(others.length, Math.ceil((others.length * interval) / ROUND));
    let next = 0;
    let last = clock.now();
    saidAt = last;

    const beat = (): void => {
      const now = clock.now();
      saidAt = now;
      factors.advance(Math.min(Math.max(now - last, 0), LONGEST_PAUSE) / DAY);
      last = now;
      const turn = Array.from({ length: share }, (_, index) => (next + index) % others.length);
      next = (next + share) % Math.max(others.length, 1);
      const moved = turn.flatMap((index) => others[index] ?? []);
      listener.quotes([...liquid, ...moved].map((process) => process.quote(now)));
    };

    listener.quotes([...liquid, ...others].map((process) => process.quote(last)));
    stopBeats = timers.every(interval, beat);
  };

  return {
    acceptsQuotes: false,
    quotesNewShares: false,
    notice: 'Prices are simulated. They are not the prices of any market.',
    start: async (stocks, resume, listener) => {
      stopBeats();
      start(stocks, resume, listener);
    },
    health: () => [steadySource('demo', saidAt, clock.now())],
    stop: async () => {
      stopBeats();
      stopBeats = () => {};
    },
  };
}
