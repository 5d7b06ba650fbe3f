import { type Stock, ZERO, decimal, id } from '@slipstream/domain';
import { type BrokerFixture, type BrokerTrouble, NOON, aStock } from '@slipstream/port-contracts';
import type { Broker, Instruments } from '@slipstream/ports';
import {
  type AlpacaOptions,
  type Fault,
  type FaultKind,
  type Venue,
  alpacaStandIn,
  fetchFrom,
} from '@slipstream/stand-ins';
import { type AlpacaDeps, type AlpacaKind, LIVE, PAPER, alpacaBroker } from '../src/index.js';

export const acme = aStock({ id: id('acme'), symbol: 'ACME', stock: 'ACME', exchange: 'NASDAQ' });
export const coin = aStock({
  id: id('coin'),
  symbol: 'COINUSD',
  stock: 'COIN',
  exchange: 'COINBASE',
  security: 'cryptocurrency',
});
export const acmeElsewhere = aStock({ ...acme, id: id('acme-2'), exchange: 'NYSE' });
export const coinElsewhere = aStock({ ...coin, id: id('coin-2'), exchange: 'KRAKEN' });

const ALL: readonly Stock[] = [acme, coin, acmeElsewhere, coinElsewhere];

export const instrumentsOf = (all: readonly Stock[]): Instruments => ({
  find: (stockId) => all.find((stock) => stock.id === stockId),
  all: () => all,
});

export const PAPER_KEY = {
  key_id: 'PKTESTKEY00000000001',
  secret_key: 'secret-of-the-paper-account',
};
/** Of another paper account. */
const OTHER_KEY = {
  key_id: 'PKTESTKEY00000000002',
  secret_key: 'secret-of-another-paper-account',
};
export const LIVE_KEY = {
  key_id: 'AKTESTKEY00000000001',
  secret_key: 'secret-of-the-live-account',
};

/** A minute passes: what is asked once a minute is asked again. */
const MINUTE = 60_000;

/** The broker over a stand-in that it reaches without a socket, and control of the time of both. */
export function aWorld(
  options: Partial<AlpacaOptions> = {},
  kind: AlpacaKind = PAPER,
  deps: Partial<AlpacaDeps> = {},
  around: (venue: Venue) => Venue = (venue) => venue,
) {
  let now = NOON;
  const clock = { now: () => now };
  const standIn = alpacaStandIn({ now: clock.now, filling: 500, ...options });
  standIn.addAsset({ symbol: 'ACME', bid: '100', ask: '101' });
  standIn.addAsset({ symbol: 'COIN/USD', bid: '100', ask: '101' });
  const account = standIn.addAccount(
    kind === PAPER
      ? {
          number: 'PA3TEST00001',
          keyId: PAPER_KEY.key_id,
          secretKey: PAPER_KEY.secret_key,
          cash: '10000',
        }
      : {
          number: '512345678',
          keyId: LIVE_KEY.key_id,
          secretKey: LIVE_KEY.secret_key,
          cash: '10000',
        },
  );
  const broker: Broker = alpacaBroker(kind, {
    clock,
    instruments: instrumentsOf(ALL),
    fetch: fetchFrom({ [new URL(kind.url).host]: around(standIn.venue) }),
    ...deps,
  });
  return {
    broker,
    standIn,
    account,
    clock,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const TROUBLES: Readonly<Record<BrokerTrouble, FaultKind>> = {
  unreachable: 'drop_before',
  rate_limited: { status: 429, headers: { 'retry-after': '0' } },
  refused: { status: 401, body: { code: 40110000, message: 'request is not authorized' } },
  unreadable: 'garbage',
};

const REQUESTS = {
  place: { method: 'POST', path: '/v2/orders' },
  link: { method: 'GET', path: '/v2/account' },
  find: { method: 'GET', path: '/v2/orders' },
  cancel: { method: 'DELETE', path: '/v2/orders' },
  account: { method: 'GET', path: '/v2/account' },
  activities: { method: 'GET', path: '/v2/account/activities' },
  rules: { method: 'GET', path: '/v2/assets' },
} as const satisfies Record<string, Omit<Fault, 'kind'>>;

/** The adapter for the contract, with an account that trades stocks or coins. */
export const openBroker =
  (
    stock: Stock,
    options: Partial<AlpacaOptions> = {},
    around: (venue: Venue) => Venue = (venue) => venue,
  ) =>
  async (): Promise<BrokerFixture> => {
    const { broker, standIn, account, clock, pass } = aWorld(options, PAPER, {}, around);
    const isStock = stock === acme;
    standIn.addAsset({
      symbol: isStock ? 'ACME' : 'COIN/USD',
      exchange: isStock ? 'NYSE' : 'KRAKEN',
      bid: '50',
      ask: '50.5',
    });
    const first = standIn.asset(isStock ? 'ACME' : 'COIN/USD');
    if (!isStock) Object.assign(first, { exchange: 'COINBASE' });
    standIn.addAccount({
      number: 'PA3TEST00002',
      keyId: OTHER_KEY.key_id,
      secretKey: OTHER_KEY.secret_key,
      cash: '10000',
    });
    const link = {
      userId: id<'user'>('user-1'),
      type: stock.security,
      accountId: undefined,
      credentials: PAPER_KEY,
    };
    return {
      broker,
      link,
      otherLink: { ...link, credentials: OTHER_KEY },
      wrongLink: { ...link, credentials: { ...PAPER_KEY, secret_key: 'secret-of-somebody-else' } },
      stock,
      twin: isStock ? acmeElsewhere : coinElsewhere,
      unlisted: isStock ? coin : acme,
      instruments: instrumentsOf(ALL),
      feeInAsset: isStock ? ZERO : (options.coinFee ?? decimal('0.0025')),
      now: clock.now,
      settle: async () => pass(1_000),
      loseNextAnswer: () => standIn.faults.add({ ...REQUESTS.place, kind: 'drop_after' }),
      loseNextRequest: () => standIn.faults.add({ ...REQUESTS.place, kind: 'drop_before' }),
      troubleNext: (method, trouble) =>
        standIn.faults.add({ ...REQUESTS[method], kind: TROUBLES[trouble] }),
      fillNextInPart: () => standIn.fillNextInPart(),
      expireOrders: async () => standIn.endOrders(account),
      tradeByHand: async (_access, action, amount) =>
        standIn.tradeByHand(account, first.id, action, amount),
      transfer: async (_access, cash, amount) =>
        standIn.book(
          account,
          amount.eq(ZERO) ? (cash.gt(ZERO) ? 'CSD' : 'CSW') : 'JNLS',
          cash.toFixed(),
          amount.eq(ZERO) ? undefined : { name: first.symbol, qty: amount },
        ),
      haltStock: () => {
        first.halted = true;
      },
      resumeStock: () => {
        first.halted = false;
        pass(MINUTE);
      },
      closeMarket: () => {
        if (isStock) standIn.closeMarket();
        else first.halted = true;
        pass(MINUTE);
      },
      openMarket: () => {
        if (isStock) standIn.openMarket();
        else first.halted = false;
        pass(MINUTE);
      },
    };
  };

export { LIVE, PAPER };
