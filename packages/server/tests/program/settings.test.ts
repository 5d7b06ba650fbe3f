import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CAPS } from '@slipstream/application';
import { decimalText } from '@slipstream/domain';
import { SettingError, readSettings } from '../../src/index.js';
import { idleSettings } from '../../src/settings/idle-settings.js';
import { misspeltSettings } from '../../src/settings/settings.js';

const CANARY = 'canary-in-a-setting';

const complaintOf = (environment: Record<string, string>): string => {
  try {
    readSettings(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError);
    return (error as Error).message;
  }
  throw new Error('nothing was wrong');
};

describe('the settings', () => {
  it.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['DATABASE_URL', `postgres://${CANARY}@a host/db`],
    ['DATABASE_URL', 'foo'],
    ['DATABASE_URL', 'sqlite:'],
    // A name for memory elsewhere: here it would be a file with a key beside it.
    ['DATABASE_URL', 'sqlite::memory:'],
    ['LOG_LEVEL', 'loud'],
    ['MARKET', 'x'],
    ['PUSH_TRUSTED', 'yes'],
    ['DISCLOSURE', 'two\nlines'],
    ['TIMESTAMP_URL', 'tsa.example.com'],
    ['TIMESTAMP_URL', 'ftp://tsa.example.com'],
    ['TIMESTAMP_URL', 'https://me:secret@tsa.example.com'],
    ['FEEDS', 'coinbase,binance,bitfinex'],
    ['BROKERS', 'simulated,nobody'],
    ['COINBASE_STREAM_URL', 'wss://advanced-trade-ws.coinbase.com'],
    ['COINBASE_STREAM_URL', 'http://127.0.0.1:12113'],
    ['KRAKEN_STREAM_URL', 'ws://192.0.2.1:12113'],
    ['ALPACA_STREAM_URL', 'wss://stream.data.alpaca.markets'],
    ['ALPACA_DATA_URL', 'https://data.alpaca.markets'],
    ['ALPACA_DATA_FEED', 'otc'],
    ['ALPACA_DATA_KEY_ID', 'PK\nDATA'],
    ['ALPACA_DATA_SECRET', `${CANARY}\nof two lines`],
    ['ALPACA_DATA_SECRET', `${CANARY} “quoted”`],
    ['KRAKEN_STREAM_URL', 'ws://127.0.0.1:12113/v2'],
    ['TRADING_HOURS', 'never'],
    ['REPLAY_SPEED', '0'],
    ['OPERATOR_TOKEN', 'short'],
    ['OPERATOR_TOKEN', 'aaaaaaaaaaaaaaaa'],
    ['OPERATOR_TOKEN', 'abcabcabcabcabcabc'],
    ['OPERATOR_TOKEN', 'grüße-an-den-betreiber'],
    ['OPERATOR_TOKEN', ' space-before-the-token'],
    ['METRICS_TOKEN', 'space-behind-the-token '],
    ['METRICS_TOKEN', 'two-lines\nof-a-token'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', '1111111111111111'],
    ['HOST', '999.1.1.1'],
    ['HOST', '1.2.3.4.5'],
    ['HOST', 'fe80::1%eth0'],
    ['ALLOWED_HOSTS', 'https://example.com'],
    ['ALLOWED_HOSTS', 'example.com:443'],
    ['SECRET_KEY', CANARY],
    ['SECRET_KEY', ','],
    ['SIGNUP', 'maybe'],
    ['RATE_LIMITS', 'reads=many'],
    ['RATE_LIMITS', 'reads=0'],
    ['CAPS', 'strategies=many'],
    ['MAX_SPREAD', 'stock=wide'],
    ['MAX_SPREAD', 'stock=0.02,stock=0.03'],
    ['MAX_SPREAD', 'bonds=0.02'],
    ['MAX_SPREAD', 'stock=0.6'],
    ['MAX_SPREAD', 'stock=0.0'],
    ['CAPS', 'strategies=0'],
    ['CAPS', 'users=5'],
    ['CAPS', 'strategies'],
    ['CAPS', 'strategies=1,bots=5,strategies=2'],
    ['RATE_LIMITS', 'sockets=5'],
    ['CONNECTION_LIMITS', 'address=0'],
    ['CONNECTION_LIMITS', 'reads=5'],
    ['CONNECTION_LIMITS', '1000'],
    ['QUOTE_FRESH_SECONDS', '0'],
    ['TRUST_PROXY', 'yes'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://Canary.example'],
    ['CORS_ORIGINS', 'https://canary.example:443'],
    ['CORS_ORIGINS', 'https://canary.example?page'],
    ['CORS_ORIGINS', 'https://me@canary.example'],
  ])('%s=%s is refused by name, without its value', (name, value) => {
    const complaint = complaintOf({ [name]: value });
    expect(complaint).toMatch(new RegExp(`^${name} must .+$`));
    expect(complaint).not.toContain(CANARY);
  });

  it.each([
    ['MARKET', 'push\r', 'a carriage return (a Windows line end) behind it'],
    ['PORT', '3000\r', 'a carriage return (a Windows line end) behind it'],
    [
      'DATABASE_URL',
      'sqlite:data/slipstream.db\r',
      'a carriage return (a Windows line end) behind it',
    ],
    ['SECRET_KEY_FILE', 'data/secret.key\r', 'a carriage return (a Windows line end) behind it'],
    ['DEMO_SEED', '5\r', 'a carriage return (a Windows line end) behind it'],
    ['LIVE_TRADING', ' on', 'white space before or behind it'],
    ['SIGNUP', '\uFEFFclosed', 'white space before or behind it'],
    ['OPERATOR_TOKEN', `${CANARY} `, 'white space before or behind it'],
  ])('%s=%j is refused with what a file left around it', (name, value, around) => {
    const complaint = complaintOf({ [name]: value });
    expect(complaint).toMatch(new RegExp(`^${name} must .+; there `));
    expect(complaint.endsWith(`; there is ${around}`)).toBe(true);
    expect(complaint).not.toContain(CANARY);
  });

  it.each(['"push"', "'push'"])('MARKET=%s is refused with the quotes around it', (MARKET) => {
    expect(complaintOf({ MARKET })).toBe(
      'MARKET must be demo, replay, push or live; there are quotes around it',
    );
  });

  it('that are wrong are all named at once', () => {
    const names = complaintOf({ PORT: 'x', MARKET: 'x', SIGNUP: 'x' })
      .split('\n')
      .map((line) => line.split(' ')[0]);
    expect(names).toEqual(['PORT', 'MARKET', 'SIGNUP']);
  });

  it('of a replay name its files', () => {
    expect(complaintOf({ MARKET: 'replay' })).toMatch(/^REPLAY_FILES /);
  });

  it.each([
    [{ FEEDS: 'kraken' }, 'FEEDS needs MARKET=live'],
    [
      { MARKET: 'live', ALPACA_DATA_KEY_ID: 'PK' },
      'ALPACA_DATA_KEY_ID and ALPACA_DATA_SECRET must be given together',
    ],
    [
      { MARKET: 'live', FEEDS: 'alpaca' },
      'FEEDS names alpaca, which needs ALPACA_DATA_KEY_ID and ALPACA_DATA_SECRET',
    ],
    [
      { ALPACA_DATA_KEY_ID: 'PK', ALPACA_DATA_SECRET: CANARY },
      'ALPACA_DATA_KEY_ID needs MARKET=live and alpaca in FEEDS',
    ],
    [
      { COINBASE_STREAM_URL: 'ws://127.0.0.1:12113' },
      'COINBASE_STREAM_URL needs MARKET=live and coinbase in FEEDS',
    ],
    [
      { MARKET: 'live', FEEDS: 'coinbase', KRAKEN_STREAM_URL: 'ws://127.0.0.1:12113' },
      'KRAKEN_STREAM_URL needs MARKET=live and kraken in FEEDS',
    ],
    [
      { MARKET: 'live', ALPACA_DATA_KEY_ID: 'PK', ALPACA_DATA_SECRET: `${CANARY}\nof two lines` },
      'ALPACA_DATA_SECRET must be of the printable characters of ASCII',
    ],
  ])('of real markets fit together: %j', (environment, complaint) => {
    expect(complaintOf(environment)).toBe(complaint);
    expect(readSettings({ MARKET: 'live' }).TRADING_HOURS).toBe('exchange');
  });

  it('have the defaults of contract 7; an empty one counts as absent', () => {
    expect(readSettings({ PORT: '', HOST: '' })).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      DATABASE_URL: { kind: 'sqlite', file: 'data/slipstream.db' },
      MARKET: 'demo',
      TRADING_HOURS: 'always',
      SIGNUP: 'open',
      RATE_LIMITS: { reads: 6000, writes: 1200, alerts: 600 },
      CAPS: { strategies: 100, tokens: 100, bots: 10, subscriptions: 500, posts: 50, storage: 256 },
      QUOTE_FRESH_SECONDS: 60,
    });
    expect(readSettings({ MARKET: 'push' }).TRADING_HOURS).toBe('exchange');
    expect(readSettings({}).OPERATOR_TOKEN).toBeUndefined();
  });

  it.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['MARKETS', 'MARKET'],
    ['POTR', undefined],
    ['PROT', undefined],
    ['port', 'PORT'],
    ['SLIPSTREAM_PORT', 'PORT'],
    ['SLIPSTREAM_DATABASEURL', 'DATABASE_URL'],
    ['SLIPSTREAM_TOKEN', undefined],
    ['HOME', undefined],
    ['HOSTNAME', undefined],
    ['PATH', undefined],
    ['MAIL', undefined],
    ['HOST', undefined],
  ])('that are misspelt are reported without their values: %s', (name, meant) => {
    const lines = misspeltSettings({ [name]: CANARY });
    expect(lines).toEqual(
      meant === undefined
        ? []
        : [`${name} is not a setting and was ignored. Did you mean ${meant}?`],
    );
  });

  it('of our own prefix are reported even without a similar name', () => {
    expect(misspeltSettings({ SLIPSTREAM_COLOUR: CANARY })).toEqual([
      'SLIPSTREAM_COLOUR is not a setting and was ignored. --help lists the settings.',
    ]);
  });

  it.each([
    [{ PUSH_TRUSTED: 'on' }, ['PUSH_TRUSTED has no effect: it needs MARKET=push.']],
    [{ PUSH_TRUSTED: 'on', MARKET: 'push' }, []],
    [
      { REPLAY_FILES: 'a.csv', REPLAY_SPEED: '60', MARKET: 'live' },
      ['REPLAY_FILES', 'REPLAY_SPEED'].map(
        (name) => `${name} has no effect: it needs MARKET=replay.`,
      ),
    ],
    [{ DEMO_SEED: 'a' }, []],
    [{ DEMO_SEED: 'a', MARKET: 'push' }, ['DEMO_SEED has no effect: it needs MARKET=demo.']],
    [
      { LEASE_SECONDS: '9', DATABASE_URL: 'file.db' },
      ['LEASE_SECONDS has no effect: it needs a DATABASE_URL of PostgreSQL.'],
    ],
    [{ LEASE_SECONDS: '9', DATABASE_URL: 'postgresql://db' }, []],
    [{ LEASE_SECONDS: '', PUSH_TRUSTED: '' }, []],
  ])('that have no effect beside the others are reported: %j', (environment, lines) => {
    expect(idleSettings(environment)).toEqual(lines);
  });

  it('of the spread change only the named limits', () => {
    const { MAX_SPREAD } = readSettings({ MAX_SPREAD: 'stock=0.005' });
    expect(decimalText(MAX_SPREAD.stock)).toBe('0.005');
    expect(decimalText(MAX_SPREAD.cryptocurrency)).toBe('0.03');
  });

  it('of caps and rates change only the named ones', () => {
    const { CAPS, RATE_LIMITS } = readSettings({
      CAPS: 'bots=3, posts=1',
      RATE_LIMITS: 'reads=7',
    });
    expect(CAPS).toEqual({ ...DEFAULT_CAPS, bots: 3, posts: 1 });
    expect(RATE_LIMITS).toMatchObject({ reads: 7, writes: 1200 });
  });
});
