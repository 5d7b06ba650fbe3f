import { describe, expect, it } from '@jest/globals';
import {
  type Broker,
  type BrokerAccess,
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerRateLimited,
  BrokerUnreachable,
} from '@slipstream/ports';
import type { CoinExchange, FaultKind, VenueRequest } from '@slipstream/stand-ins';
import {
  NAMES,
  REQUESTS,
  type WorldOptions,
  aWorld,
  accessOf,
  coin,
  instrumentsOf,
  orderOf,
} from './fixture.js';

const HTML = { 'content-type': 'text/html' };
const status = (code: number, body: unknown = {}, headers?: Readonly<Record<string, string>>) => ({
  status: code,
  body,
  ...(headers && { headers }),
});
const kraken = (error: string): FaultKind => ({ answer: { error: [error] } });

type Script = readonly [string, (world: ReturnType<typeof aWorld>) => FaultKind, WorldOptions?];

/** What may become of a request; the first ones of both exchanges, then of each. */
const SCRIPTS: readonly Script[] = [
  ['the connection breaks before the request', () => 'drop_before'],
  ['the connection breaks before the answer', () => 'drop_after'],
  ['nobody answers', () => 'silent_before', { deps: { timeout: 20 } }],
  ['it is done and nobody answers', () => 'silent_after', { deps: { timeout: 20 } }],
  ['the request is lost for good', ({ pass }) => ({ lost: () => pass(10_000) })],
  ['the answer is cut', () => 'truncate'],
  ['a web page comes with 200', () => 'garbage'],
  ['an empty record comes', () => 'empty'],
  ['an empty list comes', () => ({ answer: [] })],
  ['nothing comes', () => ({ answer: '' })],
  ['a number comes', () => ({ answer: 1 })],
  ['a record of other things comes', () => ({ answer: { error: [], result: {}, orders: 1 } })],
  ['an answer comes late', () => ({ delay: 5 })],
  ['the server fails (500)', () => status(500, { error: 'internal' })],
  ['the gateway fails (502)', () => status(502, '<html>', HTML)],
  ['the exchange is down (503)', () => status(503, { error: ['EService:Unavailable'] })],
  ['the gateway gives up (520)', () => status(520)],
  ['it asks to slow down (429)', () => status(429, {}, { 'retry-after': '1' })],
  ['it asks to slow down (418)', () => status(418)],
  ['a wall refuses it (403 without JSON)', () => status(403, '<html>', HTML)],
  ['it points elsewhere (302)', () => status(302, {}, { location: 'https://evil.example' })],
  ['the path is gone (404)', () => status(404, {})],
];
const OF_KRAKEN: readonly Script[] = [
  ['Kraken is unavailable', () => kraken('EService:Unavailable')],
  ['Kraken is busy', () => kraken('EService:Busy')],
  ['Kraken fails', () => kraken('EGeneral:Internal error')],
  ['Kraken limits the rate', () => kraken('EAPI:Rate limit exceeded')],
  ['Kraken locks out for a while', () => kraken('EGeneral:Temporary lockout')],
  ['a nonce was used up', () => kraken('EAPI:Invalid nonce')],
];

const ALL = NAMES.flatMap((name) =>
  [...SCRIPTS, ...(name === 'kraken' ? OF_KRAKEN : [])].map(
    ([words, kind, options]) => [name, words, kind, options] as const,
  ),
);

/** Whether the port allows that error for an order of which nothing is certain, or which had no effect. */
const isKnown = (error: unknown): boolean =>
  error instanceof BrokerUnreachable || error instanceof BrokerRateLimited;

/**
 * As the core does it: what is in doubt is asked for before it is sent again. `brokerNow` is another one after a restart, `wait`
 * lets time pass.
 */
async function carryOut(
  brokerNow: () => Broker,
  access: BrokerAccess,
  order: BrokerOrderRequest,
  wait: (error?: unknown) => void,
): Promise<BrokerOrder> {
  let isInDoubt = false;
  let failure: unknown;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    wait(failure);
    failure = undefined;
    const broker = brokerNow();
    try {
      const known = isInDoubt
        ? (await broker.find(access, [order.clientOrderId])).get(order.clientOrderId)
        : undefined;
      const answer = known ?? (await broker.place(access, order));
      isInDoubt = true;
      if (answer.status !== 'open') return answer;
    } catch (error) {
      if (!isKnown(error)) throw error;
      failure = error;
      isInDoubt = true;
    }
  }
  throw new Error('the order came to no end');
}

const ownOrders = ({ orders }: ReturnType<CoinExchange['addAccount']>) =>
  orders.filter(({ clientOrderId }) => clientOrderId !== null);

describe('an order', () => {
  it.each(ALL)('at %s is placed once and told rightly when %s', async (name, _, kind, options) => {
    const world = aWorld(name, options);
    const { broker, standIn, account, pass } = world;
    const { place, find, account: balances } = REQUESTS[name];
    const access = accessOf(name);
    const instruments = instrumentsOf([coin]);
    for (const method of [place, find, balances])
      standIn.faults.add({ ...method, kind: kind(world) });

    const told = await carryOut(
      () => broker,
      access,
      orderOf(coin),
      () => pass(12_000),
    );
    expect([told.status, told.filledAmount.toFixed()]).toEqual(['filled', '2']);
    expect(ownOrders(account)).toHaveLength(1);

    pass(12_000);
    const first = await broker.account(access, instruments).catch((error: unknown) => error);
    if (first instanceof Error) expect(isKnown(first)).toBe(true);
    standIn.faults.clear();
    pass(12_000);
    const { positions } = await broker.account(access, instruments);
    expect(positions.map(({ amount }) => amount.toFixed())).toEqual(['2']);
    expect(JSON.stringify(standIn.log)).not.toContain('evil');
  });

  it.each(NAMES)('at %s that no list shows yet is in doubt, not absent', async (name) => {
    const { broker, standIn, account, pass } = aWorld(name);
    const access = accessOf(name);
    const order = orderOf(coin);
    standIn.appearAfter(9_000);
    standIn.faults.add({ ...REQUESTS[name].place, kind: 'drop_after' });
    await expect(broker.place(access, order)).rejects.toBeInstanceOf(BrokerUnreachable);
    await expect(broker.find(access, [order.clientOrderId])).rejects.toThrow(
      /not show an order yet/,
    );
    await expect(broker.place(access, order)).rejects.toThrow(/not show an order yet/);
    pass(10_000);
    expect((await broker.find(access, [order.clientOrderId])).size).toBe(1);
    expect((await broker.place(access, order)).status).toBe('filled');
    expect(ownOrders(account)).toHaveLength(1);
  });

  it.each(NAMES)('at %s of an earlier process is not sent again', async (name) => {
    const { broker, newBroker, account, standIn, pass } = aWorld(name);
    const access = accessOf(name);
    const order = orderOf(coin);
    await broker.place(access, order);
    pass(1_000);
    const later = newBroker();
    await expect(later.find(access, ['never'.padEnd(32, 'a')])).rejects.toThrow(/not show/);
    pass(20_000);
    standIn.quote('COIN', '200', '201');
    await later.place(access, order);
    expect(ownOrders(account)).toHaveLength(1);
    const found = (await later.find(access, [order.clientOrderId])).get(order.clientOrderId);
    expect([found?.status, found?.filledPrice?.toFixed()]).toEqual(['filled', '101']);
  });

  it.each(NAMES)(
    'at %s that was lost while the clock was ahead is not in doubt until then',
    async (name) => {
      const { broker, standIn, account, pass } = aWorld(name);
      const access = accessOf(name);
      const { clientOrderId } = orderOf(coin);
      const find = () => broker.find(access, [clientOrderId]);
      await broker.account(access, instrumentsOf([coin]));
      account.nonce = 0;
      standIn.faults.add({ ...REQUESTS[name].place, kind: 'drop_before' });
      await expect(broker.place(access, orderOf(coin))).rejects.toBeInstanceOf(BrokerUnreachable);
      pass(-3_600_000);
      await expect(find()).rejects.toThrow(/not show an order yet/);
      pass(60_000);
      expect((await find()).size).toBe(0);
      expect((await broker.place(access, orderOf(coin))).status).toBe('open');
      expect(ownOrders(account)).toHaveLength(1);
    },
  );

  it.each(
    NAMES.flatMap((name) => [2_000, 9_000, 11_000, 40_000].map((late) => [name, late] as const)),
  )(
    'at %s that arrives %d ms late, after its sender gave up, is not doubled',
    async (name, late) => {
      const held: { readonly at: number; readonly request: VenueRequest }[] = [];
      let isLate = true;
      const world = aWorld(name, {
        around: (venue) => async (request) => {
          const [first] = held;
          if (first && first.at <= world.clock.now()) {
            held.pop();
            // A key may have a window for nonces that come late.
            world.account.nonce = 0;
            await venue(first.request);
          }
          if (!isLate || request.path !== REQUESTS[name].place.path) return venue(request);
          isLate = false;
          held.push({ at: world.clock.now() + late, request });
          world.pass(10_000);
          return 'dropped';
        },
      });
      const told = await carryOut(
        () => world.broker,
        accessOf(name),
        orderOf(coin),
        () => world.pass(5_000),
      );
      expect(told.status).toBe('filled');
      world.pass(60_000);
      await world.broker.account(accessOf(name), instrumentsOf([coin]));
      expect(ownOrders(world.account)).toHaveLength(1);
      expect(world.account.balances.get('COIN')?.toFixed()).toBe('2');
    },
  );

  /** The same numbers for the same seed. */
  const random = (seed: number) => {
    let state = seed;
    return (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  };

  it.each(NAMES)('at %s is placed once under any faults, delays and restarts', async (name) => {
    const kinds = [...SCRIPTS, ...(name === 'kraken' ? OF_KRAKEN : [])].filter(
      ([words]) => !/nobody answers$/.test(words),
    );
    for (let seed = 1; seed <= 25; seed += 1) {
      const next = random(seed);
      const world = aWorld(name, { filling: [0, 500, 30_000][next(3)] ?? 0 });
      const { standIn, account, pass } = world;
      if (next(3) === 0) standIn.fillNextInPart();
      standIn.appearAfter(next(3) * 4_000);
      for (let fault = next(6); fault >= 0; fault -= 1) {
        const [, kind] = kinds[next(kinds.length)] ?? SCRIPTS[0] ?? [];
        if (kind) standIn.faults.add({ kind: kind(world) });
      }
      let { broker } = world;
      let restarts = next(3);
      const brokerNow = (): Broker => {
        if (next(4) > 0 || restarts === 0) return broker;
        restarts -= 1;
        broker = world.newBroker();
        return broker;
      };
      const told = await carryOut(brokerNow, accessOf(name), orderOf(coin), (error) =>
        pass(1_000 + next(8) * 1_000 + (error instanceof BrokerRateLimited ? error.retryAfter : 0)),
      );
      const [order, ...more] = ownOrders(account);
      expect([seed, more.length, told.status]).toEqual([seed, 0, 'filled']);
      expect(told.filledAmount.toFixed()).toBe(order?.filled.toFixed());
    }
  });
});
