import type { QuoteStore, StockStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { quoteColumns, stockColumns } from './columns.js';

const allStocks = prepared<object>()(() => build.selectFrom('stocks').selectAll().orderBy('id'));
const saveStock = upsert('stocks', stockColumns, 'id');

export const sqlStocks = (session: Session): StockStore => ({
  all: () => session.list(allStocks({}), stockColumns.load),
  save: async (stocks) => {
    for (const stock of stocks) session.write(saveStock(stock));
  },
});

const allQuotes = prepared<object>()(() =>
  build.selectFrom('quotes').selectAll().orderBy('stock_id'),
);
const saveQuote = upsert('quotes', quoteColumns, 'stock_id');

export const sqlQuotes = (session: Session): QuoteStore => ({
  all: () => session.list(allQuotes({}), quoteColumns.load),
  save: async (quotes) => {
    for (const quote of quotes) session.write(saveQuote(quote));
  },
});
