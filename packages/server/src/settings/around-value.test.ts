import { describe, expect, it } from '@jest/globals';
import { SettingError } from './setting-error.js';
import { SETTING_NAMES, quotedSettings, readSettings } from './settings.js';

const KEY = 'a-master-key-of-more-than-32-characters';
const PAPER = { BROKERS: 'alpaca_paper' };
const LIVE = { BROKERS: 'alpaca,kraken,coinbase', LIVE_TRADING: 'on', MARKET: 'live' };
const DATA = { MARKET: 'live', ALPACA_DATA_KEY_ID: 'PKDATA', ALPACA_DATA_SECRET: 'secret' };
const OAUTH = {
  ...{ ...PAPER, PUBLIC_URL: 'https://slip.example' },
  ...{ ALPACA_OAUTH_CLIENT_ID: 'client-of-tests', ALPACA_OAUTH_CLIENT_SECRET: 'secret-of-it' },
};
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };

/** A value of each setting, with what it needs beside it. */
const GOOD: Readonly<Record<string, readonly [value: string, beside?: Record<string, string>]>> = {
  HOST: ['127.0.0.1'],
  PORT: ['3000'],
  FRONTS: ['auto'],
  DATABASE_URL: ['sqlite:data/slipstream.db'],
  NODE_URL: [
    'http://10.0.0.5:3001',
    { DATABASE_URL: 'postgres://me@localhost/slipstream', SECRET_KEY: KEY },
  ],
  LEASE_SECONDS: ['5'],
  LOG_LEVEL: ['warn'],
  MARKET: ['push'],
  PUSH_TRUSTED: ['on'],
  DISCLOSURE: ['No advice.'],
  TIMESTAMP_URL: ['https://tsa.example/stamp'],
  DEMO_SEED: ['5'],
  REPLAY_FILES: ['a.csv,b.csv', { MARKET: 'replay' }],
  REPLAY_SPEED: ['60'],
  TRADING_HOURS: ['always'],
  OPERATOR_TOKEN: ['token-of-the-operator'],
  METRICS_TOKEN: ['token-of-the-metrics'],
  ALLOWED_HOSTS: ['slip.example'],
  SECRET_KEY: [KEY],
  SECRET_KEY_FILE: ['secret.key'],
  SIGNUP: ['closed'],
  CONFIRM_EMAIL: ['off'],
  RATE_LIMITS: ['reads=6000'],
  CONNECTION_LIMITS: ['total=20000'],
  CAPS: ['bots=10'],
  MAX_SPREAD: ['stock=0.02'],
  AUDIT_KEPT_DAYS: ['365'],
  QUOTE_FRESH_SECONDS: ['60'],
  TRUST_PROXY: ['1'],
  CORS_ORIGINS: ['https://slip.example'],
  BROKERS: ['simulated'],
  LIVE_TRADING: ['off'],
  ALPACA_PAPER_URL: ['http://127.0.0.1:12112', PAPER],
  ALPACA_LIVE_URL: ['http://127.0.0.1:12112', LIVE],
  ALPACA_OAUTH_CLIENT_ID: ['client-of-tests', OAUTH],
  ALPACA_OAUTH_CLIENT_SECRET: ['secret-of-it', OAUTH],
  ALPACA_OAUTH_URL: ['http://127.0.0.1:12112', OAUTH],
  CCXT_URL_kraken: ['http://127.0.0.1:12112', LIVE],
  CCXT_URL_coinbase: ['http://127.0.0.1:12112', LIVE],
  FEEDS: ['kraken', { MARKET: 'live' }],
  COINBASE_STREAM_URL: ['ws://127.0.0.1:12113', { MARKET: 'live' }],
  KRAKEN_STREAM_URL: ['ws://127.0.0.1:12113', { MARKET: 'live' }],
  ALPACA_STREAM_URL: ['ws://127.0.0.1:12113', DATA],
  ALPACA_DATA_KEY_ID: ['PKDATA', DATA],
  ALPACA_DATA_SECRET: ['secret', DATA],
  ALPACA_DATA_FEED: ['sip', DATA],
  ALPACA_DATA_URL: ['http://127.0.0.1:12114', DATA],
  SMTP_URL: ['smtps://me:secret@mail.example'],
  MAIL_FROM: ['Slipstream <no-reply@slip.example>'],
  PUBLIC_URL: ['https://slip.example'],
  STRIPE_SECRET_KEY: ['sk_test_abc', STRIPE],
  STRIPE_WEBHOOK_SECRET: ['whsec_abc', STRIPE],
  STRIPE_URL: ['http://127.0.0.1:12111', STRIPE],
  WEBHOOK_ALLOW: ['loopback'],
  TELEGRAM_URL: ['http://127.0.0.1:8080'],
  DISCORD_URL: ['http://127.0.0.1:8080'],
};

/** What is read of the text; undefined if it is refused for what is around it. */
function read(name: string, text: string): unknown {
  try {
    return readSettings({ ...GOOD[name]?.[1], [name]: text })[name as 'PORT'];
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError);
    expect((error as Error).message).toMatch(new RegExp(`^${name} must .+; there (is|are) `));
    return undefined;
  }
}

describe('what a file left around a setting', () => {
  it('is tried with every setting', () => {
    expect(Object.keys(GOOD).sort()).toEqual([...SETTING_NAMES].sort());
  });

  it.each(Object.entries(GOOD))(
    'is refused, or no part of it, if it is white: %s',
    (name, [value]) => {
      const plain = read(name, value);
      for (const white of ['\r', '\n', ' ', '\t', '\uFEFF'])
        for (const text of [`${value}${white}`, `${white}${value}`])
          expect([plain, undefined]).toContainEqual(read(name, text));
    },
  );

  it.each(Object.entries(GOOD))('is refused or told of, if it is a quote: %s', (name, [value]) => {
    for (const quote of ['"', "'"]) {
      const text = `${quote}${value}${quote}`;
      read(name, text);
      expect(quotedSettings({ [name]: text })).toEqual([
        `${name} is in quotes, and they are taken as a part of it.`,
      ]);
    }
  });

  it('is not told of a text with quotes inside', () => {
    expect(
      quotedSettings({ DISCLOSURE: 'He said "no".', SECRET_KEY: `"${KEY}`, HOME: '"x"' }),
    ).toEqual([]);
  });
});
