import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import {
  type ComposedServer,
  OPERATOR_TOKEN,
  STORAGES,
  composedServer,
} from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';
const MSFT = 'MSFT:NASDAQ';
const NVDA = 'NVDA:NASDAQ';

describe.each(STORAGES)(
  'publishing, following and mirroring over HTTP and WebSocket, stored in %s',
  (storage) => {
    let server: ComposedServer;
    beforeEach(async () => {
      server = await composedServer({ storage });
    });
    afterEach(() => server.close());

    /** Signs up and in as a person would; answers a token for programs. */
    async function signUp(name: string): Promise<string> {
      const account = { email: `${name}@example.com`, password: `the password of ${name}` };
      await server.ask('newUser', account);
      const { token } = await server.ask('newSession', account);
      const issued = await server.ask('newToken', { name: 'program', scope: ['*'] }, token);
      return issued.token;
    }

    it('carries a strategy from sign-up to the follower whose bot goes flat again', async () => {
      const [owner, follower] = [await signUp('ada'), await signUp('bob')];
      const { strategy_id } = await server.ask(
        'newStrategy',
        { type: 'stock', name: 'Momentum' },
        owner,
      );
      await server.quotes({
        [AAPL]: [199.9, 200.1],
        [MSFT]: [399.9, 400.1],
        [NVDA]: [99.9, 100.1],
      });

      // The owner's first targets fill at once.
      const first = await server.ask(
        'newOrderAllocations',
        { strategy_id, allocations: [{ stock_id: AAPL, percent: 0.6 }] },
        owner,
      );
      expect(first.map(({ order_status }) => order_status)).toEqual(['open']);
      expect(
        await server.ask('getOrders', { strategy_id, order_status: 'filled' }, owner),
      ).toMatchObject([
        { order_id: first[0]?.order_id, filled_price: '200.20005', order_dependencies: [] },
      ]);

      // The increase waits for the reduce; both are told as they happen.
      const orders = await server.stream(owner);
      await orders.subscribe(`wsOrders:${strategy_id}`);
      const moved = await server.ask(
        'newOrderAllocations',
        {
          strategy_id,
          allocations: [
            { stock_id: MSFT, percent: 0.5 },
            { stock_id: AAPL, percent: 0.1 },
          ],
        },
        owner,
      );
      const [reduce, increase] = moved;
      expect(moved.map(({ symbol, action }) => `${action} ${symbol}`)).toEqual([
        'sell AAPL',
        'buy MSFT',
      ]);
      expect(reduce?.order_dependencies).toEqual([]);
      expect(increase?.order_dependencies).toEqual([reduce?.order_id]);
      const fill = await orders.next(
        ({ event, data }) => event === 'filled' && (data as { symbol: string }).symbol === 'MSFT',
      );
      expect(fill.data).toMatchObject({ order_id: increase?.order_id, order_dependencies: [] });
      const versions = orders.frames.flatMap(({ version }) => version ?? []);
      expect(versions).toEqual([...versions].sort((a, b) => a - b));

      // The follower subscribes, sees what is sold, and links an account.
      expect((await server.attempt('getPositions', { strategy_id }, follower)).status).toBe(400);
      expect(
        await server.ask('newStrategySubscription', { strategy_id, input_value: '4000' }, follower),
      ).toMatchObject({ relation: 'subscriber', status: 'active' });
      const { version, positions } = await server.ask('getPositions', { strategy_id }, follower);
      expect(positions.map(({ symbol }) => symbol).sort()).toEqual(['AAPL', 'MSFT']);
      const { bot_id, live } = await server.ask(
        'newBot',
        {
          type: 'stock',
          broker: 'simulated',
          allocations: [{ strategy_id, percent: 1 }],
          credentials: { starting_balance: '10000' },
        },
        follower,
      );
      expect(live).toBe(false);
      expect(await server.ask('startBot', { bot_id }, follower)).toMatchObject({
        status: 'scheduled_rebalance',
        condition: 'active',
      });
      const bot = await server.stream(follower);
      await bot.subscribe(`wsBot:${bot_id}`, `wsStrategyValue:${strategy_id}`);
      await server.application.background.runBots();
      await bot.next(({ data }) => (data as { status?: string }).status === 'running');
      expect(await mirrored(bot_id, follower)).toEqual(['AAPL', 'MSFT']);

      // A price moves: the value is streamed, exactly as it is read.
      server.clock.advance(1000);
      await server.quotes({ [MSFT]: [440, 440.2] });
      const received = await bot.event(`wsStrategyValue:${strategy_id}`, 'changed');
      const [value] = await server.ask(
        'getStrategyValues',
        { strategy_id: [strategy_id] },
        follower,
      );
      expect(received.data).toEqual(value);
      expect(Number(value?.strategy_value)).toBeGreaterThan(1.04);

      // An alert from a charting platform; the bot follows it.
      const alert = await server.call('POST', '/newOrderWebhook', {
        headers: { 'content-type': 'text/plain' },
        body: `  ${JSON.stringify({ strategy_id, stock_id: NVDA, action: 'BUY', leverage: '0.3', api_token: owner, ticker: 'NVDA', time: 'now' })}\n`,
      });
      expect(alert.status).toBe(200);
      const [trade] = await server.ask('getTrades', { strategy_id }, follower);
      expect(trade).toMatchObject({ stock_id: 'nvda.nasdaq', action: 'buy' });
      const after = await server.ask('getPositions', { strategy_id }, follower);
      expect(after.version).toBeGreaterThan(version);
      await bot.next(
        ({ channel, data }) =>
          channel === `wsBot:${bot_id}` &&
          (data as { next_run_at: string }).next_run_at === '2026-03-04T15:00:01.000Z',
      );
      await server.application.background.runBots();
      expect(await mirrored(bot_id, follower)).toEqual(['AAPL', 'MSFT', 'NVDA']);

      // Stopped with closure it is off and flat, and says what it did.
      expect(await server.ask('stopBot', { bot_id, close_on_stop: true }, follower)).toMatchObject({
        status: 'stopping',
        condition: 'closing',
      });
      await server.application.background.runBots();
      expect(await server.ask('getBots', {}, follower)).toMatchObject([
        { bot_id, status: 'off', condition: 'off' },
      ]);
      const account = await server.ask('getBotAccount', { bot_id }, follower);
      expect(account.positions).toEqual([]);
      expect(account.equity).toBe(account.cash);
      expect(
        (await server.ask('getBotOrders', { bot_id }, follower)).every(
          ({ status }) => status === 'filled',
        ),
      ).toBe(true);
    });

    it('stops the bot of a follower who leaves, at once, and names it', async () => {
      const [owner, follower] = [await signUp('ada'), await signUp('bob')];
      const strategy = { type: 'stock', name: 'Momentum' };
      const { strategy_id } = await server.ask('newStrategy', strategy, owner);
      await server.ask('newStrategySubscription', { strategy_id }, follower);
      const { bot_id, user_id } = await server.ask(
        'newBot',
        {
          type: 'stock',
          broker: 'simulated',
          allocations: [{ strategy_id, percent: 1 }],
          notifications: ['warning', 'stop'],
        },
        follower,
      );
      await server.ask('startBot', { bot_id }, follower);
      const stream = await server.stream(follower);
      await stream.subscribe(`wsBot:${bot_id}`, `wsNotifications:${user_id}`);
      await server.ask('deleteStrategySubscription', { strategy_id }, follower);
      await stream.next(({ data }) => (data as { status?: string }).status === 'stopping');
      await server.application.background.runBots();
      await stream.next(({ data }) => (data as { type?: string }).type === 'stop');
      const received = await server.ask('getNotifications', {}, follower);
      expect(received.map(({ text }) => text)).toEqual([
        `Bot ${bot_id}: Off, positions kept.`,
        `Bot ${bot_id}: Stops because it may no longer mirror “Momentum”.`,
      ]);
      expect(await server.ask('getBots', {}, follower)).toMatchObject([
        { status: 'off', drift: null },
      ]);
    });

    const mirrored = async (bot_id: string, token: string): Promise<string[]> => {
      const { positions, drift } = await server.ask('getBotAccount', { bot_id }, token);
      expect(Number(drift)).toBeLessThan(0.01);
      return positions.map(({ stock_id }) => stock_id.split('.')[0]?.toUpperCase() ?? '').sort();
    };

    it('keeps the ledger to the last digit while orders of every type fill on moving quotes', async () => {
      const owner = await server.user('ada');
      const { strategy_id } = await server.ask(
        'newStrategy',
        { type: 'cryptocurrency', name: 'Coins' },
        owner,
      );
      const [btc] = await server.ask('findStocks', {
        query: 'BTCUSD',
        security: 'cryptocurrency',
        limit: '1',
      });
      const stock_id = btc?.stock_id ?? '';
      const order = (fields: Record<string, unknown>) =>
        server.ask('newOrder', { strategy_id, stock_id, ...fields }, owner);
      await server.quotes({ [stock_id]: [99.97, 100.03] });
      await order({ action: 'buy', total: '0.333333333333333333' });
      await order({ action: 'buy', type: 'limit', price: 90, amount: '0.001' });
      await order({ action: 'buy', type: 'stop_market', stop_price: 120, total: 0.1 });
      await order({
        action: 'sell',
        type: 'stop_limit',
        stop_price: 95,
        price: 94,
        amount: '0.0007',
      });
      await order({ action: 'sell', type: 'oco', price: 130, stop_price: 80, total: '0.07' });
      for (const bid of [103.13, 94.7, 89.9, 97.31, 121.07, 131.3, 79.99]) {
        server.clock.advance(1000);
        await server.quotes({ [stock_id]: [bid, Number((bid + 0.01).toFixed(2))] });
      }
      expect(await server.ask('getOrders', { strategy_id }, owner)).toEqual([]);
      const trades = await server.ask('getTrades', { strategy_id }, owner);
      expect(trades).toHaveLength(5);
      const booked = trades.reduce((cash, { action, total, fee_total, rounding }) => {
        const gross = action === 'buy' ? decimal(total).neg() : decimal(total);
        return cash.plus(gross).minus(decimal(fee_total)).minus(decimal(rounding));
      }, decimal('1'));
      const { cash } = await server.ask('getPositions', { strategy_id }, owner);
      expect(cash).toBe(booked.toFixed());
      await server.quotes({ [stock_id]: [100, 100.02] });
      await server.ask('newOrderAllocations', { strategy_id, allocations: [] }, owner);
      const flat = await server.ask('getPositions', { strategy_id }, owner);
      expect(flat.positions).toEqual([]);
      expect(flat.strategy_value).toBe(flat.cash);
    });

    it('lets orders wait for the session, and fills them at its opening', async () => {
      const owner = await server.user('ada');
      const { strategy_id } = await server.ask(
        'newStrategy',
        { type: 'stock', name: 'Early' },
        owner,
      );
      server.clock.set(Date.parse('2026-03-05T12:00:00.000Z'));
      await server.quotes({ [AAPL]: 200 });
      const [waiting] = await server.ask(
        'newOrderAllocations',
        { strategy_id, allocations: [{ stock_id: AAPL, percent: 1 }] },
        owner,
      );
      expect(waiting).toMatchObject({ order_status: 'open', waiting_reason: 'market_closed' });
      server.clock.set(Date.parse('2026-03-05T14:29:59.999Z'));
      await server.quotes({ [AAPL]: 201 });
      expect(await server.ask('getOrders', { strategy_id }, owner)).toHaveLength(1);
      server.clock.set(Date.parse('2026-03-05T14:30:00.000Z'));
      await server.quotes({ [AAPL]: 202 });
      expect(await server.ask('getTrades', { strategy_id }, owner)).toMatchObject([
        { price: '202.101' },
      ]);
    });

    it('accepts quotes one by one and says why it drops one', async () => {
      const quote = (stock_id: string, bid: unknown, ask: unknown, more = {}) => ({
        stock_id,
        bid,
        ask,
        last: bid,
        ...more,
      });
      const quotes = [
        quote(AAPL, 1, 2),
        quote('NOPE:NASDAQ', 1, 2),
        quote(AAPL, 2, 1),
        quote(AAPL, 0, 1),
        quote(MSFT, -1, 1),
        // Five seconds from the future are the sender's clock (contract 7b.6).
        quote(MSFT, 1, 2, { at: '2026-03-04T15:00:05.001Z' }),
        quote(AAPL, 1, 2, { at: '2026-03-04T14:59:59.999Z' }),
        quote(MSFT, '1.5', '1.6'),
      ];
      const { accepted, rejected } = await server.ask('newQuotes', { quotes }, OPERATOR_TOKEN);
      expect(accepted).toBe(2);
      expect(rejected.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6]);
    });
  },
);
