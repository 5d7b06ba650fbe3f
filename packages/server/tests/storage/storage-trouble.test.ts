import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Storage, StorageUnavailable } from '@slipstream/ports';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { faultyStorage } from '../helpers/faulty-storage.js';

const AAPL = 'AAPL:NASDAQ';

describe('a server whose storage is unreachable for a while', () => {
  let storage: ReturnType<typeof faultyStorage>;
  let opened: Storage;
  let server: ComposedServer;
  let owner: string;
  let strategy_id: string;
  beforeEach(async () => {
    storage = faultyStorage();
    server = await composedServer({ through: (kept) => (opened = storage.through(kept)) });
    owner = await server.user('ada');
    ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Patient' }, owner));
    await server.quotes({ [AAPL]: [199.9, 200.1] });
  });
  afterEach(() => {
    storage.state.fault = undefined;
    return server.close();
  });
  const unreachable = () => {
    storage.state.fault = new StorageUnavailable('full');
  };
  const rest = (price: number) =>
    server.attempt(
      'newOrder',
      { strategy_id, stock_id: AAPL, action: 'buy', type: 'limit', price, amount: '0.001' },
      owner,
    );

  it('fills orders at the quotes of that time, once it can', async () => {
    await rest(190);
    unreachable();
    await server.quotes({ [AAPL]: [179.9, 180.1] });
    storage.state.fault = undefined;
    await server.quotes({ [AAPL]: [199.9, 200.1] });
    expect(await server.ask('getTrades', { strategy_id }, owner)).toMatchObject([{ price: '190' }]);
  });

  it('changes nothing in a 503, and continues with waiting orders', async () => {
    await rest(190);
    unreachable();
    for (const price of [191, 192]) expect((await rest(price)).status).toBe(503);
    storage.state.fault = undefined;
    await server.quotes({ [AAPL]: [180, 180.1] });
    expect(await server.ask('getTrades', { strategy_id }, owner)).toMatchObject([{ price: '190' }]);
    expect(await server.ask('getOrders', { strategy_id }, owner)).toEqual([]);
  });

  it('loses no quote: an unsaved one is saved later, unless a newer one came', async () => {
    await server.quotes({ [AAPL]: 201, 'MSFT:NASDAQ': 400 });
    unreachable();
    await expect(server.application.background.tick()).rejects.toThrow('full');
    await server.quotes({ [AAPL]: 202 });
    storage.state.fault = undefined;
    await server.application.background.tick();
    const kept = await opened.read(({ quotes }) => quotes.all());
    expect(kept.map(({ stockId, bid }) => `${stockId} ${bid.toFixed()}`).sort()).toEqual([
      'aapl.nasdaq 202',
      'msft.nasdaq 400',
    ]);
  });
});

describe('callers that come at the same moment', () => {
  let server: ComposedServer;
  beforeEach(async () => {
    server = await composedServer({ storage: 'sqlite' });
  });
  afterEach(() => server.close());

  /** How often each status came back for the same call, sent three times at once. */
  const thrice = async (send: () => Promise<{ status: number }>) =>
    (await Promise.all([send(), send(), send()])).map(({ status }) => status).sort();

  it('get a unique thing once', async () => {
    const [owner, follower] = [await server.user('ada'), await server.user('bob')];
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'One' }, owner);
    await server.quotes({ [AAPL]: 200 });
    const account = { email: 'eve@example.com', password: 'long enough' };
    expect(await thrice(() => server.attempt('newUser', account))).toEqual([200, 400, 400]);
    expect(
      await thrice(() => server.attempt('newStrategySubscription', { strategy_id }, follower)),
    ).toEqual([200, 400, 400]);
    const fields = {
      type: 'stock',
      broker: 'simulated',
      allocations: [{ strategy_id, percent: 1 }],
      credentials: {},
    };
    const { bot_id } = await server.ask('newBot', fields, follower);
    expect(await thrice(() => server.attempt('startBot', { bot_id }, follower))).toEqual([
      200, 400, 400,
    ]);
    const order = await server.ask(
      'newOrder',
      { strategy_id, stock_id: AAPL, action: 'buy', type: 'limit', price: 100, amount: '0.001' },
      owner,
    );
    const { order_id } = order;
    expect(
      await thrice(() => server.attempt('deleteOrder', { strategy_id, order_id }, owner)),
    ).toEqual([200, 400, 400]);
  });

  it('take one entry step each when their alerts come together', async () => {
    const owner = await server.user('ada');
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'One' }, owner);
    await server.quotes({ [AAPL]: [199.98, 200.02] });
    const alert = { strategy_id, stock_id: AAPL, action: 'buy', leverage: 2, pyramiding: 4 };
    let sent = 0;
    // The same body again, before the first is answered, would be a resend of it.
    const send = () =>
      server.attempt('newOrderWebhook', { ...alert, alert_id: `${(sent += 1)}` }, owner);
    expect(await thrice(send)).toEqual([200, 200, 200]);
    const { positions } = await server.ask('getPositions', { strategy_id }, owner);
    expect(Number(positions[0]?.percent)).toBeCloseTo(1.5, 1);
    expect(await server.ask('getTrades', { strategy_id }, owner)).toHaveLength(3);
  });
});

describe('the names of stocks', () => {
  let server: ComposedServer;
  beforeEach(async () => {
    server = await composedServer();
  });
  afterEach(() => server.close());
  const acme = { symbol: 'ACME', exchange: 'NYSE', security: 'stock', name: 'Acme' };
  const update = (...stocks: object[]) =>
    server.attempt('updateStocks', { stocks }, OPERATOR_TOKEN);

  it.each([
    ['twice in one request', [acme, { ...acme, symbol: 'acme' }]],
    ['by renaming another', [{ stock_id: 'msft.nasdaq', symbol: 'AAPL' }]],
  ])('are never given to two stocks: %s', async (_, stocks) => {
    const { status, body } = await update(...stocks);
    expect(status).toBe(400);
    expect(body?.response).toMatch(
      /^Request failed\. (ACME:NYSE|AAPL:NASDAQ) must name one stock only\.$/,
    );
    expect(await server.ask('getStocks', { stock_id: ['ACME:NYSE', AAPL] })).toMatchObject([
      { stock_id: 'aapl.nasdaq' },
    ]);
  });

  it('may be swapped in one request', async () => {
    await update(
      { stock_id: 'msft.nasdaq', symbol: 'AAPL', stock: 'AAPL' },
      { stock_id: 'aapl.nasdaq', symbol: 'MSFT', stock: 'MSFT' },
    );
    expect(await server.ask('getStocks', { stock_id: [AAPL] })).toMatchObject([
      { stock_id: 'msft.nasdaq' },
    ]);
  });
});
