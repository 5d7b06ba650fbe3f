import type { Book } from '../trading/book.js';
import { type Decimal, sign } from '../numbers/decimal.js';
import type { Timestamp } from '../ids.js';
import type { Market } from '../market/market.js';
import { tradableQuote } from '../trading/matching.js';
import { strategyValue } from '../performance/valuation.js';

/** How long a value is at or below zero before a strategy can only close, and before it ends, in milliseconds (contract 7b.9). */
export const BELOW_ZERO_LIMITS = { closesOnlyAfter: 60_000, endsAfter: 15 * 60_000 } as const;

/** How long after its end the operator may undo it, in milliseconds. */
export const END_UNDONE_WITHIN = 7 * 24 * 60 * 60_000;

/** How long a strategy's value has been at or below zero by fresh quotes. */
export interface BelowZero {
  /** In milliseconds. While a quote is missing or old the count pauses. */
  readonly lasted: number;
  /** The last time that all quotes showed it, and until when they are fresh; null if they do not show it. */
  readonly seen: { readonly at: Timestamp; readonly until: Timestamp } | null;
}

/** The count of a strategy with a value above zero. */
export const ABOVE_ZERO: BelowZero = { lasted: 0, seen: null };

/** The value of a strategy by quotes that are all fresh and inside open sessions, and until when they are; null if one is not. */
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

/** The count at `now`. One fresh value above zero ends it; the time since the last check counts as far as its quotes were fresh. */
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

/** The consequence of the count: `over` ends the strategy. */
export type BelowZeroPhase = 'trades' | 'closes_only' | 'over';

/** `lasted` is in milliseconds (contract 7b.9). */
export function belowZeroPhase(lasted: number): BelowZeroPhase {
  if (lasted >= BELOW_ZERO_LIMITS.endsAfter) return 'over';
  return lasted >= BELOW_ZERO_LIMITS.closesOnlyAfter ? 'closes_only' : 'trades';
}

/** What a strategy may do, visible to everybody who follows it. */
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
