import { expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { alpacaOAuth, alpacaStandIn, listen } from '@slipstream/stand-ins';
import { IN_SESSION, composedServer } from '../helpers/composed-server.js';
import { follow } from '../helpers/followed-page.js';

const CLIENT_ID = 'client-of-tests';
const CLIENT_SECRET = 'canary-secret-of-the-client';

it('leads to a bot without a key, command by command', async () => {
  const clock = fixedClock(IN_SESSION);
  const standIn = alpacaStandIn({ now: clock.now });
  standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
  const account = standIn.addAccount({
    ...{ number: 'PA3TEST00001', keyId: 'PKUNUSED', secretKey: 'unused', cash: '10000' },
  });
  const oauth = alpacaOAuth({
    now: clock.now,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    redirects: ['https://trade.example.com/connect'],
  });
  const [paper, page] = [await listen(standIn.venue), await listen(oauth.venue)];
  const known = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET, strategy_id: '' };
  const environment = { SLIPSTREAM_TOKEN: '' };
  try {
    const { commands } = await follow({
      file: 'connecting.md',
      known,
      environment,
      printed: [
        ['bots finish', 'connection_id', /^CONNECTION\s+(\S+)/m],
        ['bots new', 'bot_id', /^BOT\s+(\S+)/m],
      ],
      async serve(exported) {
        const server = await composedServer({
          clock,
          environment: {
            ...exported,
            ALPACA_PAPER_URL: paper.url,
            ALPACA_OAUTH_URL: page.url,
          },
        });
        environment.SLIPSTREAM_TOKEN = await server.user('ada');
        const given = { type: 'stock', name: 'Half' };
        const made = await server.ask('newStrategy', given, environment.SLIPSTREAM_TOKEN);
        known.strategy_id = made.strategy_id;
        return server;
      },
      async after(line, shown, server) {
        if (!line.includes('bots connect')) return {};
        oauth.signIn(account);
        const link = /^http\S+$/m.exec(shown)?.[0] ?? '';
        const { headers } = await fetch(link, { redirect: 'manual' });
        const back = new URL(headers.get('location') ?? '');
        expect(`${back.origin}${back.pathname}`).toBe('https://trade.example.com/connect');
        expect((await server.call('GET', back.pathname)).status).toBe(200);
        return Object.fromEntries(back.searchParams);
      },
      async wait(server) {
        for (let check = 0; check < 4; check += 1) {
          clock.advance(5_000);
          await server.quotes({ 'AAPL:NASDAQ': [199.9, 200.1] });
          await server.application.background.runBots();
        }
      },
    });
    expect(commands).toBe(11);
    expect(standIn.log.length).toBeGreaterThan(3);
    expect(standIn.log.every(({ keyKind }) => keyKind === 'token')).toBe(true);
  } finally {
    await paper.close();
    await page.close();
  }
});
