import type { Timestamp } from '@slipstream/domain';

/** So many refusals before anything is accepted are of halves of the halves: a few refused symbols leave one of them free. */
const WIDE = 7;
/** After so many, with nothing accepted, the request is refused and not its symbols. */
const MOST_IN_VAIN = 16;

/**
 * What one connection was asked for, quotes or a part of the list, and what its venue has answered. A venue may refuse a whole request
 * for one of its symbols and not name it: then each half is asked for by itself, so that the others are quoted.
 */
export function subscription(ask: (symbols: readonly string[]) => void, clock: () => Timestamp) {
  const accepted = new Set<string>();
  const refused = new Set<string>();
  let wanted: readonly string[] | undefined;
  /** The requests that are not answered; the first one was sent. */
  let requests: readonly (readonly string[])[] = [];
  let askedAt = clock();
  let inVain = 0;

  const askFirst = (): void => {
    askedAt = clock();
    const [first] = requests;
    if (first) ask(first);
  };
  const request = (symbols: readonly string[]): void => {
    requests = symbols.length > 0 ? [symbols] : [];
    inVain = 0;
    askFirst();
  };

  return {
    /** What is wanted; undefined before the venue's list came. */
    wanted: (): readonly string[] | undefined => wanted,
    /** When something was asked for last; at the start when the connection was opened. */
    askedAt: (): Timestamp => askedAt,
    isQuoted: (symbol: string): boolean => wanted?.includes(symbol) === true,
    acceptsAny: (): boolean => accepted.size > 0,
    /** Asks for all of them that are not accepted; again, if it did before. */
    want(symbols: readonly string[]): void {
      wanted = symbols;
      request(symbols.filter((symbol) => !accepted.has(symbol)));
    },
    accept(symbols: readonly string[]): void {
      for (const symbol of symbols) {
        accepted.add(symbol);
        refused.delete(symbol);
      }
      const [first, ...others] = requests;
      if (!first?.every((symbol) => accepted.has(symbol))) return;
      requests = others;
      if (others.length > 0) askFirst();
    },
    refuse: (symbol: string): void => void refused.add(symbol),
    /** The first request is answered with these, whatever that leaves out; unless they are all of other requests. */
    answer(symbols: readonly string[]): void {
      const [first = []] = requests;
      if (symbols.length === 0 || first.some((symbol) => symbols.includes(symbol)))
        this.accept(first);
    },
    /** Whether a request is not answered yet. */
    isWaiting: (): boolean => requests.length > 0,
    /**
     * The request is refused, and no symbol named. Returns the symbol if it is the only one; null if it is not for its symbols: nothing was
     * asked for, or nothing is accepted of whatever is asked for.
     */
    fail(): string | undefined | null {
      const [first, ...others] = requests;
      if (accepted.size === 0) inVain += 1;
      if (!first || inVain === MOST_IN_VAIN) return null;
      const middle = Math.floor(first.length / 2);
      const [only] = first.length === 1 ? first : [];
      if (only !== undefined) refused.add(only);
      const halves = only === undefined ? [first.slice(0, middle), first.slice(middle)] : [];
      // The largest part while nothing is accepted, then the smallest.
      const isWide = accepted.size === 0 && inVain < WIDE;
      requests = isWide ? [...others, ...halves] : [...halves, ...others];
      askFirst();
      return only;
    },
    /** What was neither accepted nor refused. */
    silent: (): readonly string[] =>
      (wanted ?? []).filter((symbol) => !accepted.has(symbol) && !refused.has(symbol)),
  };
}
