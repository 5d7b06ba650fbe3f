import type { Timestamp } from '@slipstream/domain';
import { subscription } from './subscription.js';
import type { Venue } from './venue.js';

/** What one connection asks its venue for: the list of these symbols, then the quotes of those that are on it. */
export interface VenueRequests {
  /** Asks for the list. */
  begin(): void;
  /** When something was asked for last; at the start when the connection was opened. */
  askedAt(): Timestamp;
  /** Takes a part of the list. */
  listed(symbols: ReadonlySet<string>): void;
  accepted(symbols: readonly string[]): void;
  refused(symbol: string): void;
  /** A request is refused, and no symbol named: before quotes were asked for it was for a part of the list. */
  failed(): 'taken' | 'not for its symbols' | { readonly refused: string };
  /** Asks for the quotes of what the list had later: it may come in parts, or with an earlier part before the one that was asked for. */
  askLate(): void;
  /** Asks again for the quotes that were refused, or not answered; part of the list is enough. */
  askAgain(): void;
  /** Whether quotes of the symbol are asked for: some venues tell the first ones before they answer. */
  isQuoted(symbol: string): boolean;
  isAnswered(): boolean;
  /** Whether nothing of the list has come. */
  isUnlisted(): boolean;
  /** The symbols that the list does not have. */
  missing(): readonly string[];
  /** The symbols whose quotes were neither accepted nor refused. */
  silent(): readonly string[];
}

/** `symbols`: those that are wanted now. `send` sends to the venue. */
export function venueRequests(
  venue: Pick<Venue, 'list' | 'subscribe'>,
  symbols: () => readonly string[],
  send: (texts: readonly string[]) => void,
  clock: () => Timestamp,
): VenueRequests {
  const list = subscription((some) => send(venue.list?.(some) ?? []), clock);
  const quotes = subscription((some) => send(venue.subscribe(some)), clock);
  const onList = new Set<string>();
  const listed = (): readonly string[] => symbols().filter((symbol) => onList.has(symbol));

  /** Asks for the quotes of what is listed, once no part of the list is asked for. */
  const askListed = (): void => {
    if (!quotes.wanted() && !list.isWaiting()) quotes.want(listed());
  };

  return {
    begin() {
      list.want(symbols());
      askListed();
    },
    askedAt: () => Math.max(list.askedAt(), quotes.askedAt()),
    listed(given) {
      const own = symbols().filter((symbol) => given.has(symbol));
      for (const symbol of own) onList.add(symbol);
      list.answer(own);
      askListed();
    },
    accepted: (some) => quotes.accept(some),
    refused: (symbol) => quotes.refuse(symbol),
    failed() {
      const isOfList = quotes.wanted() === undefined;
      const only = (isOfList ? list : quotes).fail();
      if (only === null) return 'not for its symbols';
      if (isOfList) askListed();
      return isOfList || only === undefined ? 'taken' : { refused: only };
    },
    askLate() {
      if (!quotes.wanted() || quotes.isWaiting()) return;
      const all = listed();
      if (!all.every((symbol) => quotes.isQuoted(symbol))) quotes.want(all);
    },
    askAgain: () => quotes.want(listed()),
    isQuoted: (symbol) => quotes.isQuoted(symbol),
    isAnswered: () => quotes.acceptsAny(),
    isUnlisted: () => !quotes.wanted() && onList.size === 0,
    missing: () => symbols().filter((symbol) => !onList.has(symbol)),
    silent: () => quotes.silent(),
  };
}
