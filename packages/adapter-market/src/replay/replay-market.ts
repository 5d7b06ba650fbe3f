import {
  type Quote,
  type Stock,
  type StockId,
  type Timestamp,
  isUsable,
  MINUTE,
} from '@slipstream/domain';
import type { Clock, Log, MarketFeed, Timers } from '@slipstream/ports';
import { floatOf, placesOf, priceOf } from '../demo/price-grid.js';
import { readRecordings } from './recording-files.js';
import { type Head, trackPlayer, tracksOf } from './replay-track.js';
import { steadySource } from '../steady-source.js';

const FASTEST_BEAT = 100;
const SLOWEST_BEAT = 1_000;
/** A quote stands until it changes; it is repeated before it could seem stale (contract 3). */
const SAID_AGAIN = 20_000;
/** After a longer pause (a sleeping laptop) the replay continues as if only this time had passed. */
const LONGEST_PAUSE = 5_000;
const MOST_STEPS_A_BEAT = 100;
/** Prices below this many steps get more decimals than usual. */
const FEWEST_STEPS = 100;
const MOST_PLACES = 12;

export interface ReplayMarketOptions {
  /** Recordings to play together (.csv or .csv.gz); README.md lists the formats. */
  readonly files: readonly string[];
  /** Recorded moments (minutes, or days in a file of days) per minute: 1 is the original speed, 60 is a minute per second. */
  readonly speed: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

function placesFor(stock: Stock, price: number): number {
  let places = placesOf(stock);
  while (price * 10 ** places < FEWEST_STEPS && places < MOST_PLACES) places += 1;
  return places;
}

/** The factors with which each stock's recorded prices continue from its last stored quote. */
function scalesOf(heads: readonly Head[], resume: readonly Quote[]): ReadonlyMap<StockId, number> {
  const resumed = new Map(resume.filter(isUsable).map((quote) => [quote.stockId, quote]));
  return new Map(
    heads.flatMap(({ recorded: { series, stocks }, row }) =>
      stocks.flatMap(({ id }): [StockId, number][] => {
        const quote = resumed.get(id);
        if (!quote) return [];
        const before = floatOf(quote.bid) + floatOf(quote.ask);
        return [[id, before / ((series.bids[row] ?? 0) + (series.asks[row] ?? 0))]];
      }),
    ),
  );
}

function quotesOf(
  { recorded: { series, stocks }, row }: Head,
  scales: ReadonlyMap<StockId, number>,
  at: Timestamp,
): Quote[] {
  return stocks.map((stock) => {
    const scale = scales.get(stock.id) ?? 1;
    const bid = (series.bids[row] ?? 0) * scale;
    const places = placesFor(stock, bid);
    const price = (recorded: number | undefined) =>
      priceOf(Math.max(1, Math.round((recorded ?? 0) * scale * 10 ** places)), places);
    return {
      stockId: stock.id,
      bid: price(series.bids[row]),
      ask: price(series.asks[row]),
      last: price(series.lasts[row]),
      at,
    };
  });
}

/**
 * `MARKET=replay` (contract 7): plays recorded quotes or bars as if they were present ones. Stocks trade only in their
 * regular session, coins round the clock; nights and gaps are skipped, splits cause no jump. It plays forwards and backwards
 * without end. Instruments without a recording get no quotes.
 */
export function replayMarket({
  files,
  speed,
  clock,
  timers,
  log,
}: ReplayMarketOptions): MarketFeed {
  if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError('speed must be above 0');
  const interval = Math.min(Math.max(MINUTE / speed, FASTEST_BEAT), SLOWEST_BEAT);
  let runs = 0;
  let stopBeats = (): void => {};
  let saidAt: Timestamp | undefined;

  const stop = (): void => {
    runs += 1;
    stopBeats();
    stopBeats = () => {};
  };

  return {
    acceptsQuotes: false,
    quotesNewShares: false,
    notice:
      'Prices are recorded ones that are played again. They are not the prices of any market today.',
    start: async (stocks, resume, listener) => {
      stop();
      const run = runs;
      const { recorded, reports } = await readRecordings(files, stocks);
      if (run !== runs) return;
      for (const report of reports) log.info({ ...report }, 'read a recording');
      if (recorded.length === 0)
        log.warn({ files }, 'the recordings have no quotes of known instruments');

      const players = tracksOf(recorded).map(trackPlayer);
      const allHeads = (): Head[] => players.flatMap((player) => player.heads());
      const scales = scalesOf(allHeads(), resume);
      const say = (heads: readonly Head[], at: Timestamp): void => {
        if (heads.length === 0) return;
        saidAt = at;
        listener.quotes(heads.flatMap((head) => quotesOf(head, scales, at)));
      };
      let last = clock.now();
      let saidAll = last;
      let due = 0;

      const beat = (): void => {
        const now = clock.now();
        due += (Math.min(Math.max(now - last, 0), LONGEST_PAUSE) * speed) / MINUTE;
        last = now;
        const steps = Math.min(Math.floor(due), MOST_STEPS_A_BEAT);
        due -= Math.floor(due);
        // A receiver may stop the feed: then it sends nothing more.
        for (let step = 0; step < steps && run === runs; step += 1)
          say(
            players.flatMap((player) => player.step()),
            now,
          );
        if (run !== runs || (now >= saidAll && now - saidAll < SAID_AGAIN)) return;
        saidAll = now;
        say(allHeads(), now);
      };

      say(allHeads(), last);
      if (run === runs) stopBeats = timers.every(interval, beat);
    },
    health: () => [steadySource('replay', saidAt, clock.now())],
    stop: async () => stop(),
  };
}
