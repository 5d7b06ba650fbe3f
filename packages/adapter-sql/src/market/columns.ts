import type { Adjustment, Quote, Stock, StockAction } from '@slipstream/domain';
import { type RowOf, columnsOf, exact, integer, json, nullable, text } from '../storage/codec.js';

export const stockColumns = columnsOf<Stock>()({
  id: text(),
  figiComposite: nullable(text()),
  symbol: text(),
  stock: text(),
  name: text(),
  sector: text(),
  security: text(),
  exchange: text(),
  peg: text(),
  provider: text(),
  slippage: exact,
  fee: exact,
  links: json(),
  status: text(),
});

export const quoteColumns = columnsOf<Quote>()({
  stockId: text(),
  bid: exact,
  ask: exact,
  last: exact,
  at: integer,
});

export const stockActionColumns = columnsOf<StockAction>()({
  id: text(),
  stockId: text(),
  kind: text(),
  figure: exact,
  newShares: nullable(exact),
  oldShares: nullable(exact),
  status: text(),
  createdAt: integer,
});

export const adjustmentColumns = columnsOf<Adjustment>()({
  id: text(),
  actionId: text(),
  strategyId: text(),
  stockId: text(),
  kind: text(),
  figure: exact,
  amountBefore: exact,
  amountAfter: exact,
  cash: exact,
  createdAt: integer,
});

export interface MarketTables {
  readonly stocks: RowOf<typeof stockColumns>;
  readonly quotes: RowOf<typeof quoteColumns>;
  readonly stock_actions: RowOf<typeof stockActionColumns>;
  readonly adjustments: RowOf<typeof adjustmentColumns>;
}
