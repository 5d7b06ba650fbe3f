import type { QuoteStore, StockStore } from '@slipstream/ports';
import { byId, byText } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryStocks = ({ stocks }: Tables): StockStore => ({
  all: async () => stocks.values().toSorted(byId),
  save: async (changed) => {
    for (const stock of changed) stocks.set(stock.id, stock);
  },
});

export const memoryQuotes = ({ quotes }: Tables): QuoteStore => ({
  all: async () => quotes.values().toSorted((a, b) => byText(a.stockId, b.stockId)),
  save: async (changed) => {
    for (const quote of changed) quotes.set(quote.stockId, quote);
  },
});
