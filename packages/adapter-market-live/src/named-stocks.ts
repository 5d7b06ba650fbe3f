import type { Stock, StockId } from '@slipstream/domain';

/** The stocks that a source quotes, by the venue's symbols. Several stocks may have one: a share listed here under two exchanges. */
export interface NamedStocks {
  symbols(): readonly string[];
  /** The stocks of the symbol; none if it is not quoted. */
  of(symbol: string): readonly Stock[];
  /** The symbol by which the stock is quoted; undefined while it is not. */
  symbolOf(stockId: StockId): string | undefined;
  /** Quotes the stock by its symbol, unless it is delisted. Returns the symbol if the stock was not quoted by it before. */
  put(stock: Stock): string | undefined;
  remove(stockId: StockId): void;
  /** The stocks among these that are quoted by another symbol than theirs is now. */
  renamed(stocks: readonly Stock[]): readonly StockId[];
}

/** `nameOf`: the venue's symbol for a stock, if it is traded there. */
export function namedStocks(nameOf: (stock: Stock) => string | undefined): NamedStocks {
  const stocksOf = new Map<string, Map<StockId, Stock>>();
  const symbolOf = new Map<StockId, string>();
  const nameNow = (stock: Stock) => (stock.status === 'delisted' ? undefined : nameOf(stock));
  const remove = (stockId: StockId): void => {
    const symbol = symbolOf.get(stockId);
    if (symbol === undefined) return;
    symbolOf.delete(stockId);
    const others = stocksOf.get(symbol);
    others?.delete(stockId);
    if (others?.size === 0) stocksOf.delete(symbol);
  };
  return {
    symbols: () => [...stocksOf.keys()],
    of: (symbol) => [...(stocksOf.get(symbol)?.values() ?? [])],
    symbolOf: (stockId) => symbolOf.get(stockId),
    put(stock) {
      const symbol = nameNow(stock);
      if (symbol === undefined) return undefined;
      const before = symbolOf.get(stock.id);
      if (before !== symbol) remove(stock.id);
      symbolOf.set(stock.id, symbol);
      stocksOf.set(
        symbol,
        (stocksOf.get(symbol) ?? new Map<StockId, Stock>()).set(stock.id, stock),
      );
      return before === symbol ? undefined : symbol;
    },
    remove,
    renamed: (stocks) =>
      stocks
        .filter((stock) => symbolOf.has(stock.id) && symbolOf.get(stock.id) !== nameNow(stock))
        .map(({ id }) => id),
  };
}
