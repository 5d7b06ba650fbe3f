import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { alpacaStandIn, listen } from '@slipstream/stand-ins';
import { IN_SESSION, composedServer } from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';
const SLOW = { key_id: 'PKSLOWACCOUNT0000001', secret_key: 'canary-secret-of-slow' };
const QUICK = { key_id: 'PKQUICKACCOUNT000001', secret_key: 'canary-secret-of-quick' };

describe('an account that does not answer', () => {
  it('keeps only its own bot waiting', async () => {
    const clock = fixedClock(IN_SESSION);
    const standIn = alpacaStandIn({ now: clock.now });
    standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
    for (const [index, { key_id: keyId, secret_key: secretKey }] of [SLOW, QUICK].entries())
      standIn.addAccount({ number: `PA3TEST0000${index}`, keyId, secretKey, cash: '10000' });
    let isSilent = false;
    let answerAll = (): void => undefined;
    const silence = new Promise<void>((resolve) => (answerAll = resolve));
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let isPlaced = (): void => undefined;
    const placed = new Promise<void>((resolve) => (isPlaced = resolve));
    const listening = await listen(async (request) => {
      const isSlow = request.headers['apca-api-key-id'] === SLOW.key_id;
      if (isSlow && isSilent) {
        isAsked();
        await silence;
      }
      if (!isSlow && request.method === 'POST') isPlaced();
      return standIn.venue(request);
    });
    const beats: (() => void)[] = [];
    const server = await composedServer({
      clock,
      environment: { BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: listening.url },
      adapters: { timers: { every: (_, beat) => (beats.push(beat), () => undefined) } },
    });
    const beat = (): void => beats.forEach((each) => each());
    try {
      const user = await server.user('ada');
      await server.quotes({ [AAPL]: [199.9, 200.1] });
      const { strategy_id } = await server.ask(
        'newStrategy',
        { type: 'stock', name: 'Half' },
        user,
      );
      const allocations = [{ stock_id: AAPL, percent: 0.5 }];
      await server.ask('newOrderAllocations', { strategy_id, allocations }, user);
      const start = async (credentials: typeof SLOW): Promise<void> => {
        const mirrored = [{ strategy_id, percent: 1 }];
        const fields = {
          type: 'stock',
          broker: 'alpaca_paper',
          allocations: mirrored,
          credentials,
        };
        const { bot_id } = await server.ask('newBot', fields, user);
        await server.ask('startBot', { bot_id }, user);
      };
      await start(SLOW);
      isSilent = true;
      beat();
      await asked;
      await start(QUICK);
      beat();
      await placed;
      expect(
        standIn.log.some(({ method, path }) => method === 'POST' && path === '/v2/orders'),
      ).toBe(true);
    } finally {
      answerAll();
      await server.close();
      await listening.close();
    }
  });
});
