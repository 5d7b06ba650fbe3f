import type { Timestamp } from '../ids.js';
import type { Decimal } from '../numbers/decimal.js';

/** The kinds of market that a host can run: simulated, recorded, pushed by its operator, or the real one. */
export const MARKET_KINDS = ['demo', 'replay', 'push', 'live'] as const;

/** `unknown`: recorded before fills named their source, or by a host that does not name its market. */
export const FILL_MARKETS = [...MARKET_KINDS, 'unknown'] as const;
export type FillMarket = (typeof FILL_MARKETS)[number];

/** The origin of a stock's quotes. */
export interface QuoteSource {
  readonly market: FillMarket;
  /** The name of the feed or vendor that quotes the stock; null while unknown. */
  readonly provider: string | null;
}

/**
 * Where a fill comes from (contract 8). The three figures of the quote are present together, or null together: a delisting is
 * settled without a quote, and old fills did not keep it.
 */
export interface FillSource extends QuoteSource {
  readonly quoteBid: Decimal | null;
  readonly quoteAsk: Decimal | null;
  readonly quoteAt: Timestamp | null;
}

/** The source of a host that names none. */
export const UNKNOWN_SOURCE: QuoteSource = { market: 'unknown', provider: null };
