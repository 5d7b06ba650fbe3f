import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import {
  type AlpacaAccount,
  type AlpacaStandIn,
  type Listening,
  alpacaStandIn,
  listen,
} from '@slipstream/stand-ins';
import { type FixedClock, fixedClock } from '@slipstream/adapter-memory/testing';
import type { Log } from '@slipstream/ports';
import {
  type ComposedServer,
  IN_SESSION,
  OPERATOR_TOKEN,
  composedServer,
} from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';
const MSFT = 'MSFT:NASDAQ';
const PAPER_KEY = { key_id: 'PKTESTKEY00000000001', secret_key: 'canary-secret-of-paper' };
const LIVE_KEY = { key_id: 'AKTESTKEY00000000001', secret_key: 'canary-secret-of-live' };
const WITH_MONEY = { BROKERS: 'simulated,alpaca_paper,alpaca', LIVE_TRADING: 'on' };

/** Alpaca on this machine, with an account of each kind. */
async function alpaca(clock: FixedClock, number: string, key: typeof PAPER_KEY) {
  const standIn = alpacaStandIn({ now: clock.now });
  standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
  standIn.addAsset({ symbol: 'MSFT', bid: '399.9', ask: '400.1' });
  const [keyId, secretKey] = [key.key_id, key.secret_key];
  const account = standIn.addAccount({ number, keyId, secretKey, cash: '10000' });
  return { standIn, account, listening: await listen(standIn.venue) };
}

const collecting = (lines: string[]): Log => {
  const add = (fields: object, message: string): void => {
    lines.push(`${JSON.stringify(fields)} ${message}`);
  };
  return { info: add, warn: add, error: add };
};

describe('a bot over an account at Alpaca', () => {
  let clock: FixedClock;
  let server: ComposedServer;
  let paper: { standIn: AlpacaStandIn; account: AlpacaAccount; listening: Listening };
  let live: typeof paper;
  let logged: string[];
  beforeEach(async () => {
    clock = fixedClock(IN_SESSION);
    paper = await alpaca(clock, 'PA3TEST00001', PAPER_KEY);
    live = await alpaca(clock, '512345678', LIVE_KEY);
    logged = [];
  });
  afterEach(async () => {
    await server.close();
    await paper.listening.close();
    await live.listening.close();
  });

  const open = async (environment: Readonly<Record<string, string>> = {}): Promise<void> => {
    server = await composedServer({
      clock,
      log: collecting(logged),
      environment: {
        BROKERS: 'simulated,alpaca_paper',
        ALPACA_PAPER_URL: paper.listening.url,
        ...environment,
      },
    });
  };
  const newBot = (fields: object, token: string) =>
    server.attempt('newBot', { type: 'stock', allocations: [], ...fields }, token);
  /** Time passes in steps in which a bot refreshes its orders. */
  const pass = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step += 1) {
      clock.advance(5_000);
      await server.quotes({ [AAPL]: [199.9, 200.1], [MSFT]: [399.9, 400.1] });
      await server.application.background.runBots();
    }
  };
  const held = (symbol: string): string | undefined =>
    paper.account.positions.get(paper.standIn.asset(symbol).id)?.toFixed();

  /** A strategy of one half AAPL, and a bot that mirrors it into an account that held 3 MSFT before. */
  async function mirrored() {
    const owner = await server.user('ada');
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Half' }, owner);
    await server.quotes({ [AAPL]: [199.9, 200.1], [MSFT]: [399.9, 400.1] });
    await server.ask(
      'newOrderAllocations',
      { strategy_id, allocations: [{ stock_id: AAPL, percent: 0.5 }] },
      owner,
    );
    paper.standIn.tradeByHand(paper.account, 'MSFT', 'buy', decimal('3'));
    const follower = await server.user('bob');
    await server.ask('newStrategySubscription', { strategy_id }, follower);
    const { bot_id, ...bot } = await server.ask(
      'newBot',
      {
        type: 'stock',
        broker: 'alpaca_paper',
        allocations: [{ strategy_id, percent: 1 }],
        credentials: PAPER_KEY,
      },
      follower,
    );
    return { bot, bot_id, follower };
  }

  it('mirrors a strategy beside what the owner holds, takes sales by hand, and closes its own part', async () => {
    await open();
    const { bot, bot_id, follower } = await mirrored();
    expect(bot).toMatchObject({
      account_id: 'PA3TEST00001',
      live: false,
      existing_positions: 'keep',
      status: 'off',
    });

    paper.standIn.closeMarket();
    await server.ask('startBot', { bot_id }, follower);
    await pass(2);
    expect(held('AAPL')).toBeUndefined();

    paper.standIn.openMarket();
    clock.advance(60_000);
    await pass(4);
    const { equity, positions } = await server.ask('getBotAccount', { bot_id }, follower);
    expect(positions.map(({ stock_id, kept }) => [stock_id, kept])).toEqual(
      expect.arrayContaining([
        ['aapl.nasdaq', '0'],
        ['msft.nasdaq', '3'],
      ]),
    );
    // Half of the 8,799.7 USD that were cash, at 200.1.
    expect(Number(held('AAPL'))).toBeCloseTo(22, 0);
    expect(Number(equity)).toBeGreaterThan(9_900);

    paper.standIn.tradeByHand(paper.account, 'AAPL', 'sell', decimal('5'));
    paper.standIn.tradeByHand(paper.account, 'MSFT', 'sell', decimal('1'));
    clock.advance(60_000);
    await pass(4);
    expect(held('MSFT')).toBe('2');
    // What the kept share brought is cash that the bot may use.
    expect(Number(held('AAPL'))).toBeCloseTo(22.9, 1);

    await server.ask('stopBot', { bot_id, close_on_stop: true }, follower);
    await pass(4);
    expect(await server.ask('getBots', {}, follower)).toMatchObject([{ status: 'off' }]);
    expect([held('AAPL'), held('MSFT')]).toEqual([undefined, '2']);

    expect(live.standIn.log).toEqual([]);
    expect(paper.standIn.log.map(({ keyKind }) => keyKind)).not.toContain('AK');
    const audited = JSON.stringify(await server.ask('getBots', {}, follower)) + logged.join();
    expect(audited).not.toContain('canary');
  });

  it.each(['30', '10'])(
    'counts what is filled of an order that its owner replaced, by one over %s, and comes into line',
    async (qty) => {
      await open();
      const { bot_id, follower } = await mirrored();
      paper.standIn.quote('AAPL', '209.9', '210.1');
      await server.ask('startBot', { bot_id }, follower);
      await pass(1);
      const sent = paper.account.orders.at(-1);
      if (!sent) throw new Error('the bot has sent an order');
      const replacing = paper.standIn.replace(paper.account, sent, qty);
      paper.standIn.quote('AAPL', '199.9', '200.1');
      paper.standIn.fillAll(paper.account);
      expect(replacing.status).toBe('filled');
      await pass(1);
      const orders = await server.ask('getBotOrders', { bot_id }, follower);
      expect(orders.at(-1)).toMatchObject({ status: 'filled', amount: qty, filled_amount: qty });
      await pass(4);
      expect(await server.ask('getBots', {}, follower)).toMatchObject([{ status: 'running' }]);
      expect(Number(held('AAPL'))).toBeCloseTo(22, 0);
    },
  );

  /** A bot in line with its limit on losses, and what it holds of AAPL. */
  async function inLine() {
    await open();
    const { bot_id, follower } = await mirrored();
    const limits = { max_daily_loss: 0.1 };
    await server.ask('updateBot', { bot_id, limits }, follower);
    await server.ask('startBot', { bot_id }, follower);
    await pass(4);
    return { bot_id, follower, shares: decimal(held('AAPL') ?? '0') };
  }
  const says = (fields: object) => server.ask('updateStocks', { stocks: [fields] }, OPERATOR_TOKEN);

  it('takes a merger that Alpaca reports for no loss: what came for its shares is kept', async () => {
    const { bot_id, follower, shares } = await inLine();
    await says({ stock_id: 'aapl.nasdaq', stock_status: 'halted' });
    const merged = shares.times('-1');
    paper.standIn.book(paper.account, 'MA', '0', { name: 'AAPL', qty: merged });
    paper.standIn.book(paper.account, 'MA', '0', { name: 'MSFT', qty: shares.times('0.5') });
    clock.advance(60_000);
    await pass(4);
    const [bot] = await server.ask('getBots', {}, follower);
    expect(bot).toMatchObject({ breach: null, condition: 'active' });
    const { positions } = await server.ask('getBotAccount', { bot_id }, follower);
    const all = shares.times('0.5').plus('3').toFixed();
    expect(positions).toMatchObject([{ symbol: 'MSFT', amount: all, kept: all }]);
  });

  it.each(['at Alpaca', 'here'])(
    'keeps what it holds of a stock whose symbol changes first %s',
    async (first) => {
      const { bot_id, follower, shares } = await inLine();
      const rename = {
        'at Alpaca': async () => void Object.assign(paper.standIn.asset('AAPL'), { symbol: 'NEW' }),
        here: () => says({ stock_id: 'aapl.nasdaq', symbol: 'NEW', stock: 'NEW' }),
      };
      const names = ['at Alpaca', 'here'] as const;
      const inOrder = first === 'here' ? names.toReversed() : names;
      for (const name of inOrder) {
        await rename[name]();
        for (let minute = 0; minute < 4; minute += 1) {
          clock.advance(60_000);
          await server.quotes({ [MSFT]: [399.9, 400.1], 'aapl.nasdaq': [199.9, 200.1] });
          await server.application.background.runBots();
        }
        const [bot] = await server.ask('getBots', {}, follower);
        expect(bot).toMatchObject({ breach: null, condition: 'active' });
        const { positions } = await server.ask('getBotAccount', { bot_id }, follower);
        const own = positions.find(({ stock_id }) => stock_id === 'aapl.nasdaq');
        expect(own).toMatchObject({ amount: shares.toFixed(), kept: '0' });
      }
    },
  );

  it('mirrors coins, whose buys arrive less their fee, and sells what arrived', async () => {
    await open();
    const [symbol, BTC] = ['BTC/USD', 'BTCUSD:COINBASE'];
    paper.standIn.addAsset({ symbol, bid: '59990', ask: '60010' });
    paper.standIn.tradeByHand(paper.account, symbol, 'buy', decimal('0.01'));
    const coins = () => paper.account.positions.get(paper.standIn.asset(symbol).id)?.toFixed();
    const before = coins();
    const user = await server.user('ada');
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'cryptocurrency', name: 'Coins' },
      user,
    );
    const passCoins = async (steps: number): Promise<void> => {
      for (let step = 0; step < steps; step += 1) {
        clock.advance(20_000);
        await server.quotes({ [BTC]: [59_990, 60_010] });
        await server.application.background.runBots();
      }
    };
    await passCoins(1);
    const allocate = (percent: number) =>
      server.ask(
        'newOrderAllocations',
        { strategy_id, allocations: [{ stock_id: BTC, percent }] },
        user,
      );
    await allocate(0.5);
    const { bot_id } = await server.ask(
      'newBot',
      {
        type: 'cryptocurrency',
        broker: 'alpaca_paper',
        allocations: [{ strategy_id, percent: 1 }],
        credentials: PAPER_KEY,
      },
      user,
    );
    await server.ask('startBot', { bot_id }, user);
    await passCoins(6);
    const orders = paper.account.orders.filter(({ clientOrderId }) => clientOrderId.length === 32);
    expect(orders.map(({ status, timeInForce }) => [status, timeInForce])).toEqual([
      ['filled', 'gtc'],
    ]);
    await allocate(0.2);
    await passCoins(4);
    const { positions } = await server.ask('getBotAccount', { bot_id }, user);
    expect(positions).toMatchObject([{ stock_id: 'btcusd.coinbase', kept: before }]);
    await server.ask('stopBot', { bot_id, close_on_stop: true }, user);
    await passCoins(4);
    expect(await server.ask('getBots', {}, user)).toMatchObject([{ status: 'off' }]);
    expect(coins()).toBe(before);
  });

  it('refuses a key of the other kind before it reaches a host, and a wrong secret', async () => {
    await open({ ...WITH_MONEY, ALPACA_LIVE_URL: live.listening.url });
    const user = await server.user('eve');
    const paperAtLive = await newBot({ broker: 'alpaca', credentials: PAPER_KEY }, user);
    const liveAtPaper = await newBot({ broker: 'alpaca_paper', credentials: LIVE_KEY }, user);
    for (const [answer, prefix] of [
      [paperAtLive, 'AK'],
      [liveAtPaper, 'PK'],
    ] as const) {
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(`key_id must begin with ${prefix}`);
    }
    expect([paper.standIn.log, live.standIn.log]).toEqual([[], []]);
    const wrong = { ...PAPER_KEY, secret_key: 'canary-of-somebody-else' };
    const refused = await newBot({ broker: 'alpaca_paper', credentials: wrong }, user);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('Alpaca does not accept this key'),
    ]);
    const taken = await newBot({ broker: 'alpaca', credentials: LIVE_KEY }, user);
    expect(taken.body).toMatchObject({ success: true, response: { live: true } });
    expect(logged.join() + refused.text + taken.text).not.toContain('canary');
  });

  it('trades real money only after its owner said so, and at the live host alone', async () => {
    await open({ ...WITH_MONEY, ALPACA_LIVE_URL: live.listening.url });
    const user = await server.user('ada');
    await server.quotes({ [AAPL]: [199.9, 200.1] });
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Live' }, user);
    await server.ask(
      'newOrderAllocations',
      { strategy_id, allocations: [{ stock_id: AAPL, percent: 0.5 }] },
      user,
    );
    live.standIn.tradeByHand(live.account, 'MSFT', 'buy', decimal('3'));
    const allocations = [{ strategy_id, percent: 1 }];
    const bot = { type: 'stock', broker: 'alpaca', allocations, credentials: LIVE_KEY };
    const { bot_id } = await server.ask('newBot', bot, user);
    const unsaid = await server.attempt('startBot', { bot_id }, user);
    expect([unsaid.status, unsaid.headers.get('x-error-code')]).toEqual([
      400,
      'live_not_confirmed',
    ]);
    for (const told of ['512345678', '9999.4 USD', '3 MSFT']) expect(unsaid.text).toContain(told);
    await pass(2);
    expect(live.account.orders).toHaveLength(1);
    await server.ask('startBot', { bot_id, live: true }, user);
    await pass(4);
    expect(live.account.orders.map(({ status }) => status)).toEqual(['filled', 'filled']);
    expect(paper.standIn.log).toEqual([]);
    expect(new Set(live.standIn.log.map(({ keyKind }) => keyKind))).toEqual(new Set(['AK']));
  });

  it('has no broker of real money unless the settings say so twice', async () => {
    await open();
    const user = await server.user('eve');
    const refused = await newBot({ broker: 'alpaca', credentials: LIVE_KEY }, user);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('broker must be one of: simulated, alpaca_paper');
    const missing = await newBot({ broker: 'alpaca_paper', credentials: { key_id: 'PK1' } }, user);
    expect(missing.text).toContain('secret_key');
  });
});
