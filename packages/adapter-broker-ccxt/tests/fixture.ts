import { generateKeyPairSync } from 'node:crypto';
import { type Stock, ZERO, decimal, id } from '@slipstream/domain';
import {
  type BrokerFixture,
  type BrokerTrouble,
  NOON,
  aStock,
  anAccess,
} from '@slipstream/port-contracts';
import type { Broker, BrokerAccess, BrokerOrderRequest, Instruments } from '@slipstream/ports';
import {
  type CoinOptions,
  type Fault,
  type FaultKind,
  type Venue as StandInVenue,
  coinbaseStandIn,
  fetchFrom,
  krakenStandIn,
} from '@slipstream/stand-ins';
import { COINBASE, KRAKEN, type CcxtDeps, ccxtBroker, loadCcxt } from '../src/index.js';

export const ccxt = await loadCcxt();

export const EXCHANGES = { kraken: KRAKEN, coinbase: COINBASE } as const;
export type Name = keyof typeof EXCHANGES;
export const NAMES = ['kraken', 'coinbase'] as const;

const aCoin = (stock: string, change: Partial<Stock> = {}): Stock =>
  aStock({
    id: id(stock.toLowerCase()),
    symbol: `${stock}USD`,
    stock,
    exchange: 'COINBASE',
    security: 'cryptocurrency',
    ...change,
  });

export const coin = aCoin('COIN');
/** An account trades at one exchange only: another coin with the same ticker. */
export const namesake = aCoin('COINTWO', { symbol: coin.symbol });
export const btc = aCoin('BTC');
export const acme = aStock({ id: id('acme'), symbol: 'ACME', stock: 'ACME', exchange: 'NASDAQ' });

const ALL: readonly Stock[] = [coin, namesake, btc, acme];

export const instrumentsOf = (all: readonly Stock[]): Instruments => ({
  find: (stockId) => all.find((stock) => stock.id === stockId),
  all: () => all,
});

export const LISTED = instrumentsOf([coin, namesake, btc]);

const pem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    .privateKey.export({ type: 'sec1', format: 'pem' })
    .toString();
const base64 = (fill: string): string =>
  Buffer.from(fill.repeat(64).slice(0, 64)).toString('base64');

const ACCOUNTS = { kraken: 'AA88N84GWOAKNMOI', coinbase: '8bfc20d7-f7c6-4422-bf07-8243ca4169fe' };
const KEY_NAME = 'organizations/1a2b3c/apiKeys/4d5e6f';

/** The credentials of the account, by exchange; the secrets hold the word that no log may show. */
export const KEYS = {
  kraken: { api_key: base64('key').slice(0, 56), private_key: base64('canary') },
  coinbase: { key_name: KEY_NAME, private_key: pem() },
} as const;
const OTHERS = {
  kraken: { ...KEYS.kraken, private_key: base64('somebody else') },
  coinbase: { ...KEYS.coinbase, private_key: pem() },
} as const;

/** Of another account. */
const ANOTHER = {
  kraken: { api_key: base64('key of another').slice(0, 56), private_key: base64('another') },
  coinbase: { key_name: 'organizations/1a2b3c/apiKeys/9f8e7d', private_key: pem() },
} as const;
const ANOTHER_ACCOUNT = {
  kraken: 'AA11N22GWOAKNMOJ',
  coinbase: '00000000-f7c6-4422-bf07-8243ca4169fe',
};

const HOSTS = { kraken: 'api.kraken.com', coinbase: 'api.coinbase.com' };
const STAND_INS = { kraken: krakenStandIn, coinbase: coinbaseStandIn };

export const accessOf = (name: Name): BrokerAccess =>
  anAccess({ accountId: ACCOUNTS[name], credentials: KEYS[name] }, 'cryptocurrency');

/** An order that buys at the market of the fixture's worlds. */
export const orderOf = (
  stock: Stock,
  change: Partial<BrokerOrderRequest> = {},
): BrokerOrderRequest => ({
  clientOrderId: `${stock.id}-1`.padEnd(32, 'a'),
  stock,
  action: 'buy',
  amount: decimal('2'),
  limit: decimal('102'),
  closes: false,
  ...change,
});

/** Orders that were lost on their way are certainly not there any more. */
export const SHOWN = 20_000;
/** What is asked once a minute is asked again. */
export const MINUTE = 60_000;

export interface WorldOptions extends Partial<CoinOptions> {
  readonly around?: (venue: StandInVenue) => StandInVenue;
  readonly deps?: Partial<CcxtDeps>;
}

/** The broker over a stand-in that it reaches without a socket, and control of the time of both. */
export function aWorld(
  name: Name,
  { around = (venue) => venue, deps, ...options }: WorldOptions = {},
) {
  let now = NOON;
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  const clock = { now: () => now };
  const standIn = STAND_INS[name]({ now: clock.now, filling: 500, ...options });
  standIn.addMarket({ coin: 'COIN', bid: '100', ask: '101' });
  standIn.addMarket({ coin: 'COINTWO', bid: '50', ask: '50.5' });
  standIn.addMarket({ coin: 'BTC', bid: '60000', ask: '60010' });
  const [apiKey, secret] = Object.values(KEYS[name]) as [string, string];
  const account = standIn.addAccount({ id: ACCOUNTS[name], apiKey, secret, cash: '10000' });
  const newBroker = (): Broker =>
    ccxtBroker(EXCHANGES[name], {
      ccxt,
      clock,
      instruments: instrumentsOf(ALL),
      fetch: fetchFrom({ [HOSTS[name]]: around(standIn.venue) }),
      ...deps,
    });
  const broker = newBroker();
  // The broker did not start just now: it knows what it has not sent.
  pass(SHOWN);
  return { broker, newBroker, standIn, account, clock, pass };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const said = (error: string): FaultKind => ({
  status: 200,
  body: { error: [error] },
  headers: JSON_TYPE,
});

export const TROUBLES: Readonly<Record<Name, Readonly<Record<BrokerTrouble, FaultKind>>>> = {
  kraken: {
    unreachable: 'drop_before',
    rate_limited: said('EAPI:Rate limit exceeded'),
    refused: said('EAPI:Invalid key'),
    unreadable: 'garbage',
  },
  coinbase: {
    unreachable: 'drop_before',
    rate_limited: { status: 429, headers: { 'retry-after': '0' } },
    refused: { status: 401, body: 'Unauthorized' },
    unreadable: 'garbage',
  },
};

export const REQUESTS = {
  kraken: {
    place: { method: 'POST', path: '/0/private/AddOrder' },
    find: { method: 'POST', path: '/0/private/OpenOrders' },
    account: { method: 'POST', path: '/0/private/BalanceEx' },
    activities: { method: 'POST', path: '/0/private/Ledgers' },
    rules: { method: 'GET', path: '/0/public/AssetPairs' },
    cancel: { method: 'POST', path: '/0/private/CancelOrder' },
  },
  coinbase: {
    place: { method: 'POST', path: '/api/v3/brokerage/orders' },
    find: { method: 'GET', path: '/api/v3/brokerage/orders/historical/batch' },
    account: { method: 'GET', path: '/api/v3/brokerage/accounts' },
    activities: { method: 'GET', path: '/v2/accounts' },
    rules: { method: 'GET', path: '/api/v3/brokerage/market/products' },
    cancel: { method: 'POST', path: '/api/v3/brokerage/orders/batch_cancel' },
  },
} as const satisfies Record<Name, Record<string, Omit<Fault, 'kind'>>>;

/** Calls come seconds apart, as those of a bot do: an exchange that asks for a pause gets it. */
const PACE = 11_000;
/** Longer than the slowest cancellation. */
const REST = 60_000;

/** The broker, before each question to which that time passes. Orders may be sent together. */
const paced = (broker: Broker, pass: (milliseconds: number) => void): Broker => ({
  ...broker,
  link: (...given) => (pass(PACE), broker.link(...given)),
  account: (...given) => (pass(PACE), broker.account(...given)),
  ...(broker.activities && {
    activities: (...given) => (pass(REST), broker.activities?.(...given) ?? Promise.resolve([])),
  }),
  rules: (...given) => (pass(PACE), broker.rules(...given)),
  find: (...given) => (pass(PACE), broker.find(...given)),
  cancel: (...given) => (pass(PACE), broker.cancel(...given)),
});

/** The adapter for the contract. */
export const openBroker =
  (name: Name, options: WorldOptions = {}) =>
  async (): Promise<BrokerFixture> => {
    const { broker, standIn, account, clock, pass } = aWorld(name, {
      filling: 'by_hand',
      ...options,
    });
    const [apiKey, secret] = Object.values(ANOTHER[name]) as [string, string];
    const other = standIn.addAccount({ id: ANOTHER_ACCOUNT[name], apiKey, secret, cash: '10000' });
    const first = standIn.market('COIN');
    const requests = { ...REQUESTS[name], link: REQUESTS[name].account };
    const link = {
      userId: id<'user'>('user-1'),
      type: 'cryptocurrency',
      accountId: undefined,
      credentials: KEYS[name],
    } as const;
    const halt = (halted: boolean) => (): void => {
      first.halted = halted;
      pass(MINUTE);
    };
    return {
      broker: paced(broker, pass),
      link,
      otherLink: { ...link, credentials: ANOTHER[name] },
      wrongLink: { ...link, credentials: OTHERS[name] },
      stock: coin,
      twin: namesake,
      unlisted: acme,
      instruments: instrumentsOf(ALL),
      feeInAsset: options.feeIn === 'coin' ? (options.fee ?? decimal('0.004')) : ZERO,
      now: clock.now,
      settle: async () => {
        pass(REST);
        standIn.fillAll(account);
        standIn.fillAll(other);
      },
      loseNextAnswer: () => standIn.faults.add({ ...requests.place, kind: 'drop_after' }),
      loseNextRequest: () => {
        standIn.faults.add({ ...requests.place, kind: { lost: () => pass(SHOWN) } });
      },
      troubleNext: (method, trouble) =>
        standIn.faults.add({ ...requests[method], kind: TROUBLES[name][trouble] }),
      fillNextInPart: () => standIn.fillNextInPart(),
      expireOrders: async () => standIn.expireOrders(account),
      tradeByHand: async (_access, action, amount) =>
        standIn.tradeByHand(account, 'COIN', action, amount),
      transfer: broker.activities
        ? async (_access, cash, amount) =>
            amount.eq(ZERO)
              ? standIn.move(account, 'USD', cash)
              : standIn.move(account, 'COIN', amount)
        : null,
      haltStock: halt(true),
      resumeStock: halt(false),
      closeMarket: halt(true),
      openMarket: halt(false),
    };
  };
