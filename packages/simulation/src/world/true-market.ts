import {
  type Decimal,
  type Market,
  type Quote,
  type Stock,
  type StockId,
  divide,
  isUsable,
} from '@slipstream/domain';
import type { Clock, TradingHours } from '@slipstream/ports';

/** The true prices: those at which the broker trades, and those that the core got. */
export interface TrueMarket {
  /** Adds a quote. */
  put(quote: Quote): void;
  latest(stockId: string): Quote | undefined;
  /**
   * The quotes at which the stock may trade at that moment: every usable and fresh quote of the session, in order of
   * arrival, because a core that lost a later one may trade at an earlier one. None while the exchange is closed.
   */
  tradable(stock: Stock, at: number): readonly Quote[];
  /**
   * The moment whose session applies to a trade of that time: its own, or else the receipt of a quote shortly before or
   * after it, because the clock may be set while a quote is matched.
   */
  momentOf(stock: Stock, at: number): number;
  /** Prices are in new shares from then on. */
  split(stockId: string, ratio: Decimal, at: number): void;
  /** Whether the quote is from before the last split of its stock: such a quote is never used (contract 7b.6). */
  isOfOldShares(quote: Quote): boolean;
  /** The broker's view. */
  view(): Market;
}

/** A quote trades for this long at most (contract 3). */
const FRESH_FOR = 60_000;

/** The furthest that a story sets the clock back at once. */
const CLOCK_JUMP = 2 * FRESH_FOR;

/** Whether a quote may follow the one before. One from the future tells no order: the clock was ahead when it came. */
export const isInOrder = ({ at }: Quote, before: Quote | undefined, now: number): boolean =>
  !before || before.at <= at || before.at > now;

/** The quote after a split. */
export const inNewShares = (quote: Quote, ratio: Decimal): Quote => ({
  ...quote,
  bid: divide(quote.bid, ratio),
  ask: divide(quote.ask, ratio),
  last: divide(quote.last, ratio),
});

export function trueMarket(
  stocks: () => ReadonlyMap<string, Stock>,
  hours: TradingHours,
  clock: Clock,
): TrueMarket {
  const all = new Map<string, Quote[]>();
  const newest = new Map<string, Quote>();
  const receipts = new Map<string, number[]>();
  const splits = new Map<string, number>();
  const latest = (stockId: string): Quote | undefined => newest.get(stockId);
  return {
    put(quote) {
      const { stockId } = quote;
      if (!isUsable(quote) || quote.at > clock.now()) return;
      all.set(stockId, [...(all.get(stockId) ?? []), quote]);
      receipts.set(stockId, [...(receipts.get(stockId) ?? []), clock.now()]);
      const before = latest(stockId);
      if (isInOrder(quote, before, clock.now())) newest.set(stockId, quote);
    },
    latest,
    tradable(stock, at) {
      const session = hours.sessionAt(stock, at);
      if (!session) return [];
      const since = Math.max(session.opensAt, at - FRESH_FOR);
      return (all.get(stock.id) ?? []).filter((quote) => quote.at >= since);
    },
    momentOf(stock, at) {
      const near = (receipts.get(stock.id) ?? []).filter(
        (received) => Math.abs(received - at) <= CLOCK_JUMP,
      );
      return [at, ...near].find((moment) => hours.sessionAt(stock, moment)) ?? at;
    },
    isOfOldShares: ({ stockId, at }) =>
      at < Math.min(splits.get(stockId) ?? -Infinity, clock.now()),
    split(stockId, ratio, at) {
      splits.set(stockId, at);
      const before = latest(stockId);
      all.set(
        stockId,
        (all.get(stockId) ?? []).map((quote) => inNewShares(quote, ratio)),
      );
      if (before) newest.set(stockId, inNewShares(before, ratio));
    },
    view() {
      const now = clock.now();
      return {
        now,
        stock: (stockId: StockId) => stocks().get(stockId),
        quote: latest,
        freshQuote: (stockId: StockId) => {
          const quote = latest(stockId);
          return quote && Math.abs(now - quote.at) <= FRESH_FOR ? quote : undefined;
        },
        session: (stock: Stock) => hours.sessionAt(stock, now),
      };
    },
  };
}
