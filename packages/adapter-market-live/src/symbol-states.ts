import type { StockId } from '@slipstream/domain';
import type { NamedStocks } from './named-stocks.js';
import { ONLINE } from './venue.js';

/**
 * Whether a venue trades each symbol, as it said last of the symbol and of itself. `changed` hears of each stock that trades otherwise
 * now, also of one whose first state is a halt.
 */
export function symbolStates(
  named: NamedStocks,
  changed: (stockId: StockId, state: string) => void,
) {
  const states = new Map<string, string>();
  let venueState = ONLINE;

  /** That of the venue counts while the venue as a whole does not trade. Undefined before the venue's list told it. */
  const of = (symbol: string): string | undefined => {
    const own = states.get(symbol);
    return own === undefined || venueState === ONLINE ? own : venueState;
  };

  const take = (change: () => void): void => {
    const before = new Map(named.symbols().map((symbol) => [symbol, of(symbol)]));
    change();
    for (const symbol of named.symbols()) {
      const [was, state] = [before.get(symbol), of(symbol)];
      if (state === undefined || state === was) continue;
      if (state === ONLINE && was === undefined) continue;
      for (const { id } of named.of(symbol)) changed(id, state);
    }
  };

  return {
    /** The state that keeps the symbol from trading; undefined if it trades, or is not known. */
    haltOf(symbol: string): string | undefined {
      const state = of(symbol);
      return state === ONLINE ? undefined : state;
    },
    isOnline: (symbol: string): boolean => of(symbol) === ONLINE,
    /** Takes a part of the venue's list. */
    list(symbols: ReadonlyMap<string, string>): void {
      take(() => {
        for (const symbol of named.symbols()) {
          const state = symbols.get(symbol);
          if (state !== undefined) states.set(symbol, state);
        }
      });
    },
    /** Takes the state of the venue as a whole. */
    ofVenue(state: string): void {
      take(() => {
        venueState = state;
      });
    },
    forget: (symbol: string): boolean => states.delete(symbol),
  };
}
