import { describe, expect, it } from '@jest/globals';
import { decimal, id } from '@slipstream/domain';
import type { VenueOutcome } from '@slipstream/stand-ins';
import { z } from 'zod';
import {
  KEYS,
  LISTED,
  MINUTE,
  NAMES,
  type Name,
  aWorld,
  accessOf,
  btc,
  ccxt,
  coin,
  orderOf,
} from './fixture.js';
import { COINBASE_ANSWERS } from './published/coinbase.js';
import { KRAKEN_ANSWERS } from './published/kraken.js';

const PUBLISHED = { coinbase: COINBASE_ANSWERS, kraken: KRAKEN_ANSWERS } as const;

interface Heard {
  /** Method and path. */
  readonly request: string;
  readonly body: unknown;
}

const jsonOf = (outcome: VenueOutcome): unknown =>
  typeof outcome === 'string' ? undefined : (JSON.parse(outcome.body) as unknown);

/** Every answer that the stand-in gives to an adapter that links, reads, trades in all ways and cancels. */
async function everyAnswer(name: Name, halts = true): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  const { broker, standIn, account, pass } = aWorld(name, {
    filling: 'by_hand',
    around: (venue) => async (request) => {
      const outcome = await venue(request);
      heard.push({ request: `${request.method} ${request.path}`, body: jsonOf(outcome) });
      return outcome;
    },
  });
  const access = accessOf(name);
  const place = async (clientOrderId: string, change: object): Promise<void> => {
    const order = orderOf(coin, { clientOrderId: clientOrderId.padEnd(32, '0'), ...change });
    await broker.place(access, order).catch(() => undefined);
    pass(MINUTE);
  };
  await broker.link({
    ...{ userId: id<'user'>('user-1'), type: 'cryptocurrency', accountId: undefined },
    credentials: KEYS[name],
  });
  standIn.tradeByHand(account, 'BTC', 'buy', decimal('0.01'));
  standIn.move(account, 'USD', decimal('50'));
  await broker.rules(access, [coin, btc]);
  await place('a1', {});
  standIn.fillAll(account);
  await place('b2', { limit: null });
  standIn.fillNextInPart();
  await place('c3', { limit: decimal('101') });
  await place('d4', { action: 'sell', amount: decimal('1'), limit: decimal('90') });
  await place('e5', { amount: decimal('100000') });
  await place('f6', { limit: decimal('80') });
  const ids = ['a1', 'b2', 'c3', 'd4', 'f6'].map((one) => one.padEnd(32, '0'));
  await broker.find(access, ids);
  for (const clientOrderId of ids) {
    pass(MINUTE);
    await broker.cancel(access, clientOrderId).catch(() => undefined);
  }
  pass(MINUTE);
  standIn.fillAll(account);
  await broker.find(access, ids);
  standIn.market('COIN').halted = halts;
  pass(MINUTE);
  await broker.rules(access, [coin]);
  await broker.account(access, LISTED);
  pass(MINUTE);
  await broker.activities?.(access, LISTED, 0);
  return heard;
}

describe.each(NAMES)('the answers of the stand-in of %s', (name) => {
  const published = PUBLISHED[name];

  it('have the fields that the exchange documents, of their kinds, and no others', async () => {
    const heard = await everyAnswer(name);
    const wrong = heard.flatMap(({ request, body }) => {
      const read = (published[request] ?? z.never()).safeParse(body);
      return read.success ? [] : [`${request}: ${z.prettifyError(read.error)}`];
    });
    expect([...new Set(wrong)]).toEqual([]);
  });

  it('are all seen: each documented endpoint was asked', async () => {
    const heard = await everyAnswer(name);
    expect([...new Set(heard.map(({ request }) => request))].sort()).toEqual(
      Object.keys(published).sort(),
    );
  });

  it.each(['a field that is not documented', 'a number instead of a text', 'a missing field'])(
    'would be refused with %s',
    async (_) => {
      const request =
        name === 'kraken' ? 'POST /0/private/BalanceEx' : 'GET /api/v3/brokerage/accounts';
      const heard = (await everyAnswer(name)).find((one) => one.request === request);
      const text = JSON.stringify(heard?.body);
      const amount = name === 'kraken' ? 'hold_trade' : 'currency';
      const changed = {
        'a field that is not documented': text.replace(`"${amount}"`, `"extra":1,"${amount}"`),
        'a number instead of a text': text.replace(
          new RegExp(`"${amount}":"[^"]+"`),
          `"${amount}":1`,
        ),
        'a missing field': text.replace(new RegExp(`,"${amount}":"[^"]+"`), ''),
      }[_];
      expect(changed).not.toBe(text);
      expect(published[request]?.safeParse(JSON.parse(changed ?? '')).success).toBe(false);
    },
  );
});

type Parsed = Readonly<Record<string, unknown>>;
type Parser = (...given: unknown[]) => unknown;

/** Fields of ccxt's orders and markets that say what this adapter reads of the same answers. */
const READ_OF_ORDERS = ['id', 'clientOrderId', 'symbol', 'side', 'status', 'amount', 'filled'];
const READ_OF_MARKETS = ['id', 'symbol', 'base', 'quote', 'spot', 'active'];

/** The exchange of ccxt, whose parsers take the stand-in's answers. */
const parserOf = (name: Name) => {
  const exchange = new ccxt[name]({});
  const call = (method: string, ...given: unknown[]): unknown =>
    (exchange[method] as Parser).apply(exchange, given);
  return { exchange, call };
};

const unread = (rows: readonly unknown[], names: readonly string[]): readonly string[] =>
  rows.flatMap((one) =>
    names.filter((name) => [undefined, null].includes((one as Parsed)[name] as undefined)),
  );

const bodiesOf = (heard: readonly Heard[], request: string): readonly Parsed[] =>
  heard.flatMap((one) => (one.request === request ? [one.body as Parsed] : []));

describe('the parsers of ccxt read every field that we read', () => {
  it('of markets and orders of the stand-in of Coinbase', async () => {
    const heard = await everyAnswer('coinbase', false);
    const { call } = parserOf('coinbase');
    const [listed] = bodiesOf(heard, 'GET /api/v3/brokerage/market/products');
    const markets = (listed?.['products'] as Parsed[]).map((one) =>
      call('parseSpotMarket', one, {}),
    );
    expect(markets).not.toEqual([]);
    expect(unread(markets, READ_OF_MARKETS)).toEqual([]);
    expect(
      unread(
        markets.map((one) => (one as { precision: Parsed }).precision),
        ['amount', 'price'],
      ),
    ).toEqual([]);
    call('setMarkets', markets);
    const rows = bodiesOf(heard, 'GET /api/v3/brokerage/orders/historical/batch').flatMap(
      ({ orders }) => (orders as Parsed[]).filter((one) => one['client_order_id'] !== ''),
    );
    const orders = rows.map((one) => call('parseOrder', one) as Parsed);
    expect(new Set(orders.map(({ status }) => status))).toEqual(
      new Set(['open', 'closed', 'canceled']),
    );
    expect(unread(orders, [...READ_OF_ORDERS, 'timestamp'])).toEqual([]);
    expect(
      unread(
        orders.filter(({ filled }) => Number(filled) > 0),
        ['average', 'fee'],
      ),
    ).toEqual([]);
  });

  it('of markets and orders of the stand-in of Kraken', async () => {
    const heard = await everyAnswer('kraken', false);
    const { exchange, call } = parserOf('kraken');
    const [listed] = bodiesOf(heard, 'GET /0/public/AssetPairs');
    Object.assign(exchange, {
      publicGetAssetPairs: async () => listed,
      fetchCurrencies: async () => ({}),
      options: { ...(exchange['options'] as Parsed), adjustForTimeDifference: false },
    });
    const markets = (await call('fetchMarkets')) as readonly unknown[];
    expect(markets).not.toEqual([]);
    expect(unread(markets, READ_OF_MARKETS)).toEqual([]);
    expect(
      unread(
        markets.map((one) => (one as { precision: Parsed }).precision),
        ['amount', 'price'],
      ),
    ).toEqual([]);
    call('setMarkets', markets);
    const rows = ['Open', 'Closed'].flatMap((kind) =>
      bodiesOf(heard, `POST /0/private/${kind}Orders`).flatMap(({ result }) =>
        Object.entries((result as Readonly<Record<string, Parsed>>)[kind.toLowerCase()] ?? {}),
      ),
    );
    const orders = rows.map(
      ([orderId, one]) => call('parseOrder', { id: orderId, ...(one as Parsed) }) as Parsed,
    );
    expect(new Set(orders.map(({ status }) => status))).toEqual(
      new Set(['open', 'closed', 'canceled']),
    );
    expect(unread(orders, [...READ_OF_ORDERS, 'timestamp'])).toEqual([]);
    expect(
      unread(
        orders.filter(({ filled }) => Number(filled) > 0),
        ['average', 'fee'],
      ),
    ).toEqual([]);
  });
});
