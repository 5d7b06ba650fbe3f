import { valueOf } from './book.js';
import { isPositive } from './exact.js';
import { FRESH_FOR, stockOf, tradable } from './execution.js';
import type { ModelBook, ModelMarket } from './model.js';

export const CLOSES_ONLY_AFTER = 60_000;
export const ENDS_AFTER = 900_000;
export const ENDS_UNDONE_WITHIN = 604_800_000;

/** By the latest quotes, including old ones. */
export function isAtOrBelowZero(book: ModelBook, market: ModelMarket): boolean {
  const value = valueOf(book, market);
  return value !== undefined && !isPositive(value);
}

/** Until when every holding can trade at its quote; undefined if one cannot trade now. Without holdings there is no end. */
function tradableUntil(book: ModelBook, market: ModelMarket): number | undefined {
  let until = Infinity;
  for (const stockId of book.positions.keys()) {
    const trades = tradable(stockOf(market, stockId), market);
    if (!trades) return undefined;
    until = Math.min(until, trades.quote.at + FRESH_FOR, trades.closesAt);
  }
  return until;
}

/** Counts a book's time by its holdings, or by those that it was `known` to have. One fresh value above zero ends the count. */
export function look(book: ModelBook, market: ModelMarket, known: ModelBook = book): void {
  if (!book.sunk) return;
  const { now } = market;
  const until = tradableUntil(known, market);
  if (until !== undefined && !isAtOrBelowZero(known, market)) {
    book.sunk = undefined;
    return;
  }
  // The end of this span was a forecast; now it is known.
  book.sunk = book.sunk.map((span) => ({ ...span, until: Math.min(span.until, now) }));
  if (until !== undefined) book.sunk.push({ from: now, until });
}

/** How long fresh quotes have shown the value at or below zero, in milliseconds. */
export const lasted = ({ sunk = [] }: ModelBook, now: number): number =>
  sunk.reduce((time, { from, until }) => time + Math.min(until, now) - from, 0);

/** Counts first: a dividend or a delisting may have raised the value above zero since the last quote. */
export function closesOnly(book: ModelBook, market: ModelMarket): boolean {
  look(book, market);
  return lasted(book, market.now) >= CLOSES_ONLY_AFTER;
}
