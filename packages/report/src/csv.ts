import { isoTime } from './format.js';
import { stringify } from 'csv-stringify/sync';
import type { ReportContent } from './content.js';

/** The columns of `trades.csv`. */
const TRADE_COLUMNS = [
  ...['at', 'stock', 'action', 'amount', 'price', 'total', 'fee', 'strategy_value'],
] as const;

/** The fills, oldest first, under a row of names. Figures are the exact decimals of the record. */
export const tradesCsv = ({ trades }: Pick<ReportContent, 'trades'>): string =>
  stringify([
    TRADE_COLUMNS,
    ...(trades ?? []).map((trade) => [
      ...[isoTime(trade.at), trade.stock, trade.action, trade.amount, trade.price],
      ...[trade.total, trade.fee, trade.strategyValue],
    ]),
  ]);

/** The daily values as `at,value`, oldest first: the series that the statistics are of. */
export const equityCsv = ({ series }: Pick<ReportContent, 'series'>): string =>
  stringify([['at', 'value'], ...series.map(({ date, value }) => [date, value])]);
