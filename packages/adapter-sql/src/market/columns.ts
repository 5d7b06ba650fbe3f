import type {
  Adjustment,
  AnnouncedAction,
  DailyClose,
  MarketDay,
  Quote,
  Stock,
  StockAction,
} from '@slipstream/domain';
import type { MarketRun, QuoteFeed } from '@slipstream/ports';
import {
  type RowOf,
  columnsOf,
  decimalAsText,
  integer,
  json,
  nullable,
  text,
} from '../storage/codec.js';

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
  slippage: decimalAsText,
  fee: decimalAsText,
  links: json(),
  status: text(),
});

export const quoteColumns = columnsOf<Quote>()({
  stockId: text(),
  bid: decimalAsText,
  ask: decimalAsText,
  last: decimalAsText,
  at: integer,
});

export const dailyCloseColumns = columnsOf<DailyClose>()({
  stockId: text(),
  day: integer,
  at: integer,
  last: decimalAsText,
});

export const stockActionColumns = columnsOf<StockAction>()({
  id: text(),
  stockId: text(),
  kind: text(),
  figure: decimalAsText,
  newShares: nullable(decimalAsText),
  oldShares: nullable(decimalAsText),
  status: text(),
  createdAt: integer,
});

export const adjustmentColumns = columnsOf<Adjustment>()({
  id: text(),
  actionId: text(),
  strategyId: text(),
  stockId: text(),
  kind: text(),
  figure: decimalAsText,
  amountBefore: decimalAsText,
  amountAfter: decimalAsText,
  cash: decimalAsText,
  createdAt: integer,
});

export const announcedColumns = columnsOf<AnnouncedAction>()({
  id: text(),
  stockId: text(),
  kind: text(),
  newShares: nullable(decimalAsText),
  oldShares: nullable(decimalAsText),
  amount: nullable(decimalAsText),
  name: text(),
  dueAt: integer,
  status: text(),
  seenAt: integer,
});

export const quoteFeedColumns = columnsOf<QuoteFeed & { readonly name: string }>()({
  name: text(),
  feed: text(),
  since: integer,
});

export const marketDayColumns = columnsOf<MarketDay>()({
  date: text(),
  session: nullable(json()),
});

export const marketRunColumns = columnsOf<MarketRun & { readonly name: string }>()({
  name: text(),
  market: text(),
  at: integer,
});

export interface MarketTables {
  readonly stocks: RowOf<typeof stockColumns>;
  readonly quotes: RowOf<typeof quoteColumns>;
  readonly daily_closes: RowOf<typeof dailyCloseColumns>;
  readonly market_runs: RowOf<typeof marketRunColumns>;
  readonly stock_actions: RowOf<typeof stockActionColumns>;
  readonly adjustments: RowOf<typeof adjustmentColumns>;
  readonly announced_actions: RowOf<typeof announcedColumns>;
  readonly quote_feeds: RowOf<typeof quoteFeedColumns>;
  readonly market_days: RowOf<typeof marketDayColumns>;
}
