import type { Stock } from '@slipstream/domain';

/** What Alpaca's symbols are written of. It refuses a whole request for one that is none, and may not name it as it was asked. */
const SYMBOL = /^[\w./-]+$/;
/** Alpaca names these exchanges' stocks by their tickers. */
const EXCHANGES = ['NYSE', 'NASDAQ', 'CBOE', 'NYSEARCA', 'AMEX', 'BATS'];

/** The place of the stock's exchange among them. */
export const exchangeRank = ({ exchange }: Pick<Stock, 'exchange'>): number =>
  EXCHANGES.indexOf(exchange);

const INVALID_SYMBOL = /invalid symbol:? "?([\w./-]+)/i;

/** The symbol that Alpaca refuses a whole request for. */
export const invalidSymbol = (reason: string): string | undefined =>
  INVALID_SYMBOL.exec(reason)?.[1];

/** Whether Alpaca can be asked for the stock: by its own symbol, at an exchange whose stocks it names by their tickers. */
export const isAlpacaStock = ({
  security,
  exchange,
  symbol,
}: Pick<Stock, 'security' | 'exchange' | 'symbol'>): boolean =>
  security === 'stock' && EXCHANGES.includes(exchange) && SYMBOL.test(symbol);
