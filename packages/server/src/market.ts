import { demoMarket, pushMarket, replayMarket } from '@slipstream/adapter-market';
import {
  type Venue,
  coinbase,
  connectByWebSocket,
  kraken,
  liveMarket,
  streamSource,
} from '@slipstream/adapter-market-live';
import type { Clock, Log, MarketFeed } from '@slipstream/ports';
import { FEEDS, type FeedName } from './settings/feed-settings.js';
import type { ServerSettings } from './settings/settings.js';
import type { Timers } from './system.js';

interface MarketParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** No feed of `MARKET=live` quotes stocks yet. */
const COINS_ONLY = 'Prices of coins are those of Coinbase and Kraken. Stocks have no quotes.';

function realMarkets(settings: ServerSettings, { clock, timers, log }: MarketParts): MarketFeed {
  const venues: Readonly<Record<FeedName, () => Venue>> = {
    coinbase: () => coinbase(settings.COINBASE_STREAM_URL),
    kraken: () => kraken(settings.KRAKEN_STREAM_URL),
  };
  const sources = (settings.FEEDS ?? FEEDS).map((name) =>
    streamSource(venues[name](), {
      connect: connectByWebSocket,
      random: () => Math.random(),
      log,
      maxSpread: settings.MAX_SPREAD,
    }),
  );
  return liveMarket({ sources, clock, timers, notice: COINS_ONLY });
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
