import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FixedClock } from '@slipstream/adapter-memory/testing';
import { DAY } from '@slipstream/domain';
import {
  type Venue,
  alpacaData,
  alpacaStandIn,
  krakenStandIn,
  listen,
  timestampAuthority,
} from '@slipstream/stand-ins';
import { SECRET_KEY, fakeStripe } from '../../../adapter-payment-stripe/tests/fake-stripe.js';
import type { ComposedServer } from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';
const BTC = 'BTCUSD:COINBASE';
const ADDRESS = {
  ...{ name: 'Ada Lovelace', city: 'London', country: 'GB' },
  ...{ line_one: '12 St James Square', postal: 'SW1Y 4JH' },
};

/** Of all adapters that of webhooks has the least patience, in milliseconds: who stops sooner did not wait for any. */
export const SHORTEST_TIME_OUT = 5_000;

/** Somebody outside whom a server asks at a beat. */
export interface Party {
  /** Where it listens; without it connections are accepted, and that is all. */
  readonly url?: string;
  /** The settings of a server that reaches it at that address. */
  environment(url: string): Readonly<Record<string, string>>;
  /** Those of the next server, if they differ. */
  readonly next?: Readonly<Record<string, string>>;
  /** Whether the start asks already, and nothing later may. */
  readonly isAskedAtStart?: true;
  /** What makes the server ask at its next beat. */
  begin(server: ComposedServer, url: string): Promise<void>;
  /** The message whose answer does not come; without it nothing is answered from the connection on. */
  readonly asks?: RegExp;
  /** What became of it, outside and by the service's own word. */
  outcome(server: ComposedServer, folder: string): Promise<unknown>;
  /** That, after the next server has worked. */
  readonly expected: unknown;
  close?(): Promise<void>;
}

const mailServer = async (): Promise<Party> => ({
  environment: (url) => ({ SMTP_URL: url.replace('http:', 'smtp:') }),
  // Mails of a server without a mail server lie in a folder.
  next: {},
  async begin(server) {
    await server.user('ada');
    await server.ask('newPasswordReset', { email: 'ada@example.com' });
  },
  async outcome(_, folder) {
    const outbox = join(folder, 'outbox');
    const mails = readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'));
    return mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]);
  },
  expected: ['A new password for your account'],
});

const webhookReceiver = async (): Promise<Party> => {
  const got: string[] = [];
  const receiver = await listen(async ({ headers }) => {
    got.push(headers['webhook-id'] ?? '');
    return { status: 200, body: '' };
  });
  let owner = '';
  let endpoint_id = '';
  return {
    ...receiver,
    environment: () => ({ WEBHOOK_ALLOW: 'loopback' }),
    async begin(server, url) {
      owner = await server.user('ada');
      const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'A' }, owner);
      const endpoint = { kind: 'webhook', url, events: ['order.filled'] };
      ({ endpoint_id } = await server.ask('newEndpoint', endpoint, owner));
      const order = { strategy_id, stock_id: AAPL, action: 'buy', amount: '0.001' };
      await server.ask('newOrder', order, owner);
    },
    asks: /^POST/,
    async outcome(server) {
      const sent = await server.ask('getDeliveries', { endpoint_id }, owner);
      return { messages: new Set(got).size, said: sent.map(({ status }) => status) };
    },
    expected: { messages: 1, said: ['delivered'] },
  };
};

const paymentGateway = async ({ now }: FixedClock): Promise<Party> => {
  const stripe = await fakeStripe(now);
  let payer = '';
  return {
    url: `http://127.0.0.1:${stripe.api.port}`,
    close: stripe.close,
    environment: (url) => ({
      ...{ STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_URL: url },
    }),
    async begin(server) {
      const owner = await server.user('ada');
      const priced = { type: 'stock', name: 'A', price: 15 };
      const { strategy_id } = await server.ask('newStrategy', priced, owner);
      payer = await server.user('bob');
      await server.ask('newPaymentSource', { token: 'pm_card_visa', ...ADDRESS }, payer);
      await server.ask('newStrategySubscription', { strategy_id, price: 15 }, payer);
      server.clock.advance(31 * DAY);
    },
    asks: /^POST \/v1\/payment_intents/,
    async outcome(server) {
      const invoices = await server.ask('getInvoices', {}, payer);
      return { charges: stripe.intents.length, said: invoices.map(({ status }) => status) };
    },
    expected: { charges: 2, said: ['paid', 'paid'] },
  };
};

/** A bot over an account at the venue, which is to buy for half of it. */
async function botAt(
  venue: Venue,
  stock_id: string,
  bot: { readonly type: string; readonly broker: string; readonly credentials: object },
  live: { readonly live?: true },
) {
  let owner = '';
  return {
    ...(await listen(venue)),
    async begin(server: ComposedServer) {
      owner = await server.user('bea');
      const half = { type: bot.type, name: 'Half' };
      const { strategy_id } = await server.ask('newStrategy', half, owner);
      const allocations = [{ stock_id, percent: 0.5 }];
      await server.ask('newOrderAllocations', { strategy_id, allocations }, owner);
      const mirrored = { ...bot, allocations: [{ strategy_id, percent: 1 }] };
      const { bot_id } = await server.ask('newBot', mirrored, owner);
      await server.ask('startBot', { bot_id, ...live }, owner);
    },
    async said(server: ComposedServer) {
      const [shown] = await server.ask('getBots', {}, owner);
      return shown?.status;
    },
  };
}

const alpaca = async ({ now }: FixedClock): Promise<Party> => {
  const standIn = alpacaStandIn({ now });
  standIn.addAsset({ symbol: 'AAPL', bid: '99.95', ask: '100.05' });
  const credentials = { key_id: 'PKTESTKEY00000000001', secret_key: 'secret-of-paper' };
  const { key_id: keyId, secret_key: secretKey } = credentials;
  const account = standIn.addAccount({ number: 'PA3TEST00001', keyId, secretKey, cash: '10000' });
  const bot = { type: 'stock', broker: 'alpaca_paper', credentials };
  const { said, ...rest } = await botAt(standIn.venue, AAPL, bot, {});
  return {
    ...rest,
    environment: (url) => ({ BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: url }),
    asks: /^POST \/v2\/orders/,
    outcome: async (server) => ({ orders: account.orders.length, said: await said(server) }),
    expected: { orders: 1, said: 'running' },
  };
};

const kraken = async ({ now }: FixedClock): Promise<Party> => {
  const standIn = krakenStandIn({ now });
  standIn.addMarket({ coin: 'BTC', bid: '59990', ask: '60010' });
  const base64 = (text: string): string => Buffer.from(text.padEnd(64, '.')).toString('base64');
  const [apiKey, secret] = [base64('key').slice(0, 56), base64('secret')];
  const account = standIn.addAccount({ id: 'AA88N84GWOAKNMOI', apiKey, secret, cash: '10000' });
  const credentials = { api_key: apiKey, private_key: secret };
  const bot = { type: 'cryptocurrency', broker: 'kraken', credentials };
  const { said, ...rest } = await botAt(standIn.venue, BTC, bot, { live: true });
  return {
    ...rest,
    environment: (url) => ({ BROKERS: 'kraken', LIVE_TRADING: 'on', CCXT_URL_kraken: url }),
    asks: /^POST \/0\/private\/AddOrder/,
    outcome: async (server) => ({ orders: account.orders.length, said: await said(server) }),
    expected: { orders: 1, said: 'running' },
  };
};

const timestamps = async ({ now }: FixedClock): Promise<Party> => {
  const authority = await timestampAuthority({ now });
  return {
    ...(await authority.listen()),
    environment: (url) => ({ TIMESTAMP_URL: url }),
    async begin(server) {
      const owner = await server.user('ada');
      await server.ask('newStrategy', { type: 'stock', name: 'A' }, owner);
      server.clock.advance(DAY);
    },
    asks: /^POST/,
    outcome: async () => authority.requests(),
    expected: 2,
  };
};

/** Alpaca's data, of which the server asks that path for the market. */
const marketData =
  (path: RegExp) =>
  async ({ now }: FixedClock): Promise<Party> => {
    const data = alpacaData({ now, keyId: 'PKDATA', secretKey: 'secret of data' });
    let asked = 0;
    const venue: Venue = async (request) => {
      if (path.test(`GET ${request.path}`)) asked += 1;
      return data.venue(request);
    };
    return {
      ...(await listen(venue)),
      environment: (url) => ({
        ...{ MARKET: 'live', TRADING_HOURS: 'exchange', FEEDS: 'alpaca', ALPACA_DATA_URL: url },
        ...{ ALPACA_DATA_KEY_ID: 'PKDATA', ALPACA_DATA_SECRET: 'secret of data' },
      }),
      isAskedAtStart: true,
      begin: async () => undefined,
      asks: path,
      outcome: async () => asked > 1,
      expected: true,
    };
  };

/** A venue that takes a connection and does not even say that it is a WebSocket. */
const marketStream = async (): Promise<Party> => ({
  environment: (url) => ({
    ...{ MARKET: 'live', FEEDS: 'coinbase', COINBASE_STREAM_URL: url.replace('http:', 'ws:') },
  }),
  next: {},
  isAskedAtStart: true,
  begin: async () => undefined,
  outcome: async () => 'nothing to do',
  expected: 'nothing to do',
});

export const PARTIES: Readonly<Record<string, (clock: FixedClock) => Promise<Party>>> = {
  'a mail server': mailServer,
  'the receiver of a webhook': webhookReceiver,
  'the payment gateway': paymentGateway,
  'Alpaca, where a bot trades': alpaca,
  'Kraken, where a bot trades': kraken,
  'a time-stamp authority': timestamps,
  'the quotes of stocks': marketData(/^GET \/v2\/stocks\/snapshots/),
  'the calendar of the exchanges': marketData(/^GET \/v2\/calendar/),
  'the announcements of corporate actions': marketData(/^GET \/v1\/corporate-actions/),
  'the stream of a market': marketStream,
};
