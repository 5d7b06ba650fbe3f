import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

const AAPL = 'AAPL:NASDAQ';

describe('the stream of a bot', () => {
  let server: ComposedServer;
  let owner: string;
  let bot_id: string;
  let strategy_id: string;
  beforeAll(async () => {
    server = await composedServer();
    owner = await server.user('ada');
    await server.quotes({ [AAPL]: 200 });
    ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'S' }, owner));
    const allocations = [{ strategy_id, percent: '1' }];
    ({ bot_id } = await server.ask(
      'newBot',
      { type: 'stock', broker: 'simulated', allocations },
      owner,
    ));
    await server.ask('startBot', { bot_id }, owner);
  });
  afterAll(() => server.close());

  it('tells its orders and its account as their reads show them', async () => {
    const channel = `wsBot:${bot_id}`;
    const stream = await server.stream(owner);
    await stream.subscribe(channel);
    const allocations = [{ stock_id: AAPL, percent: '0.5' }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, owner);
    await server.application.background.runBots();
    const orders = (await stream.settled()).filter(({ event }) => event === 'order');
    expect(orders.map(({ data }) => (data as { status: string }).status)).toEqual([
      'new',
      'filled',
    ]);
    const [read] = await server.ask('getBotOrders', { bot_id }, owner);
    expect(orders.at(-1)?.data).toEqual(read);
    const account =
      stream.frames.find(({ event }) => event === 'account') ??
      (await stream.event(channel, 'account'));
    const now = await server.ask('getBotAccount', { bot_id }, owner);
    expect(Object.keys(account.data as object)).toEqual(Object.keys(now));
    const versions = stream.frames.flatMap(({ version }) => version ?? []);
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
  });

  it('is not there for a stranger', async () => {
    const stream = await server.stream(await server.user('stranger'));
    const answer = await stream.ask({ action: 'subscribe', channels: [`wsBot:${bot_id}`] });
    expect(answer.success).toBe(false);
  });
});
