import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isPlannable, operations } from '@slipstream/wire';
import { type ComposedServer, STORAGES, composedServer } from '../helpers/composed-server.js';

const STOCK = 'AAPL:NASDAQ';

describe.each(STORAGES)('preparePlan and commitPlan over HTTP (%s)', (storage) => {
  let server: ComposedServer;
  let owner: string;
  let strategy_id: string;
  beforeAll(async () => {
    server = await composedServer({ storage });
    owner = await server.user('owner');
    await server.quotes({ [STOCK]: 100 });
    ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Mine' }, owner));
  });
  afterAll(() => server.close());

  const order = (total: string) => ({ strategy_id, stock_id: STOCK, action: 'buy', total });
  const token = async (fields: Record<string, unknown>) =>
    (await server.ask('newToken', { name: 'agent', ...fields }, owner)).token;
  const prepare = (operation: string, body: unknown, by = owner) =>
    server.attempt('preparePlan', { operation, body }, by);
  const planOf = async (total: string, by = owner) => {
    const given = { operation: 'newOrder', body: order(total) };
    return server.ask('preparePlan', given, by);
  };
  const trades = async () => (await server.ask('getTrades', { strategy_id }, owner)).length;

  it('answers a repeated commit as the first, and does nothing', async () => {
    const { plan_id, preview } = await planOf('0.1');
    expect(preview).toMatchObject({ orders: [{ stock_id: expect.any(String), total: '0.1' }] });
    const before = await trades();
    const first = await server.attempt('commitPlan', { plan_id }, owner);
    const again = await Promise.all(
      ['a key', 'another'].map((key) =>
        server.call('POST', '/commitPlan', {
          body: { plan_id },
          token: owner,
          headers: { 'idempotency-key': key },
        }),
      ),
    );
    server.clock.advance(120_000);
    const late = await server.attempt('commitPlan', { plan_id }, owner);
    expect(first.body).toMatchObject({
      success: true,
      response: { plan_id, operation: 'newOrder', answer: { total: '0.1' } },
    });
    for (const { text } of [...again, late]) expect(text).toBe(first.text);
    expect(await trades()).toBe(before + 1);
    await server.quotes({ [STOCK]: 100 });
  });

  it('needs the scope of the planned operation, and the same token', async () => {
    const reader = await token({ scope: ['getOrders'] });
    expect((await prepare('newOrder', order('0.1'), reader)).status).toBe(401);
    const trader = await token({ scope: ['newOrder'] });
    const { plan_id } = await planOf('0.1', trader);
    const before = await trades();
    for (const by of [owner, reader]) {
      const { headers } = await server.attempt('commitPlan', { plan_id }, by);
      expect(headers.get('x-error-code')).toBe('not_found');
    }
    expect(await trades()).toBe(before);
  });

  it('keeps a token that is bound to strategies to these', async () => {
    const other = await server.ask('newStrategy', { type: 'stock', name: 'Other' }, owner);
    const bound = await token({ scope: ['*'], strategy_ids: [other.strategy_id] });
    expect((await prepare('newOrder', order('0.1'), bound)).status).toBe(401);
    const own = { ...order('0.1'), strategy_id: other.strategy_id };
    expect((await prepare('newOrder', own, bound)).status).toBe(200);
    expect((await prepare('newPost', { text: 'x' }, bound)).status).toBe(401);
  });

  it('reads the body as the operation does', async () => {
    const wrong = [
      [{ ...order('0.1'), total: '-1' }, 'body.total must be greater than 0'],
      [{ ...order('0.1'), tota: '1' }, 'unknown field "tota" in body'],
      [{}, 'body.strategy_id is required'],
    ] as const;
    for (const [body, sentence] of wrong) {
      const refused = await prepare('newOrder', body);
      expect([refused.status, refused.body?.response]).toEqual([
        400,
        `Request failed. ${sentence}.`,
      ]);
    }
  });

  it.each([
    'newSession',
    'newToken',
    'newAlertTemplate',
    'updatePassword',
    'newQuotes',
    'getOrders',
    'commitPlan',
  ])('does not plan %s', async (name) => {
    expect((await prepare(name, {})).status).toBe(400);
  });

  it('says why a plan is refused', async () => {
    const { plan_id } = await planOf('0.1');
    await server.ask('newOrder', order('0.01'), owner);
    const outdated = await server.attempt('commitPlan', { plan_id }, owner);
    expect(outdated.headers.get('x-error-code')).toBe('plan_outdated');
    const { plan_id: second } = await planOf('0.1');
    server.clock.advance(60_000);
    const expired = await server.attempt('commitPlan', { plan_id: second }, owner);
    expect(expired.headers.get('x-error-code')).toBe('plan_expired');
  });
});

describe('the operations that can be planned', () => {
  it('are those that act for a user, without sign-ins, tokens and previews', () => {
    const names = Object.values(operations)
      .filter((row) => isPlannable(row))
      .map(({ name }) => name);
    const withTokens = Object.values(operations).filter(({ scope }) => scope === 'newToken');
    expect(withTokens.filter((row) => isPlannable(row))).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['newOrder', 'newPost', 'startBot', 'haltTrading']),
    );
    expect(names.filter((name) => /Token|Session|Password|Totp|^get|preview/.test(name))).toEqual(
      [],
    );
  });
});
