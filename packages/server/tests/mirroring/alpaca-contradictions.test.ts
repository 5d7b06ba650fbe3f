import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { ZERO } from '@slipstream/domain';
import {
  type AlpacaAccount,
  type AlpacaStandIn,
  type Listening,
  type Venue,
  alpacaStandIn,
  listen,
} from '@slipstream/stand-ins';
import { type ComposedServer, IN_SESSION, composedServer } from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';
const KEY = { key_id: 'PKTESTKEY00000000001', secret_key: 'canary-secret-of-paper' };

describe('an order that Alpaca says is filled, while it tells less than was ordered', () => {
  const clock = fixedClock(IN_SESSION);
  const standIn: AlpacaStandIn = alpacaStandIn({ now: clock.now, filling: 500 });
  let isLate = true;
  /** The account has all of it; only the order does not tell it yet. */
  const late: Venue = async (request) => {
    const outcome = await standIn.venue(request);
    if (!isLate || typeof outcome === 'string' || !request.path.startsWith('/v2/orders'))
      return outcome;
    const body = outcome.body.replaceAll(/"filled_qty":"(?!0")[\d.]+"/g, '"filled_qty":"1"');
    return { ...outcome, body };
  };
  let account: AlpacaAccount;
  let listening: Listening;
  let server: ComposedServer;
  beforeAll(async () => {
    standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
    const [keyId, secretKey] = [KEY.key_id, KEY.secret_key];
    account = standIn.addAccount({ number: 'PA3TEST00001', keyId, secretKey, cash: '10000' });
    listening = await listen(late);
    server = await composedServer({
      clock,
      environment: { BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: listening.url },
    });
  });
  afterAll(async () => {
    await server.close();
    await listening.close();
  });

  const pass = async (seconds: number): Promise<void> => {
    clock.advance(seconds * 1_000);
    await server.quotes({ [AAPL]: [199.9, 200.1] });
    await server.application.background.runBots();
  };

  it('is in doubt until then, and what was bought is the bot’s, never its owner’s', async () => {
    const user = await server.user('ada');
    await server.quotes({ [AAPL]: [199.9, 200.1] });
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, user);
    const allocations = [{ stock_id: AAPL, percent: 0.5 }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, user);
    const { bot_id } = await server.ask(
      'newBot',
      {
        type: 'stock',
        broker: 'alpaca_paper',
        allocations: [{ strategy_id, percent: 1 }],
        credentials: KEY,
      },
      user,
    );
    await server.ask('startBot', { bot_id }, user);
    for (let step = 0; step < 4; step += 1) await pass(5);
    const orders = () => server.ask('getBotOrders', { bot_id, limit: 10 }, user);
    expect(await orders()).toMatchObject([
      { status: 'open', reason: 'Alpaca says "filled", but tells less than was ordered.' },
    ]);

    isLate = false;
    for (let step = 0; step < 20; step += 1) await pass(20);
    const [asset] = account.orders.map((order) => order.asset.id);
    const held = account.positions.get(asset ?? '') ?? ZERO;
    expect(await orders()).toMatchObject([{ status: 'filled', filled_amount: held.toFixed() }]);
    const { positions } = await server.ask('getBotAccount', { bot_id }, user);
    expect(positions).toMatchObject([{ kept: '0', amount: held.toFixed() }]);
  });
});
