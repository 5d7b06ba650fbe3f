import {
  type Decimal,
  type Security,
  type Stock,
  type StockId,
  type Timestamp,
  hasPassed,
} from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import { z } from 'zod';
import { type StreamListener, alpacaStream } from './alpaca-stream.js';
import type { Connect } from './connect.js';
import { type AlpacaKey, DATA_HOST, alpacaRequests } from './alpaca-requests.js';
import { reconnection } from './reconnection.js';
import { NOBODY, OTHER_NAME, type Source } from './source.js';
import { standingQuotes } from './standing-quotes.js';
import { dropCounts, isFarAhead, quoteOf } from './tickers.js';
import { venuePrice } from './venue.js';

/** All stocks are asked for so often, in milliseconds. */
const POLLED = 5_000;
/** The most symbols of one request. */
const CHUNK = 200;
/** Quotes stand while Alpaca answered within this time, and a request is given up after it. */
const PROVED = 10_000;

const STREAM = 'wss://stream.data.alpaca.markets';

/** Alpaca names these exchanges' stocks by their tickers. */
const EXCHANGES = ['NYSE', 'NASDAQ', 'CBOE', 'NYSEARCA', 'AMEX', 'BATS'];

const snapshot = z.object({
  latestQuote: z.object({ t: z.string(), bp: venuePrice, ap: venuePrice }).nullish(),
  latestTrade: z.object({ t: z.string().default(''), p: venuePrice }).nullish(),
});
const snapshots = z.record(z.string(), z.unknown());
const refusal = z.object({ message: z.string() });
const INVALID_SYMBOL = /invalid symbol:? "?([\w./-]+)/i;

/** The symbol that Alpaca refuses a whole request for. */
export const invalidSymbol = (reason: string): string | undefined =>
  INVALID_SYMBOL.exec(reason)?.[1];

export const isAlpacaStock = ({
  security,
  exchange,
}: Pick<Stock, 'security' | 'exchange'>): boolean =>
  security === 'stock' && EXCHANGES.includes(exchange);

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
  const stockOf = new Map<string, Stock>();
  const known = new Map<string, Known>();
  const halts = new Map<string, VenueHalt>();
  const streamedSymbols = new Set<string>();
  /** The venue's time of the last halt or resumption. */
  const toldAt = new Map<string, Timestamp>();
  let listener = NOBODY;
  let clock: () => Timestamp = () => 0;
  let polledAt: Timestamp = -Infinity;
  let answeredAt: Timestamp | undefined;
  let polling: AbortController | undefined;
  let failures = 0;

  const isStale = (venueAt: Timestamp, now: Timestamp): boolean => now - venueAt > options.freshFor;

  /** Takes a quote of the symbol; one that is the same as before only proves that it stands. */
  const takeQuote = (
    stock: Stock,
    { bid, ask: offer, last, time }: { bid: string; ask: string; last: string; time: string },
    now: Timestamp,
    isSnapshot: boolean,
  ): void => {
    const venueAt = Date.parse(time);
    if (Number.isNaN(venueAt)) return drops.count('unreadable');
    if (isFarAhead(venueAt, now)) {
      // Remembered, it would never be stale, and every later quote would seem older.
      drops.count('disordered');
      return standing.remove(stock.id);
    }
    const before = known.get(stock.symbol);
    const text = [time, bid, offer, last].join(' ');
    if (before?.text === text) return;
    if (before && venueAt < before.venueAt) {
      // A snapshot may be older than what the stream told meanwhile.
      if (!isSnapshot || !streamedSymbols.has(stock.symbol)) drops.count('disordered');
      return;
    }
    known.set(stock.symbol, { text, venueAt, last });
    if (isStale(venueAt, now) || halts.has(stock.symbol)) return standing.remove(stock.id);
    const quote = quoteOf(stock, { bid, ask: offer, last }, now, options.maxSpread[stock.security]);
    if (typeof quote !== 'string') return standing.put(quote);
    drops.count(quote);
    standing.remove(stock.id);
  };

  const setHalt = (symbol: string, halt: VenueHalt | undefined, reason: string): void => {
    const stock = stockOf.get(symbol);
    if (!stock) return;
    const was = halts.has(symbol);
    if (halt) halts.set(symbol, halt);
    else halts.delete(symbol);
    if (halt) standing.remove(stock.id);
    // Its next quote counts, also one that is the same as before.
    if (!halt) known.delete(symbol);
    if (was !== (halt !== undefined)) listener.status(stock.id, halt ? 'halted' : 'active', reason);
  };

  const takeSnapshot = (symbol: string, given: unknown, now: Timestamp): void => {
    const stock = stockOf.get(symbol);
    if (!stock) return;
    const read = snapshot.nullable().safeParse(given);
    if (!read.success) {
      drops.count('unreadable');
      return standing.remove(stock.id);
    }
    if (!read.data?.latestQuote || !read.data.latestTrade) return;
    const { t: tradedAt, p: last } = read.data.latestTrade;
    const halt = halts.get(symbol);
    if (halt && !halt.isSure && Date.parse(tradedAt) > halt.at + TRADED_AFTER)
      setHalt(symbol, undefined, 'it traded since');
    const { t: time, bp: bid, ap: offer } = read.data.latestQuote;
    takeQuote(stock, { bid, ask: offer, last, time }, now, true);
  };

  const streamTold: StreamListener = {
    quote: ({ symbol, bid, ask: offer, time }) => {
      const stock = stockOf.get(symbol);
      // A stream of quotes tells no last price: that of the snapshots stands.
      const last = known.get(symbol)?.last;
      if (!stock || last === undefined) return;
      streamedSymbols.add(symbol);
      takeQuote(stock, { bid, ask: offer, last, time }, clock(), false);
    },
    halt: (symbol, isHalted, reason, at) => {
      if (at < (toldAt.get(symbol) ?? -Infinity)) return drops.count('disordered');
      // A time far ahead would make its end seem older.
      const haltedAt = Math.min(at, clock());
      toldAt.set(symbol, haltedAt);
      setHalt(symbol, isHalted ? { at: haltedAt, isSure: true } : undefined, reason);
    },
    dropped: (reason) => drops.count(reason),
    interrupted: () => {
      for (const [symbol, { at }] of halts) halts.set(symbol, { at, isSure: false });
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
      const unknown = stockOf.get(invalid ?? '');
      if (answer.status === 400 && invalid !== undefined && unknown) {
        stockOf.delete(invalid);
        // What it was quoted at may have been told long ago: nothing would make it stale.
        standing.remove(unknown.id);
        log.warn({ source: name, symbols: [invalid] }, 'the market does not list these: no quotes');
        return ask(
          symbols.filter((symbol) => symbol !== invalid),
          signal,
        );
      }
      throw new Error(`it answered ${answer.status}`);
    }
    const now = clock();
    for (const [symbol, one] of Object.entries(snapshots.parse(body)))
      takeSnapshot(symbol, one, now);
  };

  const poll = async (controller: AbortController): Promise<void> => {
    const symbols = [...stockOf.keys()];
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
  const forget = (symbol: string, stockId: StockId): void => {
    setHalt(symbol, undefined, OTHER_NAME);
    toldAt.delete(symbol);
    stockOf.delete(symbol);
    known.delete(symbol);
    standing.remove(stockId);
  };

  const stands = (now: Timestamp): boolean =>
    answeredAt !== undefined && !hasPassed(PROVED, answeredAt, now);

  return {
    name,
    quotes: isAlpacaStock,
    start(stocks, given, now) {
      listener = given;
      clock = now;
      for (const stock of stocks) if (stock.status !== 'delisted') stockOf.set(stock.symbol, stock);
    },
    add(stocks) {
      const changed = new Set(stocks.map(({ id }) => id));
      const quoted = stocks.filter(({ status }) => status !== 'delisted');
      const named = new Map(quoted.map((stock) => [stock.symbol, stock]));
      for (const [symbol, { id }] of stockOf)
        if (changed.has(id) && named.get(symbol)?.id !== id) forget(symbol, id);
      for (const [symbol, stock] of named) stockOf.set(symbol, stock);
    },
    leave(stockIds) {
      for (const [symbol, { id }] of stockOf) if (stockIds.includes(id)) forget(symbol, id);
    },
    prefer(stockIds) {
      const symbolOf = new Map([...stockOf].map(([symbol, { id }]) => [id, symbol]));
      stream?.prefer(stockIds.flatMap((stockId) => symbolOf.get(stockId) ?? []));
    },
    beat() {
      const now = clock();
      stream?.beat();
      if (polling && hasPassed(PROVED, polledAt, now)) polling.abort();
      const isTime = hasPassed(POLLED, polledAt, now) && pauses.isDue(now);
      if (!polling && stockOf.size > 0 && isTime) {
        polledAt = now;
        pauses.started(now);
        polling = new AbortController();
        void poll(polling);
      }
      for (const [symbol, { venueAt }] of known) {
        const stock = isStale(venueAt, now) && stockOf.get(symbol);
        if (stock) standing.remove(stock.id);
      }
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
