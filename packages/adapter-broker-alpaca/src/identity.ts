import type { Security, Stock, StockId } from '@slipstream/domain';
import { id } from '@slipstream/domain';
import { type Instruments, instrumentsBy } from '@slipstream/ports';

export const CLASS_OF: Readonly<Record<Security, string>> = {
  stock: 'us_equity',
  cryptocurrency: 'crypto',
};

/** Alpaca's names of the exchanges, by ours. Its coins have one market of its own. */
const EXCHANGES: Readonly<Record<string, string>> = {
  NASDAQ: 'NASDAQ',
  NYSE: 'NYSE',
  NYSEARCA: 'ARCA',
  NYSEAMERICAN: 'AMEX',
  AMEX: 'AMEX',
  CBOE: 'BATS',
};

/** How Alpaca names something, in an asset, a position or an order. */
export interface VenueName {
  readonly asset_class: string;
  readonly symbol: string;
  /** Orders do not tell it. */
  readonly exchange?: string | undefined;
}

const withoutSlash = (symbol: string): string => symbol.replaceAll('/', '');

/** The symbol that Alpaca would use; undefined for what it cannot trade. */
export function venueSymbol({ security, stock, peg, exchange }: Stock): string | undefined {
  if (peg !== 'USD') return undefined;
  if (security === 'cryptocurrency') return `${stock}/${peg}`;
  return exchange in EXCHANGES ? stock : undefined;
}

export const isSameExchange = (stock: Pick<Stock, 'exchange'>, exchange: string): boolean =>
  (EXCHANGES[stock.exchange] ?? stock.exchange) === exchange;

const keyOf = (assetClass: string, symbol: string): string =>
  `${assetClass} ${withoutSlash(symbol)}`;

const byVenueName = instrumentsBy((stock) => {
  const symbol = venueSymbol(stock);
  return symbol === undefined ? undefined : keyOf(CLASS_OF[stock.security], symbol);
});

/** Our stocks that Alpaca's name may mean: one, none, or several when tickers of several exchanges cannot be told apart. */
export function stocksNamed(instruments: Instruments, name: VenueName): readonly Stock[] {
  const found = byVenueName(instruments, keyOf(name.asset_class, name.symbol));
  const { exchange } = name;
  if (found.length < 2 || exchange === undefined) return found;
  const exact = found.filter((stock) => isSameExchange(stock, exchange));
  return exact.length === 1 ? exact : found;
}

/** The id of an instrument that this service does not list. */
export const unlistedId = ({ symbol }: VenueName): StockId => id<'stock'>(`alpaca:${symbol}`);
