import type { Book } from '../trading/book.js';
import { type Decimal, sign } from '../numbers/decimal.js';
import type { Timestamp } from '../ids.js';
import type { Market } from '../market/market.js';
import { tradableQuote } from '../trading/matching.js';
import { strategyValue } from '../performance/valuation.js';

/** How long a value is at or below zero before a strategy can only close, and before it is over, in milliseconds (contract 7b.9). */
export const BELOW_ZERO_LIMITS = { closesOnlyAfter: 60_000, endsAfter: 15 * 60_000 } as const;

/** How long after its end the operator may undo it, in milliseconds. */
export const END_UNDONE_WITHIN = 7 * 24 * 60 * 60_000;

/** How long a strategy's value has been at or below zero, as far as fresh quotes said so. */
export interface BelowZero {
  /** In milliseconds. While a quote is missing or old nothing is added, and nothing forgotten. */
  readonly lasted: number;
  /** The last time that all quotes said so, and until when they say it; null when they do not. */
  readonly seen: { readonly at: Timestamp; readonly until: Timestamp } | null;
}

/** The count of a strategy with a value above zero. */
export const ABOVE_ZERO: BelowZero = { lasted: 0, seen: null };

/** The value of a strategy by quotes that are all fresh and of the open sessions, and until when they are; null when one is not. */
export interface FreshValue {
  readonly value: Decimal;
  readonly until: Timestamp;
}

/** `freshFor` is in milliseconds. Null when any holding has no tradable quote. */
export function freshValue(book: Book, market: Market, freshFor: number): FreshValue | null {
  let until = Infinity;
  for (const { stockId } of book.positions.values()) {
    const stock = market.stock(stockId);
    const session = stock?.status === 'active' ? market.session(stock) : undefined;
    const quote = stock && session && tradableQuote(stock, session, market);
    if (!quote) return null;
    until = Math.min(until, quote.at + freshFor, session.closesAt);
  }
  const value = strategyValue(book, market);
  return value ? { value, until } : null;
}

/** What is known at `now`. One fresh value above zero ends it; the time between two looks counts as far as the first one reached. */
export function belowZeroAt(
  { lasted, seen }: BelowZero,
  fresh: FreshValue | null,
  now: Timestamp,
): BelowZero {
  if (fresh && sign(fresh.value) > 0) return ABOVE_ZERO;
  const since = seen === null ? 0 : Math.max(0, Math.min(now, seen.until) - seen.at);
  return {
    lasted: lasted + since,
    seen: fresh && { at: now, until: Math.max(now, fresh.until) },
  };
}

/** What follows from it: `over` ends the strategy. */
export type BelowZeroPhase = 'trades' | 'closes_only' | 'over';

/** `lasted` is in milliseconds (contract 7b.9). */
export function belowZeroPhase(lasted: number): BelowZeroPhase {
  if (lasted >= BELOW_ZERO_LIMITS.endsAfter) return 'over';
  return lasted >= BELOW_ZERO_LIMITS.closesOnlyAfter ? 'closes_only' : 'trades';
}

/** What a strategy may do, as everybody who follows it may know. */
export interface StrategyState {
  readonly closingOnly: boolean;
  readonly endedAt: Timestamp | null;
}

/** The state of a strategy that is not restricted. */
export const FULLY_TRADING: StrategyState = { closingOnly: false, endedAt: null };

/** The state of a stored strategy; `belowZeroFor` is in milliseconds. */
export const strategyState = (strategy: {
  readonly belowZeroFor: number;
  readonly endedAt: Timestamp | null;
}): StrategyState => ({
  closingOnly: belowZeroPhase(strategy.belowZeroFor) !== 'trades',
  endedAt: strategy.endedAt,
});
