import {
  type Decimal,
  type Quote,
  type Stock,
  type Timestamp,
  ZERO,
  decimal,
  divide,
  round18,
} from '@slipstream/domain';
import type { VenueQuote } from './venue.js';

/** Why a quote of a venue is not taken. */
export type DropReason =
  | 'unreadable'
  | 'disordered'
  /** As old at its venue as no quote may be that trades, or ahead of this clock: if all are, while the venue is open, one of the clocks is wrong. */
  | 'late'
  | 'ahead'
  | 'one_sided'
  | 'crossed'
  | 'wide'
  | 'not_subscribed';

const FIGURE = /^\d{1,18}(\.\d{1,18})?(e[+-]?\d{1,2})?$/i;
/** Figures are below it and have at most 18 places, as everywhere here; with an exponent they may be written otherwise. */
const TOO_MUCH = decimal('1e18');

const fits = (price: Decimal): boolean => price.lt(TOO_MUCH) && round18(price).eq(price);

/** Whether the text is a figure within the bounds that all figures have here, with an exponent or without: JSON may have either. */
export const isFigure = (text: string): boolean => FIGURE.test(text) && fits(decimal(text));

/** The quote of the stock, received at `at`, or why it cannot be used. */
export function quoteOf(
  stock: Stock,
  given: Pick<VenueQuote, 'bid' | 'ask' | 'last'>,
  at: Timestamp,
  maxSpread: Decimal,
): Quote | DropReason {
  if (![given.bid, given.ask, given.last].every(isFigure)) return 'unreadable';
  const [bid, ask, last] = [decimal(given.bid), decimal(given.ask), decimal(given.last)];
  if (!bid.gt(ZERO) || !ask.gt(ZERO)) return 'one_sided';
  if (!last.gt(ZERO)) return 'unreadable';
  if (bid.gt(ask)) return 'crossed';
  const middle = divide(bid.plus(ask), decimal('2'));
  if (divide(ask.minus(bid), middle).gt(maxSpread)) return 'wide';
  return { stockId: stock.id, bid, ask, last, at };
}

/** A clock of a venue is not ahead of ours by more than this. */
const MOST_AHEAD = 60_000;

/** Whether a venue's time is a mistake. */
export const isFarAhead = (venueAt: Timestamp | undefined, now: Timestamp): boolean =>
  venueAt !== undefined && venueAt > now + MOST_AHEAD;

/** The clocks of venues and ours differ by no more. */
const CLOCKS_DIFFER = 5_000;

/** Whether a venue's time is before that of the quote that stands. One that was ahead of ours tells no order: all after it would be. */
export const isBefore = (
  venueAt: Timestamp,
  standing: Timestamp | undefined,
  now: Timestamp,
): boolean => standing !== undefined && venueAt < standing && standing <= now + CLOCKS_DIFFER;

/** Counts of what was not taken, by reason. */
export function dropCounts() {
  const counts = new Map<string, number>();
  return {
    count: (reason: DropReason) => void counts.set(reason, (counts.get(reason) ?? 0) + 1),
    byReason: (): Readonly<Record<string, number>> => Object.fromEntries(counts),
  };
}
