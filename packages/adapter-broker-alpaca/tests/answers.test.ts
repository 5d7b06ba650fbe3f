import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import {
  type Broker,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
} from '@slipstream/ports';
import type { FaultKind } from '@slipstream/stand-ins';
import { PAPER, PAPER_KEY, aWorld, acme, instrumentsOf } from './fixture.js';

const access = {
  accountId: 'PA3TEST00001',
  type: 'stock',
  credentials: PAPER_KEY,
  renew: async () => undefined,
} as const;
const request = {
  clientOrderId: 'order-1'.padEnd(32, 'a'),
  stock: acme,
  action: 'buy',
  amount: decimal('10'),
  limit: null,
  closes: false,
} as const;
const ORDERS = { method: 'POST', path: '/v2/orders' };

const place = (broker: Broker) => broker.place(access, request);

/** Refusals as they were published or recorded: status, Alpaca's code, its words, and where they were found. */
const DECLINED: readonly (readonly [number, number, string, string])[] = [
  [403, 40310000, 'insufficient buying power', 'alpaca-py#225'],
  [403, 40310000, 'new orders are rejected by user request', 'lumibot#373'],
  [403, 40310000, 'insufficient underlying qty available for covered call', 'Alpaca-API#271'],
  [422, 42210000, 'potential wash trade detected. use complex orders', 'alpaca-java#145'],
  [403, 40310000, 'potential wash trade detected. use complex orders', 'a public file'],
  [422, 42210000, 'stop price must be greater than current price', 'a public test'],
  [403, 40310000, 'no day trades permitted', 'public notes'],
  [403, 40310100, 'trade denied due to pattern day trading protection', 'a public test'],
  [403, 40310000, 'account is not allowed to short', 'alpaca-py, close-all'],
  [403, 40310000, 'insufficient qty available for order', 'alpaca-py test_position_routes.py'],
  [422, 40010001, 'qty or notional is required', 'alpaca-trade-api-python test_rest.py 1060'],
  [422, 40010001, 'only one of qty or notional is accepted', 'the same, 1084'],
  [422, 40010001, 'qty must be integer', 'the same, 1155'],
  [403, 10041, 'Order failed', 'the same, 1033'],
  [404, 40410000, 'order not found', 'alpaca-py test_cancel_orders'],
  [422, 42210000, 'invalid limit_price 290.123. sub-penny increment', 'alpaca-docs orders.md 128'],
];

describe('an order before which other questions took long (contract 10: nothing is sent later than 1 s after a halt)', () => {
  it('is not sent; the next call sends it', async () => {
    let pass: (milliseconds: number) => void = () => undefined;
    const world = aWorld({}, PAPER, {}, (venue) => async (asked) => {
      const answer = await venue(asked);
      if (asked.method === 'GET') pass(300);
      return answer;
    });
    ({ pass } = world);
    await expect(place(world.broker)).rejects.toBeInstanceOf(BrokerRateLimited);
    expect(world.standIn.log.filter(({ method }) => method === 'POST')).toEqual([]);
    expect((await place(world.broker)).status).toBe('open');
  });
});

describe('an order that Alpaca refuses', () => {
  it.each(DECLINED)('%d %d %s (%s): is rejected, in its words', async (status, code, message) => {
    const { broker, standIn } = aWorld();
    standIn.faults.add({ ...ORDERS, kind: { status, body: { code, message } } });
    expect(await place(broker)).toMatchObject({ status: 'rejected', reason: message });
  });

  it('because it has the id (40010001 client_order_id must be unique): is the first order', async () => {
    const { broker, standIn, pass } = aWorld();
    await place(broker);
    pass(1_000);
    const again = await place(broker);
    expect([again.status, again.filledAmount.toFixed()]).toEqual(['filled', '10']);
    const posts = standIn.log.filter(({ method }) => method === 'POST');
    expect(posts).toHaveLength(2);
  });

  it('because it has the id, but does not show the order yet: nobody knows', async () => {
    const { broker, standIn, pass, account } = aWorld();
    standIn.appearAfter(3_000);
    standIn.faults.add({ ...ORDERS, kind: 'drop_after' });
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
    expect((await broker.find(access, [request.clientOrderId])).size).toBe(0);
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
    pass(3_000);
    expect((await place(broker)).status).toBe('filled');
    expect(account.orders).toHaveLength(1);
  });
});

const ANSWER = { id: 'x', client_order_id: request.clientOrderId, symbol: 'ACME' };
const sent = {
  ...ANSWER,
  asset_id: '10000000-0000-4000-8000-000000000001',
  asset_class: 'us_equity',
};
const accepted = { ...sent, side: 'buy', qty: '10', filled_qty: '0', filled_avg_price: null };

const BY_ID = { method: 'GET', path: '/v2/orders:by_client_order_id' };
const NOT_UNIQUE = { code: 40010001, message: 'client_order_id must be unique' };

describe('a refusal of an order that stands', () => {
  it.each([
    [422, NOT_UNIQUE],
    [422, { ...NOT_UNIQUE, message: 'client_order_id must be unique.' }],
    [422, { ...NOT_UNIQUE, message: 'this order was received before' }],
    [400, NOT_UNIQUE],
    [403, { code: 40310000, message: 'this order was received before' }],
    [403, { message: 'forbidden.' }],
    [404, { code: 40410000, message: 'not found' }],
    [401, { code: 40110000, message: 'no' }],
  ])('%d %j: is answered by the order', async (status, body) => {
    const { broker, standIn, account } = aWorld();
    standIn.faults.add({ ...ORDERS, kind: 'drop_after' }, { ...ORDERS, kind: { status, body } });
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
    expect((await place(broker)).status).toBe('open');
    expect(account.orders).toHaveLength(1);
  });

  it.each<readonly [string, FaultKind]>([
    ['429', { status: 429 }],
    ['503', { status: 503 }],
    ['403', { status: 403, body: { code: 40310000, message: 'no' } }],
    ['401', { status: 401 }],
    ['no connection', 'drop_before'],
    ['a page for people', 'garbage'],
    ['an order that cannot be read', 'empty'],
  ])('of which nothing can be learnt (%s): nobody knows', async (_, kind) => {
    const { broker, standIn } = aWorld();
    const refusal = { status: 422, body: { code: 42210000, message: 'something' } };
    standIn.faults.add({ ...ORDERS, kind: refusal }, { ...BY_ID, kind });
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
  });

  it('in other words about its id, and is not shown yet: nobody knows', async () => {
    const { broker, standIn, pass } = aWorld();
    standIn.appearAfter(3_000);
    const body = { ...NOT_UNIQUE, message: 'Client order ID was used before' };
    standIn.faults.add(
      { ...ORDERS, kind: 'drop_after' },
      { ...ORDERS, kind: { status: 422, body } },
    );
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
    pass(3_000);
    expect((await place(broker)).status).toBe('filled');
  });

  it('is not the end of one that Alpaca took and cannot show in full', async () => {
    const { broker, standIn } = aWorld();
    const answer = { ...accepted, status: 'replaced', replaced_by: 'nowhere' };
    standIn.faults.add({ ...ORDERS, kind: { answer } });
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
  });
});

type Expected = typeof BrokerRefused | typeof BrokerUnreachable | typeof BrokerRateLimited;

const TROUBLES: readonly (readonly [string, FaultKind, Expected])[] = [
  ['401', { status: 401, body: { code: 40110000, message: 'no' } }, BrokerRefused],
  ['403 without a code', { status: 403, body: { message: 'forbidden.' } }, BrokerRefused],
  ['400', { status: 400, body: { code: 40010000, message: 'invalid body' } }, BrokerRefused],
  ['429', { status: 429, body: { message: 'too many requests.' } }, BrokerRateLimited],
  ['404 without a code', { status: 404, body: { message: 'Not Found' } }, BrokerUnreachable],
  ['422 without a code', { status: 422, body: 'nonsense' }, BrokerUnreachable],
  ['418', { status: 418, body: { code: 1, message: 'no' } }, BrokerUnreachable],
  ['500', { status: 500, body: { code: 50010000, message: 'internal' } }, BrokerUnreachable],
  ['503', { status: 503 }, BrokerUnreachable],
  ['no connection', 'drop_before', BrokerUnreachable],
  ['a connection that breaks', 'drop_after', BrokerUnreachable],
  ['half an answer', 'truncate', BrokerUnreachable],
  ['a page for people', 'garbage', BrokerUnreachable],
  ['an empty object', 'empty', BrokerUnreachable],
  ['null', { answer: null }, BrokerUnreachable],
  ['a list', { answer: [] }, BrokerUnreachable],
  ['an order without a status', { answer: ANSWER }, BrokerUnreachable],
];

describe('an answer that is none', () => {
  it.each(TROUBLES)('%s to an order: what became of it is not made up', async (_, kind, error) => {
    const { broker, standIn } = aWorld();
    standIn.faults.add({ ...ORDERS, kind });
    await expect(place(broker)).rejects.toBeInstanceOf(error);
  });

  it.each(TROUBLES)('%s to a reading: the account is not empty', async (_, kind, error) => {
    const { broker, standIn } = aWorld();
    await broker.account(access, instrumentsOf([acme]));
    standIn.faults.add({ method: 'GET', path: '/v2/positions', kind });
    const read = broker.account(access, instrumentsOf([acme]));
    if (typeof kind === 'object' && 'answer' in kind && Array.isArray(kind.answer)) {
      expect((await read).positions).toEqual([]);
    } else {
      await expect(read).rejects.toBeInstanceOf(error);
    }
  });

  it('tells how long Alpaca asks to wait, or waits ten seconds, and leaves cancelling alone', async () => {
    const { broker, standIn, pass } = aWorld({ filling: 'by_hand' });
    await place(broker);
    standIn.faults.add({ method: 'GET', path: '/v2/orders', kind: { status: 429 } });
    const find = () => broker.find(access, [request.clientOrderId]);
    await expect(find()).rejects.toMatchObject({ retryAfter: 10_000 });
    pass(4_000);
    await expect(find()).rejects.toMatchObject({ retryAfter: 6_000 });
    await broker.cancel(access, request.clientOrderId);
    pass(6_000);
    expect((await find()).get(request.clientOrderId)?.status).toBe('cancelled');
  });

  it.each(['silent_before', 'silent_after'] as const)(
    '%s: an order is of unknown fate after the time-out, and sent once',
    async (kind) => {
      const { broker, standIn, account } = aWorld({}, PAPER, { timeout: 40 });
      standIn.faults.add({ ...ORDERS, kind });
      await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
      const found = await broker.find(access, [request.clientOrderId]);
      expect(found.size).toBe(kind === 'silent_after' ? 1 : 0);
      expect((await place(broker)).status).toBe('open');
      expect(account.orders).toHaveLength(1);
    },
  );

  it('holds no secret in any error', async () => {
    for (const [, kind] of TROUBLES) {
      const { broker, standIn } = aWorld();
      standIn.faults.add({ ...ORDERS, kind });
      const error = await place(broker).catch((caught: unknown) => caught as Error);
      const told = JSON.stringify([error, String(error), (error as Error).cause]);
      expect(told + String((error as Error).cause)).not.toContain(PAPER_KEY.secret_key);
    }
  });
});

const WORDS: readonly (readonly [string, string])[] = [
  ['new', 'open'],
  ['accepted', 'open'],
  ['pending_new', 'open'],
  ['accepted_for_bidding', 'open'],
  ['partially_filled', 'open'],
  ['done_for_day', 'open'],
  ['held', 'open'],
  ['stopped', 'open'],
  ['suspended', 'open'],
  ['calculated', 'open'],
  ['pending_cancel', 'open'],
  ['pending_replace', 'open'],
  ['canceled', 'cancelled'],
  ['expired', 'cancelled'],
  ['rejected', 'rejected'],
];
const UNKNOWN_WORDS = ['shelved', 'replaced', 'FILLED'];

describe('the status of an order', () => {
  it.each(WORDS)('%s is %s', async (status, expected) => {
    const { broker, standIn } = aWorld();
    standIn.faults.add({ ...ORDERS, kind: { answer: { ...accepted, status } } });
    const order = await place(broker);
    expect([order.status, order.cancelling]).toEqual([expected, status === 'pending_cancel']);
  });

  it.each([...UNKNOWN_WORDS, ''])('%j is none', async (status) => {
    const { broker, standIn } = aWorld();
    standIn.faults.add({ ...ORDERS, kind: { answer: { ...accepted, status } } });
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
  });

  it.each(UNKNOWN_WORDS)('%j keeps only its own order in doubt', async (status) => {
    const { broker, standIn } = aWorld({ filling: 'by_hand' });
    const other = { ...request, clientOrderId: 'another-order' };
    await place(broker);
    await broker.place(access, other);
    const find = async () => broker.find(access, [request.clientOrderId]);
    standIn.faults.add({ ...BY_ID, kind: { answer: { ...accepted, status } } });
    expect((await find()).get(request.clientOrderId)).toMatchObject({
      status: 'open',
      cancelling: false,
      reason: `Alpaca says "${status}", which is no known status.`,
    });
    const answer = { ...accepted, status, filled_qty: '10', filled_avg_price: '100' };
    standIn.faults.add({ ...BY_ID, kind: { answer } });
    expect((await find()).get(request.clientOrderId)).toMatchObject({ status: 'filled' });
    standIn.faults.add({
      method: 'GET',
      path: '/v2/orders',
      kind: { answer: [{ ...accepted, status }] },
    });
    const both = await broker.find(access, [request.clientOrderId, other.clientOrderId]);
    expect([...both.values()].map((one) => one.status)).toEqual(['open', 'open']);
  });

  it.each(['0', '4', '9.9999'])(
    'filled with %s of 10 contradicts itself: it is open until the rest is told',
    async (filled) => {
      const { broker, standIn } = aWorld({ filling: 'by_hand' });
      await place(broker);
      const told = async (filled_qty: string) => {
        const answer = { ...accepted, status: 'filled', filled_qty, filled_avg_price: '100' };
        standIn.faults.add({ ...BY_ID, kind: { answer } });
        return (await broker.find(access, [request.clientOrderId])).get(request.clientOrderId);
      };
      const first = await told(filled);
      expect([first?.status, first?.filledAmount.toFixed(), first?.reason]).toEqual([
        'open',
        filled,
        'Alpaca says "filled", but tells less than was ordered.',
      ]);
      for (const all of ['9.99999999', '10'])
        expect(await told(all)).toMatchObject({ status: 'filled', reason: null });
    },
  );

  it.each([
    ['another id', { client_order_id: 'another' }],
    ['another side', { side: 'sell' }],
    ['another amount', { qty: '11' }],
    ['another asset', { asset_id: 'another' }],
    ['a fill without a price', { status: 'filled', filled_qty: '10' }],
  ])('with %s is that of no order of ours', async (_, change) => {
    const { broker, standIn } = aWorld();
    standIn.faults.add({ ...ORDERS, kind: { answer: { ...accepted, status: 'new', ...change } } });
    await expect(place(broker)).rejects.toBeInstanceOf(BrokerUnreachable);
  });

  it('follows one that its owner replaced, with the fills of both, and cancels the one that stands', async () => {
    const { broker, standIn, account, pass } = aWorld();
    standIn.fillNextInPart();
    await place(broker);
    const [first] = account.orders;
    if (!first) throw new Error('an order was placed');
    const second = standIn.replace(account, first, '4');
    const find = async () =>
      (await broker.find(access, [request.clientOrderId])).get(request.clientOrderId);
    const open = await find();
    expect([open?.status, open?.amount.toFixed(), open?.filledAmount.toFixed()]).toEqual([
      'open',
      '9',
      '5',
    ]);
    await broker.cancel(access, request.clientOrderId);
    pass(1_000);
    expect((await find())?.status).toBe('cancelled');
    expect([first.status, second.status]).toEqual(['replaced', 'canceled']);
  });
});

describe('cancelling an order', () => {
  it.each([
    ...WORDS,
    ['filled', 'filled'] as const,
    ...UNKNOWN_WORDS.map((word) => [word, 'no status'] as const),
  ])(
    'that is %s (%s): is sent unless it is certain that the order has ended',
    async (status, meaning) => {
      const { broker, standIn, account } = aWorld({ filling: 'by_hand' });
      await place(broker);
      const fills = status === 'filled' && { filled_qty: '10', filled_avg_price: '100' };
      const answer = { ...accepted, id: account.orders[0]?.id, status, ...fills };
      standIn.faults.add({ ...BY_ID, kind: { answer } });
      await broker.cancel(access, request.clientOrderId);
      const hasEnded = ['filled', 'cancelled', 'rejected'].includes(meaning);
      expect(standIn.log.some(({ method }) => method === 'DELETE')).toBe(!hasEnded);
      expect(account.orders[0]?.status).toBe(hasEnded ? 'new' : 'canceled');
    },
  );

  it.each(['/v2/account', '/v2/orders'])(
    'is tried in a pause after 429 of %s, with all that it has to ask before',
    async (path) => {
      const { broker, standIn, account, pass } = aWorld({ filling: 'by_hand' });
      await place(broker);
      const [first] = account.orders;
      if (!first) throw new Error('an order was placed');
      const second = standIn.replace(account, first, '4');
      // As after a restart: it is not known yet that the key opens the account.
      await broker.unlink?.(access);
      standIn.faults.add({ method: 'GET', path, kind: { status: 429 } });
      const find = () => broker.find(access, [request.clientOrderId]);
      await expect(find()).rejects.toBeInstanceOf(BrokerRateLimited);
      await broker.unlink?.(access);
      await broker.cancel(access, request.clientOrderId);
      expect(standIn.log.slice(-4).map(({ method }) => method)).toEqual([
        'GET',
        'GET',
        'GET',
        'DELETE',
      ]);
      await expect(find()).rejects.toBeInstanceOf(BrokerRateLimited);
      pass(10_000);
      expect(second.status).toBe('canceled');
    },
  );
});
