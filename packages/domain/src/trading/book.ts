import { type Decimal, ONE } from '../numbers/decimal.js';
import type { OrderId, StockId, StrategyId, Timestamp } from '../ids.js';
import type { FilledOrder, OpenOrder, Trade, WithdrawnOrder } from './order.js';

/** A holding: `amount` is signed (short below zero) and never zero, normalized. */
export interface Position {
  readonly stockId: StockId;
  readonly amount: Decimal;
  /** Average entry price of the holding, market price, before fees. */
  readonly averagePrice: Decimal;
  /** Cost of the holding before fees, normalized; negative for the proceeds of a short. Exact, unlike price times amount. */
  readonly cost: Decimal;
  /** Profit taken since the position was opened, after all fees, normalized. */
  readonly realized: Decimal;
  /** Booked to cash since the position was opened: dividends, and the fractions of shares from splits. */
  readonly dividends: Decimal;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** A strategy's cash, positions and open orders: the unit of consistency. A value; each command gives the next one. */
export interface Book {
  readonly strategyId: StrategyId;
  /** Incremented by every command that changed something. */
  readonly version: number;
  readonly cash: Decimal;
  readonly positions: ReadonlyMap<StockId, Position>;
  /** Oldest first. */
  readonly openOrders: readonly OpenOrder[];
}

/**
 * The effects of a command, in order. `rested` is stored but not published: only the record of waiting changed. `adjusted`:
 * a corporate action changed the order's figures.
 */
export type BookChange =
  | {
      readonly kind: 'opened' | 'released' | 'triggered' | 'rested' | 'adjusted';
      readonly order: OpenOrder;
    }
  | {
      readonly kind: 'filled';
      readonly order: FilledOrder;
      readonly trade: Trade;
      /** The position after the fill; its amount is 0 when the fill closed it. */
      readonly position: Position;
    }
  | { readonly kind: 'cancelled' | 'rejected'; readonly order: WithdrawnOrder };

/** The next book with the changes that led to it; an unchanged book has none. */
export interface Outcome {
  readonly book: Book;
  readonly changes: readonly BookChange[];
}

/**
 * A new strategy: cash 1 (contract 3, "Value").
 * @example
 * decimalText(newBook(id('mine')).cash) // => '1'
 */
export const newBook = (strategyId: StrategyId): Book => ({
  strategyId,
  version: 0,
  cash: ONE,
  positions: new Map(),
  openOrders: [],
});

/** Undefined if the order is closed or of another book. */
export const openOrder = (book: Book, orderId: OrderId): OpenOrder | undefined =>
  book.openOrders.find((order) => order.id === orderId);
