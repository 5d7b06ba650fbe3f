import { type RequestOf, presentStock } from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

const stockChange = (change: RequestOf<'updateStocks'>['stocks'][number]) => ({
  stockId: change.stock_id,
  figiComposite: change.figi_composite,
  symbol: change.symbol,
  stock: change.stock,
  name: change.name,
  sector: change.sector,
  security: change.security,
  exchange: change.exchange,
  peg: change.peg,
  provider: change.provider,
  slippage: change.slippage,
  fee: change.fee,
  links: change.links,
  stockStatus: change.stock_status,
  settlePrice: change.settle_price,
});

export const stockHandlers: HandlersOf<'getStocks' | 'findStocks' | 'newQuotes' | 'updateStocks'> =
  {
    getStocks: async (application, { stock_id: stocks }, caller) =>
      (await application.getStocks(caller, { stocks })).map(presentStock),
    findStocks: async (application, { query, security, limit }, caller) =>
      (await application.findStocks(caller, { query, security, limit })).map(presentStock),
    newQuotes: async (application, { quotes }, caller) => {
      const { accepted, rejected } = await application.newQuotes(caller, {
        quotes: quotes.map(({ stock_id: stock, ...quote }) => ({ stock, ...quote })),
      });
      return { accepted, rejected: rejected.map(({ index, reason }) => ({ index, reason })) };
    },
    updateStocks: async (application, { stocks }, caller) =>
      (await application.updateStocks(caller, { stocks: stocks.map(stockChange) })).map(
        presentStock,
      ),
  };
