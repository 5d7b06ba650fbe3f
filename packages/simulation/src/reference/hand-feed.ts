import { decimal, id } from '@slipstream/domain';
import type { FeedListener, MarketFeed } from '@slipstream/ports';
import type { QuoteText } from './commands.js';

/** The prices of a quote as decimals. */
export const figuresOf = ({ bid, ask, last }: QuoteText) => ({
  bid: decimal(bid),
  ask: decimal(ask),
  last: decimal(last),
});

/**
 * A feed driven by the story; it does not wait for the core. It accepts pushed quotes beside its own, so that no quote is held as
 * a split that nobody booked: the reference has no such guard, which has stories of its own.
 */
export function handFeed(knowsSplits: boolean) {
  let told: FeedListener = {
    quotes: () => undefined,
    lost: () => undefined,
    status: () => undefined,
  };
  const feed: MarketFeed & { readonly quotesNewShares: boolean } = {
    acceptsQuotes: true,
    quotesNewShares: knowsSplits,
    notice: null,
    start: async (_stocks, _resume, to) => {
      told = to;
    },
    health: () => [],
    stop: async () => undefined,
  };
  const hand = (batch: readonly QuoteText[]): void =>
    told.quotes(
      batch.map((quote) => ({ stockId: id(quote.stockId), at: quote.at, ...figuresOf(quote) })),
    );
  return { feed, hand };
}
