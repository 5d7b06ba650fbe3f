import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AlpacaAccount,
  type AlpacaStandIn,
  type FaultKind,
  type Listening,
  alpacaStandIn,
  fetchFrom,
  listen,
} from '../src/index.js';

const KEY = { keyId: 'PKTESTKEY00000000001', secretKey: 'canary-secret' };
const HEADERS = { 'apca-api-key-id': KEY.keyId, 'apca-api-secret-key': KEY.secretKey };

let now = Date.parse('2026-03-04T15:00:00Z');
let standIn: AlpacaStandIn;
let account: AlpacaAccount;
let listening: Listening;
beforeAll(async () => {
  listening = await listen((request) => standIn.venue(request));
});
afterAll(() => listening.close());
beforeEach(() => {
  standIn = alpacaStandIn({ now: () => now, filling: 1_000, cancelling: 500 });
  standIn.addAsset({ symbol: 'ACME', bid: '100', ask: '101' });
  standIn.addAsset({ symbol: 'COIN/USD', bid: '10', ask: '10.1' });
  account = standIn.addAccount({ number: 'PA1', ...KEY, cash: '10000' });
});

/** Over a socket, or without one. */
const WAYS = {
  'over a socket': (path: string, init?: RequestInit) => fetch(`${listening.url}${path}`, init),
  'without a socket': (path: string, init?: RequestInit) =>
    fetchFrom({ venue: standIn.venue })(`http://venue${path}`, init),
};
type Way = keyof typeof WAYS;
const ways = Object.keys(WAYS) as Way[];

const get = (path: string, way: Way = 'without a socket') => WAYS[way](path, { headers: HEADERS });
const order = (fields: object, way: Way = 'without a socket') =>
  WAYS[way]('/v2/orders', {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify({
      client_order_id: 'one',
      symbol: 'ACME',
      side: 'buy',
      qty: '10',
      type: 'market',
      time_in_force: 'day',
      ...fields,
    }),
  });
const bodyOf = async (answer: Promise<Response>) =>
  (await (await answer).json()) as Record<string, unknown>;
const statusOf = async () =>
  (await bodyOf(get('/v2/orders:by_client_order_id?client_order_id=one')))['status'];

describe("Alpaca's stand-in", () => {
  it.each(ways)('accepts an order and fills it later, %s', async (way) => {
    expect(await bodyOf(order({}, way))).toMatchObject({ status: 'pending_new', filled_qty: '0' });
    expect(await statusOf()).toBe('new');
    now += 1_000;
    expect(await bodyOf(get('/v2/account', way))).toMatchObject({
      cash: '8990',
      long_market_value: '1000',
    });
    expect(await statusOf()).toBe('filled');
  });

  it('cancels an order after a while, and none that has ended', async () => {
    const { id } = await bodyOf(order({ type: 'limit', limit_price: '90' }));
    const cancel = () =>
      WAYS['without a socket'](`/v2/orders/${String(id)}`, { method: 'DELETE', headers: HEADERS });
    expect((await cancel()).status).toBe(204);
    expect(await statusOf()).toBe('pending_cancel');
    now += 500;
    expect(await statusOf()).toBe('canceled');
    expect(await bodyOf(cancel())).toMatchObject({ code: 42210000 });
  });

  it.each([
    [403, { qty: '1000' }, /insufficient buying power/],
    [422, { qty: '0.5', side: 'sell' }, /fractional orders cannot be sold short/],
    [422, { qty: '0.1234567891' }, /9 decimal places/],
    [403, { qty: '0.001' }, /cost basis must be >= minimal amount of order 1/],
    [422, { type: 'limit', limit_price: '99.999' }, /sub-penny increment/],
    [422, { qty: '0.5', time_in_force: 'gtc' }, /must be DAY orders/],
    [422, { side: 'sell', position_intent: 'sell_to_close' }, /position intent mismatch/],
    [422, { symbol: 'NONE' }, /not found/],
    [422, { qty: undefined }, /qty or notional is required/],
    [403, { symbol: 'COIN/USD', qty: '0.9', time_in_force: 'gtc' }, /minimal amount of order 10/],
    [
      403,
      { symbol: 'COIN/USD', side: 'sell', time_in_force: 'gtc' },
      /insufficient balance for COIN/,
    ],
    [422, { symbol: 'COIN/USD' }, /invalid crypto time_in_force/],
  ])('refuses with %d %j', async (status, fields, message) => {
    const answer = await order(fields);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      code: expect.any(Number),
      message: expect.stringMatching(message),
    });
    expect(account.orders).toEqual([]);
  });

  it('refuses an id that it knows, and an order against an open one of the other side', async () => {
    await order({ type: 'limit', limit_price: '90' });
    expect(await bodyOf(order({}))).toMatchObject({ code: 40010001 });
    expect(await bodyOf(order({ client_order_id: 'two', side: 'sell' }))).toMatchObject({
      message: expect.stringContaining('wash trade'),
    });
  });

  it('refuses wrong keys, and more than 200 requests a minute', async () => {
    const wrong = { ...HEADERS, 'apca-api-secret-key': 'another' };
    expect((await WAYS['without a socket']('/v2/account', { headers: wrong })).status).toBe(401);
    for (let request = 1; request < 200; request += 1) await get('/v2/clock');
    expect((await get('/v2/clock')).status).toBe(429);
    now += 60_000;
    expect((await get('/v2/clock')).status).toBe(200);
  });

  it.each(ways)('spoils requests as it is told, %s', async (way) => {
    const outcome = async (kind: FaultKind, signal?: AbortSignal) => {
      standIn.faults.add({ method: 'GET', path: '/v2/clock', kind });
      try {
        const answer = await WAYS[way]('/v2/clock', {
          headers: HEADERS,
          ...(signal && { signal }),
        });
        return `${answer.status} ${(await answer.text()).slice(0, 6)}`;
      } catch {
        return 'nothing';
      }
    };
    expect(await outcome({ status: 503 })).toBe('503 {}');
    expect(await outcome('drop_before')).toBe('nothing');
    expect(await outcome('drop_after')).toBe('nothing');
    expect(await outcome('silent_before', AbortSignal.timeout(300))).toBe('nothing');
    expect(await outcome('garbage')).toBe('200 <html>');
    expect(await outcome('empty')).toBe('200 {}');
    expect(await outcome({ answer: [1] })).toBe('200 [1]');
    expect(await outcome({ delay: 1 })).toMatch(/^200 \{"time/);
    expect(await outcome('truncate')).toMatch(/^200 /);
  });

  it('logs requests with their hosts and the kinds of their keys, and no secret', async () => {
    await get('/v2/account', 'over a socket');
    expect(standIn.log).toEqual([
      {
        at: now,
        method: 'GET',
        host: new URL(listening.url).host,
        path: '/v2/account',
        keyKind: 'PK',
      },
    ]);
    expect(JSON.stringify(standIn.log)).not.toContain('canary');
  });
});
