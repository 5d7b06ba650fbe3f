import type { Stock } from '@slipstream/domain';

/** Other sites' names of our exchanges, if they differ. */
const TRADING_VIEW_EXCHANGES: Readonly<Record<string, string>> = { NYSEARCA: 'AMEX' };
const GOOGLE_EXCHANGES: Readonly<Record<string, string>> = { CBOE: 'BATS' };

/** Coins whose page at CoinMarketCap has another name. */
const COIN_MARKET_CAP_PAGES: Readonly<Record<string, string>> = {
  BNB: 'bnb',
  DAI: 'multi-collateral-dai',
  DOT: 'polkadot-new',
  SNX: 'synthetix',
  USDC: 'usd-coin',
  XLM: 'stellar',
};

const pageName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Spec 2.5, `links`: the instrument's pages on other sites, by rule from its symbol, exchange and name. */
export function linksOf({
  symbol,
  stock,
  name,
  security,
  exchange,
}: Pick<Stock, 'symbol' | 'stock' | 'name' | 'security' | 'exchange'>): Record<string, string> {
  const tradingView = 'https://www.tradingview.com/symbols';
  const yahoo = 'https://finance.yahoo.com/quote';
  const google = 'https://www.google.com/finance/quote';
  if (security === 'cryptocurrency') {
    const coinPage = COIN_MARKET_CAP_PAGES[stock] ?? pageName(name);
    return {
      trading_view: `${tradingView}/${symbol}/?exchange=${exchange}`,
      yahoo_finance: `${yahoo}/${stock}-USD`,
      google_finance: `${google}/${stock}-USD`,
      coin_marketcap: `https://coinmarketcap.com/currencies/${coinPage}/`,
    };
  }
  return {
    trading_view: `${tradingView}/${TRADING_VIEW_EXCHANGES[exchange] ?? exchange}-${symbol}/`,
    yahoo_finance: `${yahoo}/${symbol.replaceAll('.', '-')}`,
    google_finance: `${google}/${symbol}:${GOOGLE_EXCHANGES[exchange] ?? exchange}`,
  };
}
