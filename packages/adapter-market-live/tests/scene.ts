import { instruments } from '@slipstream/adapter-market';
import { type Quote, type StockId, decimal } from '@slipstream/domain';
import { handTimers } from '@slipstream/port-contracts';
import type { FeedListener, MarketFeed } from '@slipstream/ports';
import { type PublicStream, coinbaseStream, krakenStream } from '@slipstream/stand-ins';
import { type Connect, coinbase, kraken, liveMarket, streamSource } from '../src/index.js';

/** A handshake and an answer in this process are some microtasks long. */
const microtasks = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
};

/** A clock and timers that move by hand; between two timers everything that waits is done. */
export function steps(start = Date.UTC(2026, 10, 22), settle = microtasks) {
  const { clock, every, passWith, setBack } = handTimers(start);
  return {
    clock,
    setBack,
    timers: { every },
    pass: (milliseconds: number) => passWith(milliseconds, settle),
  };
}

const quiet = () => undefined;

/** Which stand-in plays which venue, and a coin that is traded there. */
export const VENUES = {
  coinbase: { streamOf: coinbaseStream, venue: coinbase(), symbol: 'BTC-USD', coin: 'BTCUSD' },
  kraken: { streamOf: krakenStream, venue: kraken(), symbol: 'XMR/USD', coin: 'XMRUSD' },
} as const;
export type VenueName = keyof typeof VENUES;

/** Quotes are fresh for a minute, as by default. */
export const FRESH = 60_000;

/** The venue lists the symbol, and never answers for it. */
const deafTo =
  (connect: Connect, symbol: string): Connect =>
  (url, events) =>
    connect(url, {
      ...events,
      message: (text) => {
        const answer = text.replaceAll(`,${JSON.stringify(symbol)}`, '');
        const isDropped = text.includes('"success"') && text.includes(JSON.stringify(symbol));
        if (!isDropped) events.message(text.includes('"subscriptions"') ? answer : text);
      },
    });

/** A feed of one venue, whose stand-in proves itself alive every second and quotes the coin at 100 to 101. */
export function scene(name: VenueName, random: () => number = () => 0.5, deaf?: string) {
  const { streamOf, venue, symbol, coin } = VENUES[name];
  const { clock, timers, pass, setBack } = steps();
  const warned: string[] = [];
  const log = {
    info: quiet,
    error: quiet,
    warn: (_: object, text: string) => void warned.push(text),
  };
  const stream: PublicStream = streamOf({ now: clock.now });
  stream.list(symbol);
  stream.quote(symbol, { bid: '100', ask: '101' });
  timers.every(1_000, () => stream.heartbeat());
  const maxSpread = { stock: decimal('0.02'), cryptocurrency: decimal('0.03') };
  const connect = deaf === undefined ? stream.connect : deafTo(stream.connect, deaf);
  const source = streamSource(venue, { connect, random, log, maxSpread, freshFor: FRESH });
  const feed: MarketFeed = liveMarket({ sources: [source], clock, timers, notice: null });
  const stocks = instruments().filter(({ symbol: own }) => own === coin);
  const quotes: Quote[] = [];
  const lost: StockId[] = [];
  const told: string[] = [];
  const listener: FeedListener = {
    quotes: (some) => quotes.push(...some),
    lost: (some) => lost.push(...some),
    status: (_, status, reason) => told.push(`${status}: ${reason}`),
  };
  const said = () => quotes.map(({ bid, ask }) => `${bid.toFixed()}/${ask.toFixed()}`);
  const health = () => feed.health()[0];
  return {
    clock,
    feed,
    health,
    listener,
    lost,
    pass,
    quotes,
    said,
    setBack,
    stocks,
    stream,
    symbol,
    told,
    warned,
  };
}

/** The same, started and quoted. */
export async function started(name: VenueName, random?: () => number) {
  const made = scene(name, random);
  await made.feed.start(made.stocks, [], made.listener);
  await made.pass(500);
  return made;
}
