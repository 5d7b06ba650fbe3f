import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { alpacaStandIn, listen } from '@slipstream/stand-ins';
import { IN_SESSION, composedServer } from '../helpers/composed-server.js';

const KEY = { key_id: 'PKTESTKEY00000000001', secret_key: 'canary-secret-of-paper' };
const SYMBOLS = [
  ...['AAPL', 'MSFT', 'NVDA', 'AMZN', 'META', 'GOOGL', 'TSLA', 'AVGO', 'COST', 'NFLX'],
  ...['AMD', 'PEP', 'ADBE', 'CSCO', 'INTC', 'QCOM', 'TXN', 'AMGN', 'ABNB', 'SBUX'],
];
/** What is asked once for all accounts: the list of assets once a day, the clock once a minute. */
const SHARED = new Set(['/v2/assets', '/v2/clock']);
const ORDERS = '/v2/orders';

describe('a bot of twenty stocks over an account at Alpaca', () => {
  it('makes at most 26 requests a rebalance, 20 a minute while its orders are open, and 3 a minute in line', async () => {
    const clock = fixedClock(IN_SESSION);
    const standIn = alpacaStandIn({ now: clock.now, filling: 'by_hand' });
    const account = standIn.addAccount({
      ...{ number: 'PA3TEST00001', keyId: KEY.key_id, secretKey: KEY.secret_key },
      cash: '100000',
    });
    const listening = await listen(standIn.venue);
    const server = await composedServer({
      clock,
      environment: { BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: listening.url },
    });
    try {
      for (const symbol of SYMBOLS) standIn.addAsset({ symbol, bid: '99.99', ask: '100.01' });
      const ids = SYMBOLS.map((symbol) => `${symbol}:NASDAQ`);
      const quote = () =>
        server.quotes(Object.fromEntries(ids.map((one) => [one, [99.99, 100.01]])));
      const beat = async (): Promise<void> => {
        clock.advance(5_000);
        await quote();
        await server.application.background.runBots();
      };
      /** The requests for this account in so many beats, five seconds apart. */
      const asked = async (beats: number): Promise<readonly string[]> => {
        const before = standIn.log.length;
        for (let count = 0; count < beats; count += 1) await beat();
        return standIn.log.slice(before).flatMap(({ path }) => (SHARED.has(path) ? [] : [path]));
      };
      const user = await server.user('ada');
      const { strategy_id } = await server.ask(
        'newStrategy',
        { type: 'stock', name: 'Many' },
        user,
      );
      await quote();
      const allocations = ids.map((stock_id) => ({ stock_id, percent: 0.04 }));
      await server.ask('newOrderAllocations', { strategy_id, allocations }, user);
      const mirrored = [{ strategy_id, percent: 1 }];
      const bot = {
        type: 'stock',
        broker: 'alpaca_paper',
        credentials: KEY,
        allocations: mirrored,
      };
      const { bot_id } = await server.ask('newBot', bot, user);
      await server.ask('startBot', { bot_id }, user);

      const sent = await asked(1);
      expect(sent.filter((path) => path === ORDERS)).toHaveLength(SYMBOLS.length);
      expect((await asked(12)).length).toBeLessThanOrEqual(20);
      standIn.fillAll(account);
      const filled = await asked(1);
      expect(sent.length + filled.length).toBeLessThanOrEqual(26);
      const [found] = await server.ask('getBots', {}, user);
      expect(found).toMatchObject({ status: 'running' });
      expect((await asked(12)).length).toBeLessThanOrEqual(3);
    } finally {
      await server.close();
      await listening.close();
    }
  });
});
