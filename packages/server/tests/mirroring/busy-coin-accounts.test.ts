import { rmSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { decimal } from '@slipstream/domain';
import { EXCHANGE_NAMES, coinScene } from '../helpers/coin-exchanges.js';
import { IN_SESSION, newFolder } from '../helpers/composed-server.js';

const BTC = 'BTCUSD:COINBASE';
const DAY = 86_400_000;
const PLACES = { kraken: '/0/private/AddOrder', coinbase: '/api/v3/brokerage/orders' };

describe.each(EXCHANGE_NAMES)(
  'a bot whose account at %s has thousands of orders a month',
  (broker) => {
    it('goes on after a restart amid an order that was lost on its way', async () => {
      const clock = fixedClock(IN_SESSION);
      const scene = await coinScene(broker, clock);
      const { standIn, account } = scene;
      standIn.addMarket({ coin: 'BTC', bid: '59990', ask: '60010' });
      for (let order = 0; order < 2_400; order += 1) {
        standIn.tradeByHand(account, 'BTC', order % 2 === 0 ? 'buy' : 'sell', decimal('0.0001'));
        clock.advance(DAY / 200);
      }
      account.balances.set('USD', decimal('10000'));
      const at = { folder: newFolder(), storage: 'sqlite' } as const;
      let server = await scene.open(at);
      const pass = async (steps: number): Promise<void> => {
        for (let step = 0; step < steps; step += 1) {
          clock.advance(20_000);
          await server.quotes({ [BTC]: [59_990, 60_010] });
          await server.application.background.runBots();
        }
      };
      try {
        const user = await server.user('ada');
        await pass(1);
        const type = 'cryptocurrency';
        const { strategy_id } = await server.ask('newStrategy', { type, name: 'Coins' }, user);
        const half = [{ stock_id: BTC, percent: 0.5 }];
        await server.ask('newOrderAllocations', { strategy_id, allocations: half }, user);
        const allocations = [{ strategy_id, percent: 1 }];
        const bot = { type, broker, allocations, credentials: scene.credentials } as const;
        const { bot_id } = await server.ask('newBot', bot, user);
        await server.ask('startBot', { bot_id, live: true }, user);
        standIn.faults.add({ method: 'POST', path: PLACES[broker], kind: 'drop_before' });
        await pass(1);
        expect(await server.ask('getBotOrders', { bot_id }, user)).toMatchObject([
          { status: 'unknown' },
        ]);
        await server.close();
        server = await scene.open(at);
        await pass(15);
        expect(await server.ask('getBots', {}, user)).toMatchObject([{ status: 'running' }]);
        expect(Number(account.balances.get('BTC')?.toFixed())).toBeCloseTo(0.083, 2);
      } finally {
        await server.close();
        await scene.close();
        rmSync(at.folder, { recursive: true, force: true });
      }
    });
  },
);
