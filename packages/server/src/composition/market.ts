import { demoMarket, pushMarket, replayMarket } from '@slipstream/adapter-market';
import {
  type Source,
  type Venue,
  alpacaActions,
  alpacaCalendar,
  type AlpacaKey,
  alpacaSnapshots,
  coinbase,
  connectByWebSocket,
  kraken,
  liveMarket,
  streamSource,
} from '@slipstream/adapter-market-live';
import type {
  AnnouncedActions,
  Clock,
  Log,
  MarketCalendar,
  MarketFeed,
  Timers,
} from '@slipstream/ports';
import { type FeedName, feedsOf } from '../settings/feed-settings.js';
import type { ServerSettings } from '../settings/settings.js';
import { standInUrl } from '../settings/stand-in-url.js';

interface MarketParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** What users must know of the quotes: stocks need keys of the operator. */
const STOCKS_UNQUOTED =
  'Stocks have no quotes: this server has no key for the market data of stocks.';

/** The address of a stand-in, without the slash at its end. */
const originOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : standInUrl(text)?.origin;

const alpacaKey = (settings: ServerSettings): AlpacaKey => ({
  keyId: settings.ALPACA_DATA_KEY_ID ?? '',
  secret: settings.ALPACA_DATA_SECRET ?? '',
  url: originOf(settings.ALPACA_DATA_URL),
  fetch,
});

/** The source of corporate actions, if the settings have a key for it. */
export const announcedActionsOf = (
  settings: ServerSettings,
  log: Log,
): AnnouncedActions | undefined =>
  feedsOf(settings).includes('alpaca') ? alpacaActions({ ...alpacaKey(settings), log }) : undefined;

/** The calendar of the exchanges, if the settings have a key for it. */
export const marketCalendarOf = (settings: ServerSettings): MarketCalendar | undefined =>
  feedsOf(settings).includes('alpaca') ? alpacaCalendar(alpacaKey(settings)) : undefined;

/** Beside stand-ins of the data alone nothing is streamed: tests reach no host outside. */
const streamsOf = ({ ALPACA_STREAM_URL: url, ALPACA_DATA_URL: data }: ServerSettings) =>
  url === undefined && data !== undefined
    ? undefined
    : { connect: connectByWebSocket, url: url === undefined ? undefined : new URL(url).origin };

function realMarkets(settings: ServerSettings, { clock, timers, log }: MarketParts): MarketFeed {
  const { MAX_SPREAD: maxSpread } = settings;
  const freshFor = settings.QUOTE_FRESH_SECONDS * 1_000;
  const random = (): number => Math.random();
  const streamed = (venue: Venue): Source =>
    streamSource(venue, { connect: connectByWebSocket, random, log, maxSpread, freshFor });
  const makers: Readonly<Record<FeedName, () => Source>> = {
    coinbase: () => streamed(coinbase(settings.COINBASE_STREAM_URL)),
    kraken: () => streamed(kraken(settings.KRAKEN_STREAM_URL)),
    alpaca: () =>
      alpacaSnapshots({
        ...alpacaKey(settings),
        feed: settings.ALPACA_DATA_FEED ?? 'iex',
        stream: streamsOf(settings),
        random,
        log,
        maxSpread,
        freshFor,
      }),
  };
  const names = feedsOf(settings);
  const notice = names.includes('alpaca') ? null : STOCKS_UNQUOTED;
  return liveMarket({ sources: names.map((name) => makers[name]()), clock, timers, notice });
}

/** The market that the settings choose. */
export function marketOf(settings: ServerSettings, parts: MarketParts): MarketFeed {
  const { clock, timers, log } = parts;
  switch (settings.MARKET) {
    case 'demo':
      return demoMarket({ seed: settings.DEMO_SEED ?? String(clock.now()), clock, timers });
    case 'replay': {
      const { REPLAY_FILES: files, REPLAY_SPEED: speed } = settings;
      return replayMarket({ files, speed, clock, timers, log });
    }
    case 'push':
      return pushMarket();
    case 'live':
      return realMarkets(settings, parts);
  }
}
