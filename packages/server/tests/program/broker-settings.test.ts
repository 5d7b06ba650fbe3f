import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/index.js';

const OAUTH = { ALPACA_OAUTH_CLIENT_ID: 'client-1', ALPACA_OAUTH_CLIENT_SECRET: 'canary-secret' };
const BROKERS = 'simulated,alpaca_paper,alpaca';
const WITH_MONEY = { BROKERS, LIVE_TRADING: 'on', MARKET: 'push' };

describe('the settings of brokers', () => {
  it.each([
    [{ BROKERS: 'alpaca' }, /^BROKERS names alpaca, .*LIVE_TRADING=on/],
    [{ BROKERS: 'simulated,alpaca', LIVE_TRADING: 'off' }, /^BROKERS names alpaca/],
    [{ BROKERS: 'binance' }, /^BROKERS must be names out of simulated, .*kraken, coinbase/],
    [{ BROKERS: 'kraken' }, /^BROKERS names kraken, .*LIVE_TRADING=on/],
    [{ BROKERS: 'simulated,coinbase' }, /^BROKERS names coinbase, .*LIVE_TRADING=on/],
    [{ CCXT_URL_kraken: 'http://127.0.0.1:1' }, /^CCXT_URL_kraken needs kraken in BROKERS/],
    [
      { ...WITH_MONEY, BROKERS: 'kraken', CCXT_URL_coinbase: 'http://127.0.0.1:1' },
      /^CCXT_URL_coinbase needs coinbase in BROKERS/,
    ],
    [
      { ...WITH_MONEY, ALPACA_OAUTH_CLIENT_ID: 'client-1' },
      /^ALPACA_OAUTH_CLIENT_ID needs ALPACA_OAUTH_CLIENT_SECRET$/,
    ],
    [
      { ...WITH_MONEY, ALPACA_OAUTH_CLIENT_SECRET: 'canary-secret' },
      /^ALPACA_OAUTH_CLIENT_SECRET needs ALPACA_OAUTH_CLIENT_ID$/,
    ],
    [
      { ...WITH_MONEY, ...OAUTH, ALPACA_OAUTH_CLIENT_SECRET: 'a b' },
      /^ALPACA_OAUTH_CLIENT_SECRET must/,
    ],
    [{ ...OAUTH }, /^ALPACA_OAUTH_CLIENT_ID needs alpaca_paper or alpaca in BROKERS$/],
    [{ ...WITH_MONEY, ...OAUTH }, /^ALPACA_OAUTH_CLIENT_ID needs PUBLIC_URL/],
    [
      { ...WITH_MONEY, ALPACA_OAUTH_URL: 'http://127.0.0.1:1' },
      /^ALPACA_OAUTH_URL needs ALPACA_OAUTH_CLIENT_ID$/,
    ],
    [
      { ...WITH_MONEY, MARKET: 'demo' },
      /^BROKERS names alpaca, .* MARKET=demo are not the market's/,
    ],
    [{ ...WITH_MONEY, MARKET: undefined }, /^BROKERS names alpaca, .* MARKET=demo are not/],
    [
      { ...WITH_MONEY, MARKET: 'replay', REPLAY_FILES: 'bars.csv' },
      /^BROKERS names alpaca, .* MARKET=replay are not the market's: set MARKET=live/,
    ],
    [
      {
        ...{ ...WITH_MONEY, MARKET: 'demo', BROKERS: 'alpaca,kraken' },
        ALPACA_LIVE_URL: 'http://127.0.0.1:1',
      },
      /^BROKERS names kraken, which trades real money, and the prices/,
    ],
    [{ BROKERS: ',' }, /^BROKERS/],
    [{ LIVE_TRADING: 'yes' }, /^LIVE_TRADING must be off or on/],
    [{ ALPACA_PAPER_URL: 'http://127.0.0.1:1' }, /^ALPACA_PAPER_URL needs alpaca_paper/],
    [
      { ...WITH_MONEY, BROKERS: 'simulated', ALPACA_LIVE_URL: 'http://127.0.0.1:1' },
      /^ALPACA_LIVE_URL/,
    ],
    ...[
      'https://paper-api.alpaca.markets',
      'http://10.0.0.1:80',
      'http://127.0.0.1.evil.example:80',
      'http://user:word@127.0.0.1:1',
      'http://127.0.0.1:1/path',
      'nonsense',
    ].flatMap((url) => [
      [{ ...WITH_MONEY, ALPACA_PAPER_URL: url }, /^ALPACA_PAPER_URL must/] as const,
      [{ ...WITH_MONEY, ALPACA_LIVE_URL: url }, /^ALPACA_LIVE_URL must/] as const,
      [{ ...WITH_MONEY, ...OAUTH, ALPACA_OAUTH_URL: url }, /^ALPACA_OAUTH_URL must/] as const,
      [
        { BROKERS: 'kraken', LIVE_TRADING: 'on', CCXT_URL_kraken: url },
        /^CCXT_URL_kraken must/,
      ] as const,
      [
        { BROKERS: 'coinbase', LIVE_TRADING: 'on', CCXT_URL_coinbase: url },
        /^CCXT_URL_coinbase must/,
      ] as const,
    ]),
  ])('%j are refused and named', (environment, named) => {
    expect(() => readSettings(environment)).toThrow(named);
  });

  it.each([
    { PUBLIC_URL: 'https://trade.example.com' },
    { ALPACA_OAUTH_URL: 'http://127.0.0.1:1' },
  ])('let Alpaca send browsers back: %j', (address) => {
    const environment = { ...WITH_MONEY, ...OAUTH, ...address };
    expect(readSettings(environment)).toMatchObject(OAUTH);
  });

  it('may be on simulated prices where no money is: on paper, and at a stand-in on this machine', () => {
    expect(() => readSettings({ BROKERS: 'alpaca_paper', MARKET: 'demo' })).not.toThrow();
    const atStandIn = { ...WITH_MONEY, MARKET: 'demo', ALPACA_LIVE_URL: 'http://127.0.0.1:1' };
    expect(() => readSettings(atStandIn)).not.toThrow();
  });

  it('are the simulated broker alone unless told', () => {
    expect(readSettings({})).toMatchObject({ BROKERS: ['simulated'], LIVE_TRADING: 'off' });
    expect(readSettings(WITH_MONEY).BROKERS).toEqual(['simulated', 'alpaca_paper', 'alpaca']);
  });
});
