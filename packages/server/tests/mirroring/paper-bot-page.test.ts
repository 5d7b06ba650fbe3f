import { expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { alpacaStandIn, listen } from '@slipstream/stand-ins';
import { IN_SESSION, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { follow } from '../helpers/followed-page.js';

const KEY_ID = 'PKTESTKEY00000000001';
const SECRET_KEY = 'secret-of-the-paper-account';

it('leads from nothing to a paper bot, command by command', async () => {
  const clock = fixedClock(IN_SESSION);
  const standIn = alpacaStandIn({ now: clock.now });
  standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
  standIn.addAccount({
    ...{ number: 'PA3TEST00001', keyId: KEY_ID, secretKey: SECRET_KEY, cash: '10000' },
  });
  const listening = await listen(standIn.venue);
  try {
    const { commands } = await follow({
      file: 'paper-bot.md',
      known: { operator_token: OPERATOR_TOKEN },
      environment: {
        SLIPSTREAM_CREDENTIALS: JSON.stringify({ key_id: KEY_ID, secret_key: SECRET_KEY }),
      },
      printed: [
        ['sign-in', 'token', /SLIPSTREAM_TOKEN=(\S+)/],
        ['strategies new', 'strategy_id', /^Made .*: (\S+)$/m],
        ['bots new', 'bot_id', /^BOT\s+(\S+)/m],
      ],
      serve: (environment) =>
        composedServer({
          clock,
          environment: { ...environment, ALPACA_PAPER_URL: listening.url },
        }),
      async wait(server) {
        for (let check = 0; check < 4; check += 1) {
          clock.advance(5_000);
          await server.quotes({ 'AAPL:NASDAQ': [199.9, 200.1] });
          await server.application.background.runBots();
        }
      },
    });
    expect(commands).toBeGreaterThan(11);
    expect(standIn.log.length).toBeGreaterThan(10);
  } finally {
    await listening.close();
  }
});
