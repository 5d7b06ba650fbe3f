import { expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { decimal } from '@slipstream/domain';
import { alpacaStandIn, listen } from '@slipstream/stand-ins';
import { IN_SESSION, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { follow } from '../helpers/followed-page.js';

const AAPL = 'AAPL:NASDAQ';
const KEY_ID = 'AKTESTKEY00000000001';
const SECRET_KEY = 'canary-secret-of-the-live-account';

it('leads to a bot with real money and back, command by command', async () => {
  const clock = fixedClock(IN_SESSION);
  const standIn = alpacaStandIn({ now: clock.now });
  standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
  standIn.addAsset({ symbol: 'MSFT', bid: '399.9', ask: '400.1' });
  const account = standIn.addAccount({
    ...{ number: '123456789', keyId: KEY_ID, secretKey: SECRET_KEY, cash: '10000' },
  });
  standIn.tradeByHand(account, 'MSFT', 'buy', decimal('3'));
  const listening = await listen(standIn.venue);
  const known = {
    operator_token: OPERATOR_TOKEN,
    strategy_id: '',
  };
  const environment = {
    SLIPSTREAM_TOKEN: '',
    SLIPSTREAM_CREDENTIALS: JSON.stringify({ key_id: KEY_ID, secret_key: SECRET_KEY }),
  };
  try {
    const { commands } = await follow({
      file: 'going-live.md',
      known,
      environment,
      printed: [
        ['bots new', 'bot_id', /^BOT\s+(\S+)/m],
        ['main.js halt ', 'halt_id', /^HALT\s+(\S+)/m],
      ],
      async serve(exported) {
        const server = await composedServer({
          clock,
          environment: { ...exported, ALPACA_LIVE_URL: listening.url },
        });
        const token = await server.user('ada');
        await server.quotes({ [AAPL]: [199.9, 200.1], 'MSFT:NASDAQ': [399.9, 400.1] });
        const made = await server.ask('newStrategy', { type: 'stock', name: 'Half' }, token);
        const { strategy_id } = made;
        const allocations = [{ stock_id: AAPL, percent: 0.5 }];
        await server.ask('newOrderAllocations', { strategy_id, allocations }, token);
        environment.SLIPSTREAM_TOKEN = token;
        known.strategy_id = strategy_id;
        return server;
      },
      async wait(server) {
        for (let check = 0; check < 4; check += 1) {
          clock.advance(5_000);
          await server.quotes({ [AAPL]: [199.9, 200.1], 'MSFT:NASDAQ': [399.9, 400.1] });
          await server.application.background.runBots();
        }
      },
    });
    expect(commands).toBeGreaterThan(15);
    // What the owner held before is all that is left.
    expect([...account.positions.values()].map(String)).toEqual(['3']);
  } finally {
    await listening.close();
  }
});
