import {
  type Decimal,
  type Security,
  type StockId,
  type Timestamp,
  hasPassed,
} from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import type { Connect, Connection } from './connect.js';
import { exactJson } from './exact-json.js';
import { namedStocks } from './named-stocks.js';
import { reconnection } from './reconnection.js';
import { NOBODY, OTHER_NAME, type Source } from './source.js';
import { standingQuotes } from './standing-quotes.js';
import { symbolStates } from './symbol-states.js';
import { toldOnce } from './told-once.js';
import { dropCounts, isBefore, isFarAhead, quoteOf } from './tickers.js';
import { type VenueRequests, venueRequests } from './venue-requests.js';
import { ONLINE, type Venue, type VenueMessage, type VenueQuote } from './venue.js';

/** Quotes stand while the connection proved alive within this time. */
const PROVED = 10_000;
/** A connection is replaced after this silence. */
const SILENCE = 15_000;
/** A venue must answer a subscription within this time; those that it refused or left out are asked for again after it. */
const ANSWERED = 10_000;

/** Everything that a source takes from its host, whatever the venue is. */
export interface SourceParts {
  readonly connect: Connect;
  readonly random: () => number;
  readonly log: Log;
  readonly maxSpread: Readonly<Record<Security, Decimal>>;
  /** Of a venue that tells quotes at trades only, a quote is stale so many milliseconds after its own message. */
  readonly freshFor: number;
}

/** A connection, and what its venue has answered so far. */
interface Session {
  readonly connection: { current?: Connection };
  readonly read: ReturnType<Venue['reader']>;
  readonly requests: VenueRequests;
  aliveAt: Timestamp;
}

/** Keeps a connection to the venue, whatever happens to it, and tells the quotes that stand. */
export function streamSource(
  venue: Venue,
  { connect, random, log, maxSpread, freshFor }: SourceParts,
): Source {
  const { name } = venue;
  const pauses = reconnection(random);
  const drops = dropCounts();
  const standing = standingQuotes();
  const named = namedStocks((stock) => venue.symbolOf(stock));
  const venueTimes = new Map<string, number>();
  const refused = new Set<string>();
  let listener = NOBODY;
  let clock: () => Timestamp = () => 0;
  let session: Session | undefined;
  let aliveAt: Timestamp | undefined;
  let opened = 0;

  const end = (reason: string): void => {
    if (!session) return;
    const ended = session;
    session = undefined;
    ended.connection.current?.end();
    standing.leave(ended.aliveAt + PROVED);
    pauses.ended(clock());
    log.warn({ source: name, reason }, 'a connection to a market ended; it will be replaced');
  };

  const send = ({ connection }: Session, texts: readonly string[]): void => {
    for (const text of texts) connection.current?.send(text);
  };

  const halt = (stockId: StockId, state: string): void => {
    standing.remove(stockId);
    listener.status(stockId, 'halted', state);
  };
  const states = symbolStates(named, (stockId, state) => {
    if (state === ONLINE) listener.status(stockId, 'active', state);
    else halt(stockId, state);
  });

  const tellMissing = toldOnce(log, name, 'the market does not list these: no quotes');
  /** One symbol without an answer does not take the quotes of the others: their connection goes on. */
  const tellSilent = toldOnce(log, name, 'the market does not answer for these: no quotes');

  const tellRefused = (symbol: string, reason: string): void => {
    if (refused.has(symbol)) return;
    refused.add(symbol);
    log.warn({ source: name, symbol }, `not subscribed: ${reason}`);
  };

  const takeFailure = (by: Session, reason: string): void => {
    const failed = by.requests.failed();
    if (failed === 'not for its symbols') return end(reason);
    if (failed !== 'taken') tellRefused(failed.refused, reason);
  };

  const takeQuote = (by: Session, given: VenueQuote, now: Timestamp): void => {
    const { symbol } = given;
    // A time far ahead of ours tells no order: every later quote would seem older.
    const venueAt = isFarAhead(given.venueAt, now) ? undefined : given.venueAt;
    const stocks = named.of(symbol);
    if (stocks.length === 0 || !by.requests.isQuoted(symbol)) return drops.count('not_subscribed');
    if (venueAt !== undefined) {
      if (isBefore(venueAt, venueTimes.get(symbol), now)) return drops.count('disordered');
      venueTimes.set(symbol, venueAt);
    }
    const until = venue.tellsAt === 'trades' ? Math.min(now, venueAt ?? now) + freshFor : Infinity;
    // Its last quote is true no longer if this one is none: orders wait until both sides are there again.
    const quotes = stocks.map((stock) =>
      until < now ? 'late' : quoteOf(stock, given, now, maxSpread[stock.security]),
    );
    const [first] = quotes;
    if (typeof first === 'string') drops.count(first);
    quotes.forEach((quote, index) => {
      const stock = stocks[index];
      if (stock && typeof quote === 'string') standing.remove(stock.id);
      else if (typeof quote !== 'string' && states.isOnline(symbol)) standing.put(quote, until);
    });
  };

  const take = (by: Session, message: VenueMessage, now: Timestamp): void => {
    switch (message.kind) {
      case 'alive':
        return;
      case 'listed':
        states.list(message.symbols);
        return by.requests.listed(new Set(message.symbols.keys()));
      case 'state':
        return states.ofVenue(message.state);
      case 'accepted':
        for (const symbol of message.symbols) refused.delete(symbol);
        return by.requests.accepted(message.symbols);
      case 'refused':
        by.requests.refused(message.symbol);
        return tellRefused(message.symbol, message.reason);
      case 'failed':
        return takeFailure(by, message.reason);
      case 'quote':
        return takeQuote(by, message, now);
      case 'unreadable':
        return drops.count('unreadable');
      case 'gap':
        // A new connection tells every quote again; this one would tell each at its next change.
        standing.leave(now);
        return end('messages were lost');
      case 'ended':
        return end(message.reason);
    }
  };

  const hear = (by: Session, text: string): void => {
    if (session !== by) return;
    const now = clock();
    // No beat replaced it, so this process stood still: what waited meanwhile is of the time before.
    if (hasPassed(SILENCE, by.aliveAt, now)) return end('it was silent');
    let messages;
    try {
      messages = by.read(exactJson(text));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      messages = 'unreadable' as const;
    }
    if (typeof messages === 'string') return drops.count(messages);
    by.aliveAt = now;
    aliveAt = now;
    for (const message of messages) if (session === by) take(by, message, now);
  };

  const open = (now: Timestamp): void => {
    pauses.started(now);
    opened += 1;
    const made: Session = {
      connection: {},
      read: venue.reader(),
      requests: venueRequests(
        venue,
        () => named.symbols(),
        (texts) => send(made, texts),
        () => clock(),
      ),
      aliveAt: now,
    };
    session = made;
    venueTimes.clear();
    made.connection.current = connect(venue.url, {
      opened: () => {
        send(made, venue.greeting);
        made.requests.begin();
      },
      message: (text) => hear(made, text),
      closed: (reason) => {
        if (session === made) end(reason);
      },
    });
  };

  /** The reason to replace the connection, if there is one. */
  const problem = ({ requests, ...of }: Session, now: Timestamp): string | undefined => {
    if (hasPassed(SILENCE, of.aliveAt, now)) return 'it was silent';
    if (!hasPassed(ANSWERED, requests.askedAt(), now)) return undefined;
    if (requests.isUnlisted()) return 'the list of symbols did not come';
    const silent = requests.silent();
    if (silent.length > 0 && !requests.isAnswered()) return 'no subscription was answered';
    // Nobody would tell that a quote which came before an answer is true no longer.
    for (const { id } of silent.flatMap((symbol) => named.of(symbol))) standing.remove(id);
    tellMissing(requests.missing());
    tellSilent(silent);
    requests.askAgain();
    return undefined;
  };

  /** The stock has another symbol now: what is known of this one does not concern it. */
  const forget = (stockId: StockId): void => {
    const symbol = named.symbolOf(stockId);
    if (symbol === undefined) return;
    if (states.haltOf(symbol) !== undefined) listener.status(stockId, 'active', OTHER_NAME);
    named.remove(stockId);
    if (named.of(symbol).length === 0) states.forget(symbol);
    standing.remove(stockId);
  };

  const stands = (now: Timestamp): boolean =>
    aliveAt !== undefined && !hasPassed(PROVED, aliveAt, now);

  return {
    name,
    quotes: (stock) => venue.symbolOf(stock) !== undefined,
    start(stocks, given, now) {
      listener = given;
      clock = now;
      for (const stock of stocks) named.put(stock);
    },
    add(stocks) {
      for (const stockId of named.renamed(stocks)) forget(stockId);
      for (const stock of stocks) {
        const symbol = named.put(stock);
        const state = symbol === undefined ? undefined : states.haltOf(symbol);
        // Another stock of the symbol is halted already.
        if (state !== undefined) halt(stock.id, state);
      }
      // The venue's list, which says whether it trades them, comes at the start of a connection.
      end('stocks were added');
    },
    leave(stockIds) {
      for (const stockId of stockIds) forget(stockId);
    },
    beat() {
      const now = clock();
      session?.requests.askLate();
      const reason = session && problem(session, now);
      if (reason !== undefined) end(reason);
      if (!session && pauses.isDue(now)) open(now);
      standing.expire(now);
      const gone = standing.withdrawn(now, () => stands(now));
      if (gone.length > 0) listener.lost(gone);
      if (!session || !stands(now)) return;
      const { aliveAt: provedAt } = session;
      const due = standing.due(now, () => provedAt);
      if (due.length > 0) listener.quotes(due);
    },
    health: (now) => [
      {
        name,
        age: aliveAt === undefined ? null : now - aliveAt,
        healthy: session?.requests.isAnswered() === true && stands(now) && !standing.isEmpty(),
        reconnects: Math.max(0, opened - 1),
        drops: drops.byReason(),
      },
    ],
    stop() {
      const { current } = session?.connection ?? {};
      session = undefined;
      current?.end();
    },
  };
}
