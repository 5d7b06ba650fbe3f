import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { ZERO, decimal, sum } from '@slipstream/domain';
import {
  type AlpacaAccount,
  type AlpacaStandIn,
  type FaultKind,
  type Listening,
  alpacaStandIn,
  listen,
} from '@slipstream/stand-ins';
import { type ComposedServer, IN_SESSION, composedServer } from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';
const MSFT = 'MSFT:NASDAQ';
const KEY = { key_id: 'PKTESTKEY00000000001', secret_key: 'canary-secret-of-paper' };
const KINDS: readonly FaultKind[] = [
  'drop_before',
  'drop_after',
  'truncate',
  'garbage',
  'empty',
  { status: 500, body: { code: 50010000, message: 'internal server error' } },
  { status: 503 },
  { status: 429 },
];

/** The same row of numbers below `count` for each seed. */
function numbers(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % count;
  };
}

describe('a bot whose requests meet every kind of trouble', () => {
  const clock = fixedClock(IN_SESSION);
  const standIn: AlpacaStandIn = alpacaStandIn({
    now: clock.now,
    filling: 4_000,
    cancelling: 3_000,
  });
  let account: AlpacaAccount;
  let listening: Listening;
  let server: ComposedServer;
  beforeAll(async () => {
    standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
    standIn.addAsset({ symbol: 'MSFT', bid: '399.9', ask: '400.1' });
    const [keyId, secretKey] = [KEY.key_id, KEY.secret_key];
    account = standIn.addAccount({ number: 'PA3TEST00001', keyId, secretKey, cash: '10000' });
    standIn.tradeByHand(account, 'MSFT', 'buy', decimal('3'));
    listening = await listen(standIn.venue);
    server = await composedServer({
      clock,
      environment: { BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: listening.url },
    });
  });
  afterAll(async () => {
    await server.close();
    await listening.close();
  });

  const quotes = () => server.quotes({ [AAPL]: [199.9, 200.1], [MSFT]: [399.9, 400.1] });
  const pass = async (seconds: number): Promise<void> => {
    clock.advance(seconds * 1_000);
    await quotes();
    await server.application.background.runBots();
  };

  it('doubles no order, loses none, and keeps what its owner had', async () => {
    const user = await server.user('ada');
    await quotes();
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, user);
    const allocate = (aapl: number, msft: number) =>
      server.ask(
        'newOrderAllocations',
        {
          strategy_id,
          allocations: [
            { stock_id: AAPL, percent: aapl },
            { stock_id: MSFT, percent: msft },
          ],
        },
        user,
      );
    await allocate(0.5, 0.2);
    const { bot_id } = await server.ask(
      'newBot',
      {
        type: 'stock',
        broker: 'alpaca_paper',
        allocations: [{ strategy_id, percent: 1 }],
        credentials: KEY,
      },
      user,
    );
    await server.ask('startBot', { bot_id }, user);
    const next = numbers(7);
    for (let round = 0; round < 14; round += 1) {
      const kind = KINDS[next(KINDS.length)];
      const path = ['/v2/orders', '/v2/orders', '/v2/account', '/v2/positions', '/'][next(5)];
      standIn.faults.clear();
      if (kind !== undefined && path !== undefined) standIn.faults.add({ path, kind });
      await allocate(0.1 + next(5) / 10, 0.1 + next(4) / 10);
      for (const seconds of [1, 2, 5, 20, 60].slice(next(4))) await pass(seconds);
    }
    standIn.faults.clear();
    await allocate(0.4, 0.3);
    for (let step = 0; step < 20; step += 1) await pass(20);

    const orders = await server.ask('getBotOrders', { bot_id, limit: 100 }, user);
    const atVenue = account.orders.filter(({ clientOrderId }) => !clientOrderId.startsWith('by-'));
    expect(atVenue.length).toBeGreaterThan(15);
    const known = new Map(orders.map((order) => [order.bot_order_id, order]));
    // Every order at the venue is one of the bot's, with the fills that the bot knows.
    expect(
      atVenue.map(({ clientOrderId, filledQty }) => [clientOrderId, filledQty.toFixed()]),
    ).toEqual(
      atVenue.map(({ clientOrderId }) => [clientOrderId, known.get(clientOrderId)?.filled_amount]),
    );
    expect(new Set(atVenue.map(({ clientOrderId }) => clientOrderId)).size).toBe(atVenue.length);
    expect(orders.filter(({ status }) => status === 'unknown' || status === 'open')).toEqual([]);

    for (const [symbol, stock_id, before] of [
      ['AAPL', 'aapl.nasdaq', '0'],
      ['MSFT', 'msft.nasdaq', '3'],
    ] as const) {
      const asset = standIn.asset(symbol);
      const bought = sum(
        atVenue
          .filter((order) => order.asset === asset)
          .map(({ side, filledQty }) => (side === 'buy' ? filledQty : ZERO.minus(filledQty))),
      );
      const held = account.positions.get(asset.id) ?? ZERO;
      expect(held.minus(bought).toFixed()).toBe(before);
      const { positions } = await server.ask('getBotAccount', { bot_id }, user);
      expect(positions.find((one) => one.stock_id === stock_id)).toMatchObject({ kept: before });
    }
    expect(await server.ask('getBots', {}, user)).toMatchObject([{ status: 'running' }]);
  });
});
