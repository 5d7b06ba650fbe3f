import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FixedClock, fixedClock } from '@slipstream/adapter-memory/testing';
import { ZERO, decimal } from '@slipstream/domain';
import {
  type AlpacaAccount,
  type AlpacaStandIn,
  type Listening,
  alpacaStandIn,
  listen,
} from '@slipstream/stand-ins';
import { type ComposedServer, IN_SESSION, composedServer } from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';
const KEY = { key_id: 'PKTESTKEY00000000001', secret_key: 'canary-secret-of-paper' };
const DAY = 86_400_000;

describe('what Alpaca booked and takes back, for a bot with a limit of losses', () => {
  let clock: FixedClock;
  let standIn: AlpacaStandIn;
  let account: AlpacaAccount;
  let listening: Listening;
  let server: ComposedServer;
  let user: string;
  let strategyId: string;
  let botId: string;
  beforeEach(async () => {
    clock = fixedClock(IN_SESSION);
    standIn = alpacaStandIn({ now: clock.now, filling: 500 });
    standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
    const [keyId, secretKey] = [KEY.key_id, KEY.secret_key];
    account = standIn.addAccount({ number: 'PA3TEST00001', keyId, secretKey, cash: '10000' });
    listening = await listen(standIn.venue);
    server = await composedServer({
      clock,
      environment: { BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: listening.url },
    });
    user = await server.user('ada');
    await pass(0);
    const made = await server.ask('newStrategy', { type: 'stock', name: 'S' }, user);
    strategyId = made.strategy_id;
    await allocate(0.5);
    const bot = {
      ...{ type: 'stock', broker: 'alpaca_paper', credentials: KEY },
      allocations: [{ strategy_id: strategyId, percent: 1 }],
      limits: { max_daily_loss: 0.1, max_drawdown: 0.1 },
    };
    botId = (await server.ask('newBot', bot, user)).bot_id;
    await server.ask('startBot', { bot_id: botId }, user);
    await minutes(4);
  });
  afterEach(async () => {
    await server.close();
    await listening.close();
  });

  const allocate = (percent: number) =>
    server.ask(
      'newOrderAllocations',
      { strategy_id: strategyId, allocations: [{ stock_id: AAPL, percent }] },
      user,
    );
  const pass = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await server.quotes({ [AAPL]: [199.9, 200.1] });
    await server.application.background.runBots();
  };
  const minutes = async (count: number): Promise<void> => {
    for (let each = 0; each < count * 2; each += 1) await pass(30_000);
  };
  const held = () => account.positions.get(standIn.asset('AAPL').id) ?? ZERO;
  const inLine = async (): Promise<void> => {
    expect(await server.ask('getBots', {}, user)).toMatchObject([
      { status: 'running', breach: null },
    ]);
    const { equity, drift } = await server.ask('getBotAccount', { bot_id: botId }, user);
    expect(Number(drift)).toBeLessThan(0.01);
    expect(Number(equity)).toBeCloseTo(Number(account.cash.plus(held().times('199.9')).toFixed()));
  };

  it('a deposit that bounces two days later is no loss', async () => {
    standIn.book(account, 'CSD', '10000');
    await minutes(4);
    await inLine();
    clock.advance(2 * DAY);
    await minutes(2);
    standIn.cancelBooking(account);
    await minutes(4);
    await inLine();
    await allocate(0.8);
    await minutes(4);
    await inLine();
  });

  it('a dividend that is taken back is as if it had never been paid', async () => {
    standIn.book(account, 'DIV', '300', { name: 'AAPL', qty: ZERO });
    await minutes(2);
    standIn.cancelBooking(account);
    await minutes(4);
    await inLine();
  });

  it('a purchase that the exchange breaks is bought again, and its owner is notified', async () => {
    const broken = held().times('0.4');
    account.positions.set(standIn.asset('AAPL').id, held().minus(broken));
    account.cash = account.cash.plus(broken.times('200.1'));
    const before = account.orders.length;
    await minutes(4);
    await inLine();
    expect(account.orders).toHaveLength(before + 1);
    const told = await server.ask('getNotifications', {}, user);
    expect(told.map(({ text }) => text)).toContainEqual(expect.stringContaining('Gone from'));
  });

  it('a sale that the exchange breaks gives its owner the shares, and is no loss', async () => {
    const before = held();
    await allocate(0.2);
    await minutes(4);
    const broken = before.minus(held());
    account.positions.set(standIn.asset('AAPL').id, before);
    account.cash = account.cash.minus(broken.times('199.9'));
    await minutes(4);
    expect(await server.ask('getBots', {}, user)).toMatchObject([
      { status: 'running', breach: null },
    ]);
    const { kept } = await server.ask('getBotAccount', { bot_id: botId }, user);
    expect(kept.map(({ amount }) => decimal(amount).eq(broken))).toEqual([true]);
  });
});
