import type { MarketFeed } from '@slipstream/ports';

/** `MARKET=push` (contract 7): quotes come by newQuotes alone; this feed hands over none. */
export const pushMarket = (): MarketFeed => ({
  acceptsQuotes: true,
  quotesNewShares: true,
  notice: null,
  start: async () => {},
  stop: async () => {},
});
