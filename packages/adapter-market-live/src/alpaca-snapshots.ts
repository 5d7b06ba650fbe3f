import {
  type Decimal,
  MINUTE,
  type Security,
  type StockId,
  type Timestamp,
  hasPassed,
} from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import { z } from 'zod';
import { type StreamListener, alpacaStream } from './alpaca-stream.js';
import type { Connect } from './connect.js';
import { type AlpacaKey, DATA_HOST, alpacaRequests } from './alpaca-requests.js';
import { invalidSymbol, isAlpacaStock } from './alpaca-symbols.js';
import { namedStocks } from './named-stocks.js';
import { reconnection } from './reconnection.js';
import { NOBODY, OTHER_NAME, type Source } from './source.js';
import { standingQuotes } from './standing-quotes.js';
import { dropCounts, isBefore, isFarAhead, quoteOf } from './tickers.js';
import { venuePrice } from './venue.js';

/** All stocks are asked for so often, in milliseconds. */
const POLLED = 5_000;
/** A symbol that was refused is asked for again after this time: after a change of names a venue knows the new ones late. */
const ASKED_AGAIN = 10 * MINUTE;
/** The most symbols of one request. */
const CHUNK = 200;
/** Quotes stand while Alpaca answered within this time, and a request is given up after it. */
const PROVED = 10_000;

const STREAM = 'wss://stream.data.alpaca.markets';

const snapshot = z.object({
  latestQuote: z.object({ t: z.string(), bp: venuePrice, ap: venuePrice }).nullish(),
  latestTrade: z.object({ t: z.string().default(''), p: venuePrice }).nullish(),
});
const snapshots = z.record(z.string(), z.unknown());
const refusal = z.object({ message: z.string() });

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
  const { feed, random, log } = options;
  const request = alpacaRequests(options, DATA_HOST);
  const name = 'alpaca';
  const pauses = reconnection(random);
  const drops = dropCounts();
  const standing = standingQuotes();
  const named = namedStocks(({ symbol }) => symbol);
  const known = new Map<string, Known>();
  const halts = new Map<string, VenueHalt>();
  const streamedSymbols = new Set<string>();
  /** When Alpaca refused a symbol last. */
  const refusedAt = new Map<string, Timestamp>();
  /** The venue's time of the last halt or resumption. */
  const toldAt = new Map<string, Timestamp>();
  let listener = NOBODY;
  let clock: () => Timestamp = () => 0;
  let polledAt: Timestamp = -Infinity;
  let answeredAt: Timestamp | undefined;
  let polling: AbortController | undefined;
  let failures = 0;

  const isRefused = (symbol: string): boolean =>
    !hasPassed(ASKED_AGAIN, refusedAt.get(symbol) ?? -Infinity, clock());

  const asked = (): readonly string[] => named.symbols().filter((symbol) => !isRefused(symbol));

  const isStale = (venueAt: Timestamp, now: Timestamp): boolean => now - venueAt > options.freshFor;

  /** The last quote of the symbol is true no longer. */
  const withdraw = (symbol: string): void => {
    for (const { id } of named.of(symbol)) standing.remove(id);
  };

  /** Takes a quote of the symbol; one that is the same as before only proves that it stands. */
  const takeQuote = (
    symbol: string,
    { bid, ask: offer, last, time }: { bid: string; ask: string; last: string; time: string },
    now: Timestamp,
    isSnapshot: boolean,
  ): void => {
    const venueAt = Date.parse(time);
    if (Number.isNaN(venueAt)) return drops.count('unreadable');
    if (isFarAhead(venueAt, now)) {
      // Remembered, it would never be stale, and every later quote would seem older.
      drops.count('disordered');
      return withdraw(symbol);
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
    if (isStale(venueAt, now) || halts.has(symbol)) return withdraw(symbol);
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
      return withdraw(symbol);
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
      if (last === undefined || isRefused(symbol)) return;
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

  const ask = async (symbols: readonly string[], signal: AbortSignal): Promise<void> => {
    const query = { symbols: symbols.join(','), feed };
    const answer = await request('/v2/stocks/snapshots', query, signal);
    const { body } = answer;
    if (signal.aborted) return;
    if (!answer.ok) {
      const reason = refusal.safeParse(body).data?.message ?? '';
      const invalid = invalidSymbol(reason);
      if (answer.status === 400 && invalid !== undefined && symbols.includes(invalid)) {
        if (!refusedAt.has(invalid))
          log.warn(
            { source: name, symbols: [invalid] },
            'the market does not list these: no quotes',
          );
        refusedAt.set(invalid, clock());
        withdraw(invalid);
        const others = symbols.filter((symbol) => symbol !== invalid);
        return others.length === 0 ? undefined : ask(others, signal);
      }
      throw new Error(`it answered ${answer.status}`);
    }
    const now = clock();
    for (const [symbol, one] of Object.entries(snapshots.parse(body)))
      takeSnapshot(symbol, one, now);
  };

  const poll = async (controller: AbortController): Promise<void> => {
    const symbols = asked();
    const chunks = Array.from({ length: Math.ceil(symbols.length / CHUNK) }, (_, index) =>
      symbols.slice(index * CHUNK, (index + 1) * CHUNK),
    );
    try {
      await Promise.all(chunks.map((chunk) => ask(chunk, controller.signal)));
      if (polling === controller) answeredAt = clock();
    } catch (error) {
      if (polling !== controller) return;
      failures += 1;
      pauses.ended(clock());
      const reason = error instanceof z.ZodError ? 'it cannot be read' : String(error);
      log.warn({ source: name, reason }, 'a market gave no quotes; it will be asked again');
    } finally {
      controller.abort();
      if (polling === controller) polling = undefined;
    }
  };

  /** The stock has another symbol now: what is known of this one does not concern it. */
  const forget = (stockId: StockId): void => {
    const symbol = named.symbolOf(stockId);
    if (symbol === undefined) return;
    if (halts.has(symbol)) listener.status(stockId, 'active', OTHER_NAME);
    named.remove(stockId);
    standing.remove(stockId);
    if (named.of(symbol).length > 0) return;
    for (const one of [halts, toldAt, known, refusedAt]) one.delete(symbol);
  };

  const stands = (now: Timestamp): boolean =>
    answeredAt !== undefined && !hasPassed(PROVED, answeredAt, now);

  return {
    name,
    quotes: isAlpacaStock,
    start(stocks, given, now) {
      listener = given;
      clock = now;
      for (const stock of stocks) named.put(stock);
    },
    add(stocks) {
      for (const stockId of named.renamed(stocks)) forget(stockId);
      for (const stock of stocks) {
        const symbol = named.put(stock);
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
      stream?.prefer([...new Set(symbols)].filter((symbol) => !isRefused(symbol)));
    },
    beat() {
      const now = clock();
      stream?.beat();
      if (polling && hasPassed(PROVED, polledAt, now)) polling.abort();
      const isTime = hasPassed(POLLED, polledAt, now) && pauses.isDue(now);
      if (!polling && isTime && asked().length > 0) {
        polledAt = now;
        pauses.started(now);
        polling = new AbortController();
        void poll(polling);
      }
      standing.expire(now);
      const gone = standing.withdrawn(now, stands(now));
      if (gone.length > 0) listener.lost(gone);
      if (answeredAt === undefined || !stands(now)) return;
      const due = standing.due(now, answeredAt);
      if (due.length > 0) listener.quotes(due);
    },
    health: (now) => ({
      name,
      age: answeredAt === undefined ? null : now - answeredAt,
      healthy: stands(now),
      reconnects: failures + (stream?.reconnects() ?? 0),
      drops: drops.byReason(),
    }),
    stop() {
      const last = polling;
      polling = undefined;
      last?.abort();
      stream?.stop();
    },
  };
}
