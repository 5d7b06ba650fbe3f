import type { Stock } from '@slipstream/domain';
import { z } from 'zod';

/** A price as its venue wrote it. One that is not there is zero; what is no text is no price, whose stock then has no quote. */
export const venuePrice = z
  .unknown()
  .optional()
  .transform((given) => (typeof given === 'string' ? given || '0' : given == null ? '0' : 'none'));

/** The time of a message, if it tells one that can be read. */
export const venueTime = z
  .unknown()
  .optional()
  .transform((given) => {
    // A number is read as its text, which would be a year.
    const isTime = typeof given === 'string' && given.includes('T');
    const at = isTime ? Date.parse(given) : NaN;
    return Number.isNaN(at) ? undefined : at;
  });

/** Prices as the venue wrote them. */
export interface VenueQuote {
  readonly kind: 'quote';
  readonly symbol: string;
  readonly bid: string;
  readonly ask: string;
  readonly last: string;
  /** The venue's time, if it tells one. */
  readonly venueAt: number | undefined;
}

/** What a message of a venue means. */
export type VenueMessage =
  /** The connection works. */
  | { readonly kind: 'alive' }
  /** A part of the list of the venue's symbols: `online`, or the venue's word for another state. */
  | { readonly kind: 'listed'; readonly symbols: ReadonlyMap<string, string> }
  /** The state of the venue as a whole, in the same words. */
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'accepted'; readonly symbols: readonly string[] }
  | { readonly kind: 'refused'; readonly symbol: string; readonly reason: string }
  /** What was asked for last is refused, for a symbol that is not named, or at all. */
  | { readonly kind: 'failed'; readonly reason: string }
  | VenueQuote
  /** A part of the message cannot be read. */
  | { readonly kind: 'unreadable' }
  /** Messages before this one were lost. */
  | { readonly kind: 'gap' }
  /** The venue serves this connection no longer. */
  | { readonly kind: 'ended'; readonly reason: string };

/**
 * Reads each row of a message by itself: one that cannot be read takes nothing from the others.
 * @throws {z.ZodError} when none can be read, which is another thing than a message of no rows.
 */
export function readRows<Row>(
  given: readonly unknown[],
  row: z.ZodType<Row>,
  meaning: (rows: readonly Row[]) => readonly VenueMessage[],
): VenueMessage[] {
  const read = given.map((one) => row.safeParse(one));
  const rows = read.flatMap(({ data }) => (data === undefined ? [] : [data]));
  const errors = read.flatMap(({ error }) => error ?? []);
  if (rows.length === 0 && errors[0]) throw errors[0];
  return [...meaning(rows), ...errors.map((): VenueMessage => ({ kind: 'unreadable' }))];
}

/** What a part of the list means. */
export const listedOf = (
  rows: readonly { readonly symbol: string; readonly status: string }[],
): VenueMessage[] => [
  { kind: 'listed', symbols: new Map(rows.map(({ symbol, status }) => [symbol, status])) },
];

/** How one connection is read; it remembers the order of its messages. */
export type ReadMessage = (
  message: unknown,
) => readonly VenueMessage[] | 'unreadable' | 'disordered';

/** A venue with a public stream of quotes. */
export interface Venue {
  readonly name: string;
  readonly url: string;
  /** When it tells a quote: at each change of its sides, so that silence proves it, or at trades only. */
  readonly tellsAt: 'changes' | 'trades';
  /** The venue's symbol for the stock, if it is traded there. It counts only once it is on the venue's list. */
  symbolOf(stock: Stock): string | undefined;
  /** Sent first: may ask for the whole list of symbols. */
  readonly greeting: readonly string[];
  /** Asks for what the list has of these symbols, if the greeting did not ask for all of it. */
  list?(symbols: readonly string[]): readonly string[];
  /** Asks for the quotes of these symbols. */
  subscribe(symbols: readonly string[]): readonly string[];
  reader(): ReadMessage;
}

/** The state of a symbol, or of a venue, that trades. */
export const ONLINE: string = 'online';
