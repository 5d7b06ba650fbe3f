import type { Decimal, Security, Stock, Timestamp } from '@slipstream/domain';
import type { FeedListener, Log } from '@slipstream/ports';
import { z } from 'zod';
import { type AlpacaKey, DATA_HOST, alpacaRequests } from './alpaca-requests.js';
import { reconnection } from './reconnection.js';
import type { Source } from './source.js';
import { standingQuotes } from './standing-quotes.js';
import { dropCounts, quoteOf } from './tickers.js';
import { venuePrice } from './venue.js';

/** All stocks are asked for so often, in milliseconds. */
const POLLED = 5_000;
/** The most symbols of one request. */
const CHUNK = 200;
/** Quotes stand while Alpaca answered within this time, and a request is given up after it. */
const PROVED = 10_000;

/** Alpaca names these exchanges' stocks by their tickers. */
const EXCHANGES = ['NYSE', 'NASDAQ', 'CBOE', 'NYSEARCA', 'AMEX', 'BATS'];

const snapshot = z.object({
  latestQuote: z.object({ t: z.string(), bp: venuePrice, ap: venuePrice }).nullish(),
  latestTrade: z.object({ p: venuePrice }).nullish(),
});
const snapshots = z.record(z.string(), snapshot.nullable());
const refusal = z.object({ message: z.string() });
const INVALID_SYMBOL = /invalid symbol:? "?([\w./-]+)/i;

export const isAlpacaStock = ({
  security,
  exchange,
}: Pick<Stock, 'security' | 'exchange'>): boolean =>
  security === 'stock' && EXCHANGES.includes(exchange);

export interface AlpacaSnapshotsOptions extends AlpacaKey {
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
}

/** Stocks by snapshots of Alpaca's market data, every five seconds. */
export function alpacaSnapshots(options: AlpacaSnapshotsOptions): Source {
  const { feed, random, log } = options;
  const request = alpacaRequests(options, DATA_HOST);
  const name = 'alpaca';
  const pauses = reconnection(random);
  const drops = dropCounts();
  const standing = standingQuotes();
  const stockOf = new Map<string, Stock>();
  const known = new Map<string, Known>();
  let told: FeedListener = { quotes: () => {}, lost: () => {}, status: () => {} };
  let clock: () => Timestamp = () => 0;
  let polledAt: Timestamp = -Infinity;
  let answeredAt: Timestamp | undefined;
  let polling: AbortController | undefined;
  let failures = 0;

  const isStale = (venueAt: Timestamp, now: Timestamp): boolean => now - venueAt > options.freshFor;

  /** Takes the symbol's snapshot; one that is the same as before only proves that it stands. */
  const take = (symbol: string, given: z.infer<typeof snapshot> | null, now: Timestamp): void => {
    const stock = stockOf.get(symbol);
    if (!stock || !given?.latestQuote || !given.latestTrade) return;
    const { t, bp: bid, ap: ask } = given.latestQuote;
    const last = given.latestTrade.p;
    const venueAt = Date.parse(t);
    if (Number.isNaN(venueAt)) return drops.count('unreadable');
    const before = known.get(symbol);
    const text = [t, bid, ask, last].join(' ');
    if (before?.text === text) return;
    if (before && venueAt < before.venueAt) return drops.count('disordered');
    known.set(symbol, { text, venueAt });
    if (isStale(venueAt, now)) return standing.remove(stock.id);
    const quote = quoteOf(stock, { bid, ask, last }, now, options.maxSpread[stock.security]);
    if (typeof quote !== 'string') return standing.put(quote);
    drops.count(quote);
    standing.remove(stock.id);
  };

  const ask = async (symbols: readonly string[], signal: AbortSignal): Promise<void> => {
    const query = { symbols: symbols.join(','), feed };
    const answer = await request('/v2/stocks/snapshots', query, signal);
    const { body } = answer;
    if (signal.aborted) return;
    if (!answer.ok) {
      const reason = refusal.safeParse(body).data?.message ?? '';
      const invalid = INVALID_SYMBOL.exec(reason)?.[1];
      if (answer.status === 400 && invalid !== undefined && stockOf.delete(invalid)) {
        log.warn({ source: name, symbols: [invalid] }, 'the market does not list these: no quotes');
        return ask(
          symbols.filter((symbol) => symbol !== invalid),
          signal,
        );
      }
      throw new Error(`it answered ${answer.status}`);
    }
    const now = clock();
    for (const [symbol, one] of Object.entries(snapshots.parse(body))) take(symbol, one, now);
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

  const stands = (now: Timestamp): boolean =>
    answeredAt !== undefined && now - answeredAt <= PROVED;

  return {
    name,
    quotes: isAlpacaStock,
    start(stocks, listener, now) {
      told = listener;
      clock = now;
      for (const stock of stocks) if (stock.status !== 'delisted') stockOf.set(stock.symbol, stock);
    },
    beat() {
      const now = clock();
      if (polling && now - polledAt >= PROVED) polling.abort();
      if (!polling && stockOf.size > 0 && now - polledAt >= POLLED && pauses.isDue(now)) {
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
      if (gone.length > 0) told.lost(gone);
      if (answeredAt === undefined || !stands(now)) return;
      const due = standing.due(now, answeredAt);
      if (due.length > 0) told.quotes(due);
    },
    health: (now) => ({
      name,
      age: answeredAt === undefined ? null : now - answeredAt,
      healthy: stands(now),
      reconnects: failures,
      drops: drops.byReason(),
    }),
    stop() {
      const last = polling;
      polling = undefined;
      last?.abort();
    },
  };
}
