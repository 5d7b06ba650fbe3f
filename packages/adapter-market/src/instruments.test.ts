import { describe, expect, it } from '@jest/globals';
import { decimalText } from '@slipstream/domain';
import { cryptoLots, instruments } from './instruments.js';

const find = (stockId: string) => instruments().find((stock) => String(stock.id) === stockId);

describe('instruments', () => {
  it('are 501 stocks and ETFs and 41 cryptocurrencies, each with an id of its own', () => {
    const all = instruments();
    expect(all.filter((stock) => stock.security === 'stock')).toHaveLength(501);
    expect(all.filter((stock) => stock.security === 'cryptocurrency')).toHaveLength(41);
    expect(new Set(all.map((stock) => stock.id)).size).toBe(542);
    expect(all.every((stock) => /^[a-z0-9.]{3,50}$/.test(stock.id))).toBe(true);
  });

  it('keep their ids: books refer to them', () => {
    expect(find('aapl.nasdaq')?.figiComposite).toBe('BBG000B9XRY4');
    expect(find('brk.b.nyse')?.name).toBe('Berkshire Hathaway');
    expect(find('dash.nasdaq')?.name).toBe('DoorDash');
    expect(find('dashusd.coinbase')?.stock).toBe('DASH');
  });

  it('have the costs of contract 2', () => {
    const costs = (stockId: string) => {
      const stock = find(stockId);
      return stock && [decimalText(stock.fee), decimalText(stock.slippage)];
    };
    expect(costs('aapl.nasdaq')).toEqual(['0', '0.0005']);
    expect(costs('btcusd.coinbase')).toEqual(['0.0025', '0.001']);
  });

  it('link to their pages on other sites', () => {
    expect(find('brk.b.nyse')?.links).toEqual({
      trading_view: 'https://www.tradingview.com/symbols/NYSE-BRK.B/',
      yahoo_finance: 'https://finance.yahoo.com/quote/BRK-B',
      google_finance: 'https://www.google.com/finance/quote/BRK.B:NYSE',
    });
    expect(find('bchusd.coinbase')?.links).toEqual({
      trading_view: 'https://www.tradingview.com/symbols/BCHUSD/?exchange=COINBASE',
      yahoo_finance: 'https://finance.yahoo.com/quote/BCH-USD',
      google_finance: 'https://www.google.com/finance/quote/BCH-USD',
      coin_marketcap: 'https://coinmarketcap.com/currencies/bitcoin-cash/',
    });
    expect(find('spy.nysearca')?.links['trading_view']).toContain('AMEX-SPY');
  });

  it('have a lot for every cryptocurrency', () => {
    const coins = instruments().filter((stock) => stock.security === 'cryptocurrency');
    expect(coins.every((coin) => cryptoLots.has(coin.symbol))).toBe(true);
    expect(decimalText(cryptoLots.get('SHIBUSD')?.priceStep ?? coins[0]!.fee)).toBe('0.00000001');
  });
});
