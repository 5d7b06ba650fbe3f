import type { Decimal, Security, Stock, StockId, Timestamp } from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import { z } from 'zod';
import { alpacaPolls } from './polls.js';
import { type StreamListener, alpacaStream } from './stream.js';
import type { Connect } from '../connect.js';
import { type AlpacaKey, DATA_HOST, alpacaRequests, isRefusal, refusedWith } from './requests.js';
import { type Answered, askWithoutRefused, isAlpacaStock } from './symbols.js';
import { namedStocks } from '../named-stocks.js';
import { NOBODY, OTHER_NAME, type Source } from '../source.js';
import { standingQuotes } from '../standing-quotes.js';
import { dropCounts, isBefore, isFarAhead, quoteOf } from '../tickers.js';
import { venuePrice } from '../venue.js';

const STREAM = 'wss://stream.data.alpaca.markets';

const snapshot = z.object({
  latestQuote: z.object({ t: z.string(), bp: venuePrice, ap: venuePrice }).nullish(),
  latestTrade: z.object({ t: z.string().default(''), p: venuePrice }).nullish(),
});
const snapshots = z.record(z.string(), z.unknown());

export interface AlpacaSnapshotsOptions extends AlpacaKey {
  /** The stream beside the snapshots; without it there are no halts. */
  readonly stream?: { readonly connect: Connect; readonly url?: string | undefined } | undefined;
  /** `iex` without a subscription, `sip` with one. */
  readonly feed: 'iex' | 'sip';
  readonly random: () => number;
  readonly log: Log;
  readonly maxSpread: Readonly<Record<Security, Decimal>>;
  /** A quote that is older at the venue is stale, in milliseconds. */
  readonly freshFor: number;
}

interface Known {
  /** Of its last quote, as the venue wrote it; empty if the same one counts again. */
  readonly text: string;
  readonly venueAt: Timestamp;
  readonly last: string;
}

/** A halt of the venue. After the stream was interrupted its end may have been missed. */
interface VenueHalt {
  readonly at: Timestamp;
  readonly isSure: boolean;
  readonly reason: string;
}

/** A trade so long after a halt proves that it ended, if its end may have been missed. Trades are reported late. */
const TRADED_AFTER = 60_000;

/** Stocks by snapshots of Alpaca's market data, every five seconds; those that matter most by its stream, as they change. */
export function alpacaSnapshots(options: AlpacaSnapshotsOptions): Source {
  const { feed } = options;
  const request = alpacaRequests(options, DATA_HOST);
  const name = 'alpaca';
  const drops = dropCounts();
  const standing = standingQuotes();
  const named = namedStocks(({ symbol }) => symbol);
  const known = new Map<string, Known>();
  const halts = new Map<string, VenueHalt>();
  const streamedSymbols = new Set<string>();
  /** The venue's time of the last halt or resumption. */
  const toldAt = new Map<string, Timestamp>();
  let listener = NOBODY;
  let clock: () => Timestamp = () => 0;
  const isStale = (venueAt: Timestamp, now: Timestamp): boolean => now - venueAt > options.freshFor;

  /** The last quote of the symbol is true no longer. */
  const withdraw = (symbol: string): void => {
    for (const { id } of named.of(symbol)) standing.remove(id);
  };

  /** What came after the last quote is none: once it is true again it counts, also if nothing of it changed. */
  const doubt = (symbol: string): void => {
    withdraw(symbol);
    const before = known.get(symbol);
    if (before) known.set(symbol, { ...before, text: '' });
  };

  /** Takes a quote of the symbol; one that is the same as before only proves that it stands. */
  const takeQuote = (
    symbol: string,
    { bid, ask: offer, last, time }: { bid: string; ask: string; last: string; time: string },
    now: Timestamp,
    isSnapshot: boolean,
  ): void => {
    const venueAt = Date.parse(time);
    if (Number.isNaN(venueAt)) {
      drops.count('unreadable');
      return doubt(symbol);
    }
    if (isFarAhead(venueAt, now)) {
      // Remembered, it would never be stale, and every later quote would seem older.
      drops.count('ahead');
      return doubt(symbol);
    }
    const before = known.get(symbol);
    const text = [time, bid, offer, last].join(' ');
    if (before?.text === text) return;
    if (isBefore(venueAt, before?.venueAt, now)) {
      // A snapshot may be older than what the stream told meanwhile.
      if (!isSnapshot || !streamedSymbols.has(symbol)) drops.count('disordered');
      return;
    }
    known.set(symbol, { text, venueAt, last });
    const isLate = isStale(venueAt, now);
    if (isLate) drops.count('late');
    if (isLate || halts.has(symbol)) return withdraw(symbol);
    for (const [index, stock] of named.of(symbol).entries()) {
      const given = { bid, ask: offer, last };
      const quote = quoteOf(stock, given, now, options.maxSpread[stock.security]);
      if (typeof quote !== 'string') standing.put(quote, Math.min(now, venueAt) + options.freshFor);
      else {
        if (index === 0) drops.count(quote);
        standing.remove(stock.id);
      }
    }
  };

  const setHalt = (symbol: string, halt: VenueHalt | undefined, reason: string): void => {
    const stocks = named.of(symbol);
    if (stocks.length === 0) return;
    const was = halts.has(symbol);
    if (halt) halts.set(symbol, halt);
    else halts.delete(symbol);
    if (halt) withdraw(symbol);
    // Its next quote counts, also one that is the same as before.
    if (!halt) known.delete(symbol);
    if (was === (halt !== undefined)) return;
    for (const { id } of stocks) listener.status(id, halt ? 'halted' : 'active', reason);
  };

  const takeSnapshot = (symbol: string, given: unknown, now: Timestamp): void => {
    if (named.of(symbol).length === 0) return;
    const read = snapshot.nullable().safeParse(given);
    if (!read.success) {
      drops.count('unreadable');
      return doubt(symbol);
    }
    if (!read.data?.latestQuote || !read.data.latestTrade) return;
    const { t: tradedAt, p: last } = read.data.latestTrade;
    const halt = halts.get(symbol);
    if (halt && !halt.isSure && Date.parse(tradedAt) > halt.at + TRADED_AFTER)
      setHalt(symbol, undefined, 'it traded since');
    const { t: time, bp: bid, ap: offer } = read.data.latestQuote;
    takeQuote(symbol, { bid, ask: offer, last, time }, now, true);
  };

  const streamTold: StreamListener = {
    quote: ({ symbol, bid, ask: offer, time }) => {
      // A stream of quotes tells no last price: that of the snapshots stands.
      const last = known.get(symbol)?.last;
      if (last === undefined || polls.isRefused(symbol)) return;
      streamedSymbols.add(symbol);
      takeQuote(symbol, { bid, ask: offer, last, time }, clock(), false);
    },
    halt: (symbol, isHalted, reason, at) => {
      if (at < (toldAt.get(symbol) ?? -Infinity)) return drops.count('disordered');
      // A time far ahead would make its end seem older.
      const haltedAt = Math.min(at, clock());
      toldAt.set(symbol, haltedAt);
      setHalt(symbol, isHalted ? { at: haltedAt, isSure: true, reason } : undefined, reason);
    },
    dropped: (reason) => drops.count(reason),
    interrupted: () => {
      for (const [symbol, halt] of halts) halts.set(symbol, { ...halt, isSure: false });
    },
  };
  const stream =
    options.stream &&
    alpacaStream(
      {
        ...options,
        connect: options.stream.connect,
        url: `${options.stream.url ?? STREAM}/v2/${feed}`,
      },
      streamTold,
      () => clock(),
    );

  const ask = async (
    symbols: readonly string[],
    signal: AbortSignal,
    refused: (symbol: string, reason: string, isSure: boolean) => void,
  ): Promise<void> => {
    const answerTo = async (some: readonly string[]): Promise<Answered<unknown>> => {
      const query = { symbols: some.join(','), feed };
      const asked = await request('/v2/stocks/snapshots', query, signal);
      const { ok, body, reason } = asked;
      if (isRefusal(asked)) return { refusal: reason };
      if (!ok) throw new Error(refusedWith(asked));
      const now = clock();
      if (!signal.aborted)
        for (const [symbol, one] of Object.entries(snapshots.parse(body)))
          takeSnapshot(symbol, one, now);
      return { answer: body };
    };
    await askWithoutRefused(symbols, answerTo, refused);
  };

  const refuse = (symbol: string): void => {
    withdraw(symbol);
    // When it is known again its quote counts, also one that is the same as before.
    known.delete(symbol);
  };

  const polls = alpacaPolls({ ...options, name, ask, withdraw: refuse }, () => clock());
  const provedAt = (stockId: StockId, now: Timestamp): Timestamp | undefined => {
    const symbol = named.symbolOf(stockId);
    return symbol === undefined ? undefined : polls.provedAt(symbol, now);
  };

  /** The stock has another symbol now: what is known of this one does not concern it. */
  const forget = (stockId: StockId): void => {
    const symbol = named.symbolOf(stockId);
    if (symbol === undefined) return;
    if (halts.has(symbol)) listener.status(stockId, 'active', OTHER_NAME);
    named.remove(stockId);
    standing.remove(stockId);
    if (named.of(symbol).length > 0) return;
    for (const one of [halts, toldAt, known]) one.delete(symbol);
    polls.remove(symbol);
  };

  const put = (stock: Stock): string | undefined => {
    const symbol = named.put(stock);
    if (symbol !== undefined) polls.add(symbol);
    return symbol;
  };

  return {
    name,
    quotes: isAlpacaStock,
    start(stocks, given, now) {
      listener = given;
      clock = now;
      for (const stock of stocks) put(stock);
    },
    add(stocks) {
      for (const stockId of named.renamed(stocks)) forget(stockId);
      for (const stock of stocks) {
        const symbol = put(stock);
        if (symbol === undefined) continue;
        // Another stock of the symbol may be quoted, or halted, already: the next quote counts also if it is the same.
        known.delete(symbol);
        const halt = halts.get(symbol);
        if (halt) listener.status(stock.id, 'halted', halt.reason);
      }
    },
    leave(stockIds) {
      for (const stockId of stockIds) forget(stockId);
    },
    prefer(stockIds) {
      const symbols = stockIds.flatMap((stockId) => named.symbolOf(stockId) ?? []);
      stream?.prefer([...new Set(symbols)].filter((symbol) => !polls.isRefused(symbol)));
    },
    beat() {
      const now = clock();
      stream?.beat();
      polls.beat(now);
      standing.expire(now);
      const gone = standing.withdrawn(now, (stockId) => provedAt(stockId, now) !== undefined);
      if (gone.length > 0) listener.lost(gone);
      const due = standing.due(now, (stockId) => provedAt(stockId, now));
      if (due.length > 0) listener.quotes(due);
    },
    health(now) {
      const { age, healthy, failures } = polls.health(now);
      const own = { name, age, healthy, reconnects: failures, drops: drops.byReason() };
      return stream ? [own, stream.health(now)] : [own];
    },
    stop() {
      polls.stop();
      stream?.stop();
    },
  };
}
