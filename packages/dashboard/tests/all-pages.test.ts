import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@slipstream/client';
import { instruments } from '../../adapter-market/src/index.js';
import { testSecrets } from '../../adapter-memory/src/testing/secrets.js';
import { someDetails } from '../../wire/src/billing/examples.js';
import { type ComposedServer, composedServer } from '../../server/tests/helpers/composed-server.js';
import {
  allEarnings,
  allHalts,
  allPages,
  allTokens,
  followedStrategies,
  ownStrategies,
  stocksNamed,
} from '../src/figures/all-pages.js';

const DAY = 86_400_000;

describe('a list of the service', () => {
  it.each([0, 1, 99, 100, 101, 250])('is read to its end: %i records', async (count) => {
    const rows = Array.from({ length: count }, (_, n) => ({ id: `id ${n}` }));
    const found = await allPages(
      async ({ limit, cursor }) => {
        const after = rows.findIndex(({ id }) => id === cursor) + 1;
        return rows.slice(after, after + limit);
      },
      ({ id }) => id,
    );
    expect(found).toEqual(rows);
  });
});

describe('the instruments with these ids', () => {
  let server: ComposedServer;
  afterAll(() => server.close());

  it.each([0, 1, 100, 101])('are found, however many: %i', async (count) => {
    server ??= await composedServer();
    const ids = instruments()
      .slice(0, count)
      .map(({ id }) => String(id));
    const found = await stocksNamed(createClient({ url: server.url }), ids);
    expect(found.map(({ stock_id }) => stock_id)).toEqual(ids);
  });
});

describe('what a reader follows', () => {
  let server: ComposedServer;
  let token: string;
  let followed: string;

  beforeAll(async () => {
    server = await composedServer({ environment: { CAPS: 'strategies=200' } });
    const owner = await server.user('owner');
    token = await server.user('reader');
    const make = async (by: string) =>
      (await server.ask('newStrategy', { type: 'stock', name: 'One' }, by)).strategy_id;
    followed = await make(owner);
    await server.ask('newStrategySubscription', { strategy_id: followed }, token);
    for (let n = 0; n < 101; n += 1) await make(token);
  });
  afterAll(() => server.close());

  it('is found behind a page of newer subscriptions, such as those of own strategies', async () => {
    const client = createClient({ url: server.url, token });
    const found = await followedStrategies(client, 'active');
    expect(found.map(({ strategy_id }) => strategy_id)).toEqual([followed]);
    expect(await followedStrategies(client, 'past_due')).toEqual([]);
  });

  it('is not all: there are those that the reader publishes, more than a page of them', async () => {
    expect(await ownStrategies(createClient({ url: server.url, token }))).toHaveLength(101);
  });
});

describe('the tokens of a reader', () => {
  let server: ComposedServer;
  afterAll(() => server.close());

  it('are all told: one behind a page of newer ones could not be ended', async () => {
    server = await composedServer({ environment: { CAPS: 'tokens=200' } });
    const token = await server.user('reader');
    const narrow = { scope: ['getStrategies'] };
    for (let n = 0; n < 101; n += 1)
      await server.ask('newToken', { name: `token ${n}`, ...narrow }, token);
    const found = await allTokens(createClient({ url: server.url, token }));
    expect(found.map(({ name }) => name)).toContain('token 0');
    expect(new Set(found.map(({ token_id }) => token_id)).size).toBe(102);
  });
});

describe('the halts of a reader', () => {
  let server: ComposedServer;
  afterAll(() => server.close());

  it('are all told: one behind a page of newer ones could not be lifted', async () => {
    server = await composedServer();
    const token = await server.user('reader');
    const made: string[] = [];
    for (let n = 0; n < 101; n += 1) {
      const halt = { scope: 'user', reason: `halt ${n}` };
      made.push((await server.ask('haltTrading', halt, token)).halt_id);
    }
    const found = await allHalts(createClient({ url: server.url, token }));
    expect(found.map(({ halt_id }) => halt_id).toSorted()).toEqual([...new Set(made)].toSorted());
  });
});

describe('what an owner earned', () => {
  let server: ComposedServer;
  afterAll(() => server.close());

  it('is told with all withdrawals, more than a page of them, and the balance after them', async () => {
    const { passwords } = testSecrets();
    server = await composedServer({ adapters: { passwords } });
    const { ask, clock } = server;
    const account = { email: 'ada@example.com', password: 'a long sentence of hers' };
    const { password } = account;
    await ask('newUser', account);
    const { token: session } = await ask('newSession', account);
    const all = { name: 'all', scope: ['*', 'newPaymentSource', 'newWithdrawal'] };
    const { token } = await ask('newToken', all, session);
    const paid = { type: 'stock', name: 'Paid', price: 100 };
    const { strategy_id } = await ask('newStrategy', paid, token);
    const bank = { token: 'test_bank', direction: 'out', password, ...someDetails };
    await ask('newPaymentSource', bank, token);
    const payer = await server.user('payer');
    await ask('newPaymentSource', { token: 'test_card_paid', ...someDetails }, payer);
    await ask('newStrategySubscription', { strategy_id, price: 100 }, payer);
    for (let day = 0; day < 39; day += 1) {
      clock.advance(DAY);
      await server.application.background.runBilling();
    }
    for (let n = 0; n < 101; n += 1)
      await ask('newWithdrawal', { amount: '0.01', password }, token);
    const told = await allEarnings(createClient({ url: server.url, token }));
    expect(told.withdrawals).toHaveLength(101);
    const { balance, settled_balance } = await ask('getWithdrawals', {}, token);
    expect(told).toMatchObject({ balance, settled_balance });
  });
});
