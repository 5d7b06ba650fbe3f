import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FixedClock, fixedClock } from '@slipstream/adapter-memory/testing';
import { decimal } from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import type { CoinAccount, CoinExchange } from '@slipstream/stand-ins';
import { type CoinScene, EXCHANGE_NAMES, coinScene } from '../helpers/coin-exchanges.js';
import { type ComposedServer, IN_SESSION } from '../helpers/composed-server.js';

const BTC = 'BTCUSD:COINBASE';
const ETH = 'ETHUSD:COINBASE';

const collecting = (lines: string[]): Log => {
  const add = (fields: object, message: string): void => {
    lines.push(`${JSON.stringify(fields)} ${message}`);
  };
  return { info: add, warn: add, error: add };
};

describe.each(EXCHANGE_NAMES)('a bot over an account at %s', (broker) => {
  let scene: CoinScene;
  let clock: FixedClock;
  let server: ComposedServer;
  let standIn: CoinExchange;
  let account: CoinAccount;
  let logged: string[];
  beforeEach(async () => {
    clock = fixedClock(IN_SESSION);
    logged = [];
    scene = await coinScene(broker, clock);
    ({ standIn, account } = scene);
    standIn.addMarket({ coin: 'BTC', bid: '59990', ask: '60010' });
    standIn.addMarket({ coin: 'ETH', bid: '2999', ask: '3001' });
    server = await scene.open({ log: collecting(logged) });
    clock.advance(20_000);
  });
  afterEach(async () => {
    await server.close();
    await scene.close();
  });

  const quote = (): Promise<unknown> =>
    server.quotes({ [BTC]: [59_990, 60_010], [ETH]: [2_999, 3_001] });
  /** Time passes in steps in which a bot refreshes its orders. */
  const pass = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step += 1) {
      clock.advance(20_000);
      await quote();
      await server.application.background.runBots();
    }
  };
  const held = (coin: string): number => Number(account.balances.get(coin)?.toFixed() ?? '0');

  it('is previewed, started with its owner’s word, mirrors, and closes its own part', async () => {
    const user = await server.user('ada');
    await quote();
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'cryptocurrency', name: 'Coins' },
      user,
    );
    const allocate = (percent: number) =>
      server.ask(
        'newOrderAllocations',
        { strategy_id, allocations: [{ stock_id: BTC, percent }] },
        user,
      );
    await allocate(0.5);
    standIn.tradeByHand(account, 'ETH', 'buy', decimal('1'));
    const bot = {
      type: 'cryptocurrency',
      broker,
      allocations: [{ strategy_id, percent: 1 }],
      credentials: scene.credentials,
    };

    const preview = await server.ask('previewBot', bot, user);
    expect(preview.account.live).toBe(true);
    expect(preview.kept.map(({ stock_id, amount }) => [stock_id, Number(amount)])).toEqual([
      ['ethusd.coinbase', 1],
    ]);
    expect(preview.orders).toMatchObject([{ stock_id: 'btcusd.coinbase', action: 'buy' }]);

    const { bot_id, ...made } = await server.ask('newBot', bot, user);
    expect(made).toMatchObject({ account_id: account.id, live: true, existing_positions: 'keep' });
    const unsaid = await server.attempt('startBot', { bot_id }, user);
    expect(unsaid.headers.get('x-error-code')).toBe('live_not_confirmed');
    for (const told of [account.id, '1 ETH']) expect(unsaid.text).toContain(told);
    await pass(2);
    expect(account.orders).toHaveLength(1);

    await server.ask('startBot', { bot_id, live: true }, user);
    await pass(4);
    const own = account.orders.filter(({ clientOrderId }) => clientOrderId !== null);
    expect(own.map(({ side, status, limit }) => [side, status, limit !== null])).toEqual([
      ['buy', 'filled', true],
    ]);
    // Half of the 6,987 USD that were cash, at 60,010.
    expect(held('BTC')).toBeCloseTo(0.058, 2);

    await allocate(0.2);
    await pass(4);
    expect(held('BTC')).toBeCloseTo(0.023, 2);
    await server.ask('stopBot', { bot_id, close_on_stop: true }, user);
    await pass(5);
    expect(await server.ask('getBots', {}, user)).toMatchObject([{ status: 'off' }]);
    expect([held('BTC'), held('ETH')]).toEqual([0, 1]);
    expect(account.orders.every(({ status }) => status === 'filled')).toBe(true);

    const audited = JSON.stringify(await server.ask('getBots', {}, user)) + logged.join();
    expect(audited).not.toContain(Object.values(scene.credentials)[1]);
  });

  it('buys back what a balance that it took over is below zero, and closes', async () => {
    const user = await server.user('ada');
    await quote();
    const type = 'cryptocurrency';
    const { strategy_id } = await server.ask('newStrategy', { type, name: 'Coins' }, user);
    standIn.move(account, 'BTC', decimal('-0.01'));
    const bot = {
      ...{ type, broker, credentials: scene.credentials, existing_positions: 'take_over' },
      allocations: [{ strategy_id, percent: 1 }],
    };
    const { bot_id } = await server.ask('newBot', bot, user);
    await server.ask('startBot', { bot_id, live: true }, user);
    await pass(4);
    expect(held('BTC')).toBe(0);
    await server.ask('stopBot', { bot_id, close_on_stop: true }, user);
    await pass(4);
    expect(await server.ask('getBots', {}, user)).toMatchObject([{ status: 'off' }]);
    expect(account.orders).toHaveLength(1);
  });

  it('stops within an hour when its key may withdraw, and tells its owner', async () => {
    const user = await server.user('ada');
    await quote();
    const type = 'cryptocurrency';
    const { strategy_id } = await server.ask('newStrategy', { type, name: 'Coins' }, user);
    const allocations = [{ strategy_id, percent: 1 }];
    const bot = { type, broker, allocations, credentials: scene.credentials } as const;
    const { bot_id } = await server.ask('newBot', bot, user);
    await server.ask('startBot', { bot_id, live: true }, user);
    await pass(2);
    account.mayWithdraw = true;
    clock.advance(3_600_000);
    await pass(1);
    const [stopped] = await server.ask('getBots', {}, user);
    expect(stopped).toMatchObject({
      status: 'error',
      status_reason: expect.stringContaining('the key may withdraw or transfer money'),
    });
    const [told] = await server.ask('getNotifications', {}, user);
    expect(told?.text).toContain('the key may withdraw or transfer money');
    account.mayWithdraw = false;
    await server.ask('resetBot', { bot_id }, user);
    await pass(2);
    expect(await server.ask('getBots', {}, user)).toMatchObject([{ status: 'running' }]);
  });

  it('refuses a key that may withdraw, in words without the key', async () => {
    account.mayWithdraw = true;
    const user = await server.user('eve');
    const refused = await server.attempt(
      'newBot',
      { type: 'cryptocurrency', broker, allocations: [], credentials: scene.credentials },
      user,
    );
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('the key may withdraw or transfer money');
    expect(refused.text + logged.join()).not.toContain(Object.values(scene.credentials)[1]);
  });
});
