import type { Position, StrategyId, Trade } from '@slipstream/domain';
import { type RowOf, columnsOf, decimalAsText, integer, nullable, text } from '../storage/codec.js';

/** A book's own row; its positions and orders have theirs. */
export interface BookRow {
  readonly strategy_id: string;
  readonly version: number;
  readonly cash: string;
}

export const bookColumns = {
  names: ['strategy_id', 'version', 'cash'],
  store: ({ strategy_id, version, cash }: BookRow) => [strategy_id, version, cash],
};

export const positionColumns = columnsOf<Position & { readonly strategyId: StrategyId }>()({
  strategyId: text(),
  stockId: text(),
  amount: decimalAsText,
  averagePrice: decimalAsText,
  cost: decimalAsText,
  realized: decimalAsText,
  dividends: decimalAsText,
  createdAt: integer,
  updatedAt: integer,
});

/** In positions stored before these columns existed, `cost` and `dividends` are null until they change. */
export type PositionRow = Omit<RowOf<typeof positionColumns>, 'cost' | 'dividends'> & {
  readonly cost: string | null;
  readonly dividends: string | null;
  readonly place: number;
};

/** All shapes of an order side by side: what a shape lacks is null. */
export interface OrderRow {
  readonly id: string;
  readonly strategy_id: string;
  readonly stock_id: string;
  readonly action: string;
  readonly type: string;
  readonly price: string | null;
  readonly stop_price: string | null;
  /** Exactly one of `amount` and `total` is set. */
  readonly amount: string | null;
  readonly total: string | null;
  readonly depends_on: string;
  readonly reduce_only: number;
  readonly origin: string;
  readonly created_at: number;
  readonly triggered_at: number | null;
  readonly status: string;
  readonly resting_since: number | null;
  readonly closed_at: number | null;
  readonly filled_price: string | null;
  readonly filled_amount: string | null;
  readonly filled_total: string | null;
  readonly fee_total: string | null;
  readonly reason: string | null;
}

export const tradeColumns = columnsOf<Trade>()({
  id: text(),
  orderId: text(),
  strategyId: text(),
  stockId: text(),
  action: text(),
  price: decimalAsText,
  amount: decimalAsText,
  total: decimalAsText,
  feeTotal: decimalAsText,
  rounding: decimalAsText,
  realized: nullable(decimalAsText),
  strategyValue: nullable(decimalAsText),
  createdAt: integer,
  market: text(),
  provider: nullable(text()),
  quoteBid: nullable(decimalAsText),
  quoteAsk: nullable(decimalAsText),
  quoteAt: nullable(integer),
});

export interface TradingTables {
  readonly books: BookRow;
  /** `place` keeps the order of a book's positions, as that of its orders. */
  readonly positions: PositionRow;
  readonly orders: OrderRow & { readonly place: number };
  readonly trades: RowOf<typeof tradeColumns>;
}
