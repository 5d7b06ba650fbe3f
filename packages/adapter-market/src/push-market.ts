import type { MarketFeed } from '@slipstream/ports';

/** `MARKET=push` (contract 7): quotes come only by newQuotes; this feed has none. */
export const pushMarket = (): MarketFeed => ({
  acceptsQuotes: true,
  quotesNewShares: true,
  notice: null,
  start: async () => {},
  health: () => [],
  stop: async () => {},
});
