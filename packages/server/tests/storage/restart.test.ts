import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FixedClock, fixedClock } from '@slipstream/adapter-memory/testing';
import {
  type ComposedServer,
  IN_SESSION,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';
import { type TestDatabase, testDatabase } from '../../../adapter-sql/tests/postgres/database.js';

const AAPL = 'AAPL:NASDAQ';
const MSFT = 'MSFT:NASDAQ';

/** Links to the service are the same on every port. */
const LINKED = { PUBLIC_URL: 'https://slip.example' };

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

/** What a server over each database is told. */
const ENVIRONMENTS = {
  'a SQLite file': () => LINKED,
  PostgreSQL: () => ({
    ...LINKED,
    DATABASE_URL: database.url,
    SECRET_KEY: 'the master key of the tests and their servers',
  }),
};

describe.each(Object.entries(ENVIRONMENTS))(
  'a server that is stopped and started again over %s',
  (name, environmentOf) => {
    const itHere = name === 'PostgreSQL' ? itOne('it names its database') : it;
    let folder: string;
    let clock: FixedClock;
    let server: ComposedServer;
    let owner: string;
    let strategy_id: string;
    const started = () =>
      composedServer({ storage: 'sqlite', folder, clock, environment: environmentOf() });
    beforeEach(async () => {
      if (name === 'PostgreSQL') await database.empty();
      folder = newFolder();
      clock = fixedClock(IN_SESSION);
      server = await started();
      owner = await server.user('ada');
      ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Kept' }, owner));
      await server.quotes({ [AAPL]: [199.9, 200.1], [MSFT]: [399.9, 400.1] });
    });
    afterEach(async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Down for `seconds`. */
    async function restart(seconds: number): Promise<void> {
      await server.close();
      clock.advance(seconds * 1000);
      server = await started();
    }
    const newOrder = (fields: Record<string, unknown>) =>
      server.ask('newOrder', { strategy_id, stock_id: AAPL, ...fields }, owner);
    const open = async () =>
      (await server.ask('getOrders', { strategy_id }, owner)).map(({ order_id }) => order_id);

    itHere('answers every read as before', async () => {
      await server.ask(
        'newOrderAllocations',
        {
          strategy_id,
          allocations: [
            { stock_id: AAPL, percent: 0.7 },
            { stock_id: MSFT, percent: -0.4 },
          ],
        },
        owner,
      );
      await newOrder({ action: 'sell', type: 'oco', price: 250, stop_price: 150, amount: '0.001' });
      const first = await newOrder({ action: 'buy', type: 'limit', price: 100, amount: '0.001' });
      await newOrder({
        action: 'sell',
        type: 'stop_limit',
        price: 90,
        stop_price: 95,
        total: '0.01',
        order_dependencies: [first.order_id],
      });
      await server.ask('deleteOrder', { strategy_id, order_id: first.order_id }, owner);
      clock.advance(61_000);
      await server.application.background.tick();
      const reads = async () => {
        const texts: string[] = [];
        for (const [name, fields] of [
          ['getPositions', { strategy_id }],
          ['getOrders', { strategy_id }],
          ['getOrders', { strategy_id, order_status: 'filled' }],
          ['getOrders', { strategy_id, order_status: 'cancelled' }],
          ['getTrades', { strategy_id }],
          ['getStrategies', { strategy_id: [strategy_id] }],
          ['getStrategyValues', { strategy_id: [strategy_id] }],
          ['getStrategyHistory', { strategy_id, timeframe: 'day' }],
          ['getStrategySubscriptions', {}],
          ['getTokens', {}],
          ['verifyToken', {}],
          ['getStocks', { stock_id: [AAPL, MSFT] }],
        ] as const) {
          const { status, text } = await server.attempt(name, fields, owner);
          expect({ name, status }).toEqual({ name, status: 200 });
          // The last use of a token is kept to the minute.
          texts.push(text.replaceAll(/"last_used_at":"[^"]+"/g, '"last_used_at":"-"'));
        }
        return texts;
      };
      const before = await reads();
      await restart(0);
      expect(await reads()).toEqual(before);
    });

    itHere(
      'lets open orders wait again and fill by the same rules: a resting one at its own price',
      async () => {
        const resting = await newOrder({
          action: 'buy',
          type: 'limit',
          price: 190,
          amount: '0.001',
        });
        const armed = await newOrder({
          action: 'buy',
          type: 'stop_limit',
          stop_price: 201,
          price: 195,
          amount: '0.001',
        });
        await server.quotes({ [AAPL]: [200.9, 201.1] });
        const [, { triggered_at } = { triggered_at: null }] = (
          await server.ask('getOrders', { strategy_id }, owner)
        ).reverse();
        expect(triggered_at).toBe('2026-03-04T15:00:00.000Z');
        await restart(30);
        expect(await open()).toEqual([armed.order_id, resting.order_id]);
        await server.quotes({ [AAPL]: [179.9, 180.1] });
        const trades = await server.ask('getTrades', { strategy_id }, owner);
        expect(trades.map(({ order_id, price }) => [order_id, price]).reverse()).toEqual([
          [resting.order_id, '190'],
          [armed.order_id, '195'],
        ]);
      },
    );

    itHere('has the quotes again, as stale ones: they value, but do not trade', async () => {
      await server.ask(
        'newOrderAllocations',
        { strategy_id, allocations: [{ stock_id: AAPL, percent: 1 }] },
        owner,
      );
      const [before] = await server.ask('getStrategyValues', { strategy_id: [strategy_id] }, owner);
      await restart(3600);
      expect(await server.ask('getStrategyValues', { strategy_id: [strategy_id] }, owner)).toEqual([
        before,
      ]);
      const closing = await server.ask(
        'newOrderAllocations',
        { strategy_id, allocations: [] },
        owner,
      );
      expect(closing).toMatchObject([{ waiting_reason: 'quote', order_status: 'open' }]);
      expect(await open()).toHaveLength(1);
      await server.quotes({ [AAPL]: 210 });
      expect(await open()).toEqual([]);
      expect(await server.ask('getPositions', { strategy_id }, owner)).toMatchObject({
        positions: [],
      });
    });

    itHere('continues with its bots and their intents', async () => {
      const follower = await server.user('bob');
      await server.ask('newStrategySubscription', { strategy_id }, follower);
      const { bot_id } = await server.ask(
        'newBot',
        {
          type: 'stock',
          broker: 'simulated',
          allocations: [{ strategy_id, percent: 1 }],
          credentials: {},
        },
        follower,
      );
      await server.ask(
        'newOrderAllocations',
        { strategy_id, allocations: [{ stock_id: AAPL, percent: 1 }] },
        owner,
      );
      await server.ask('startBot', { bot_id }, follower);
      await restart(1);
      await server.quotes({ [AAPL]: 200 });
      await server.application.background.runBots();
      expect(await server.ask('getBots', {}, follower)).toMatchObject([
        { bot_id, status: 'running' },
      ]);
      const { positions, equity } = await server.ask('getBotAccount', { bot_id }, follower);
      await restart(1);
      expect(await server.ask('getBotAccount', { bot_id }, follower)).toMatchObject({
        positions,
        equity,
      });
      // The strategy trades while the bot's own check is a minute away: it is woken, also after the restart.
      await server.quotes({ [AAPL]: 200, [MSFT]: 400 });
      const stream = await server.stream(follower);
      await stream.subscribe(`wsBot:${bot_id}`);
      await server.ask(
        'newOrderAllocations',
        { strategy_id, allocations: [{ stock_id: MSFT, percent: 1 }] },
        owner,
      );
      await stream.event(`wsBot:${bot_id}`, 'changed');
      await server.application.background.runBots();
      const after = await server.ask('getBotAccount', { bot_id }, follower);
      expect(after.positions).toMatchObject([{ stock_id: 'msft.nasdaq' }]);
    });

    itHere('accepts its tokens and sessions, but not revoked ones', async () => {
      const account = { email: 'eve@example.com', password: 'a long password' };
      await server.ask('newUser', account);
      const session = await server.ask('newSession', account);
      const gone = await server.ask('newToken', { name: 'x', scope: ['*'] }, session.token);
      await server.ask('deleteToken', { token_id: gone.token_id }, session.token);
      await restart(5);
      expect(await server.ask('verifyToken', {}, session.token)).toMatchObject({
        type: 'refresh',
        token_id: session.token_id,
      });
      expect((await server.attempt('verifyToken', {}, gone.token)).status).toBe(401);
      await server.ask('newSession', account);
      await restart(31 * 24 * 3600);
      expect((await server.attempt('verifyToken', {}, session.token)).status).toBe(401);
      expect(await server.ask('verifyToken', {}, owner)).toMatchObject({ type: 'api' });
    });
  },
);
