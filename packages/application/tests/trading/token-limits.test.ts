import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY, type StrategyId, decimal, isExpired } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import type { App } from '../app.js';
import { type Fixture, fixture } from '../fixture.js';

const LIMITED = { code: 'token_limit' };

describe('a token with limits', () => {
  let world: Fixture;
  let app: App;
  let owner: Caller;
  let strategyId: StrategyId;

  beforeEach(async () => {
    world = await fixture();
    ({ app } = world);
    owner = await world.user('owner');
    strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await world.quote('msft', '50');
  });

  type Limits = NonNullable<Parameters<App['newToken']>[1]['limits']>;
  const token = async (limits: Limits | undefined, by = owner): Promise<Caller> => {
    const { text } = await app.newToken(by, { name: 'agent', scope: ['*'], limits });
    return app.authenticate(text);
  };
  const order = (by: Caller, action: 'buy' | 'sell', total: string, into = strategyId) =>
    app.newOrder(by, {
      strategyId: into,
      stock: 'aapl',
      action,
      pricing: { type: 'market' },
      size: { by: 'total', total: decimal(total) },
    });
  const allocate = (by: Caller, stock: string, percent: string) =>
    app.newOrderAllocations(by, {
      strategyId,
      allocations: [{ stock, percent: decimal(percent) }],
    });

  it('places orders up to them, and no more on that day', async () => {
    const agent = await token({ maxNotionalPerDay: decimal('0.3') });
    await order(agent, 'buy', '0.1');
    await order(agent, 'buy', '0.2');
    await expect(order(agent, 'buy', '0.000000000000000001')).rejects.toMatchObject(LIMITED);
    world.ports.clock.advance(DAY);
    await world.quote('aapl', '100');
    await expect(order(agent, 'buy', '0.3')).resolves.toBeDefined();
  });

  it.each(['itself', 'the token that it was made from'])(
    'places nothing once %s was removed while the request was on its way',
    async (which) => {
      const parent = await token({ maxOrdersPerDay: 3 });
      const child = await token(undefined, parent);
      const removed = which === 'itself' ? child : parent;
      if (removed.kind !== 'user') throw new Error('a token has a user');
      await world.ports.unitOfWork.run(({ tokens }) => tokens.remove(removed.tokenId));
      await expect(order(child, 'buy', '0.1')).rejects.toMatchObject({ code: 'unauthenticated' });
    },
  );

  it('counts many small orders as one large one', async () => {
    const agent = await token({ maxNotionalPerDay: decimal('0.5'), maxOrdersPerDay: 3 });
    for (let count = 0; count < 3; count += 1) await order(agent, 'buy', '0.01');
    await expect(order(agent, 'buy', '0.01')).rejects.toMatchObject(LIMITED);
    const { positions } = await app.getPositions(owner, { strategyId });
    expect(positions.map(({ position }) => position.amount.toFixed())).toEqual(['0.0003']);
  });

  it('counts nothing of what is refused', async () => {
    const agent = await token({ maxOrdersPerDay: 1 });
    await expect(order(agent, 'buy', '5')).rejects.toMatchObject({
      code: 'insufficient_buying_power',
    });
    await expect(order(agent, 'buy', '0.1')).resolves.toBeDefined();
  });

  it('may always reduce and close', async () => {
    await order(owner, 'buy', '1');
    const agent = await token({ maxNotionalPerDay: decimal('0'), maxOrdersPerDay: 0 });
    await order(agent, 'sell', '0.4');
    await expect(order(agent, 'buy', '0.1')).rejects.toMatchObject(LIMITED);
    await expect(allocate(agent, 'msft', '0.1')).rejects.toMatchObject(LIMITED);
    await app.newOrderAllocations(agent, { strategyId, allocations: [] });
    const { positions } = await app.getPositions(owner, { strategyId });
    expect(positions).toEqual([]);
  });

  it('opens nothing by orders that only reduce, however many there are', async () => {
    await order(owner, 'buy', '1');
    const agent = await token({ maxOrdersPerDay: 0 });
    const exit = {
      strategyId,
      stock: 'aapl',
      action: 'sell',
      pricing: { type: 'limit', price: decimal('110') },
      size: { by: 'amount', amount: decimal('0.01') },
      reduceOnly: false,
    } as const;
    for (let count = 0; count < 3; count += 1) await app.newOrder(agent, exit);
    await world.quote('aapl', '120');
    const { positions } = await app.getPositions(owner, { strategyId });
    expect(positions).toEqual([]);
  });

  it('counts each strategy by itself, and its orders however they are sent', async () => {
    const agent = await token({ maxNotionalPerDay: decimal('0.6') });
    await allocate(agent, 'aapl', '0.5');
    const alert = { strategyId, stock: 'msft', action: 'buy', leverage: decimal('0.5') } as const;
    await expect(app.newOrderWebhook(agent, alert)).rejects.toMatchObject(LIMITED);
    const [refused] = await app.getAlerts(owner, { strategyId });
    expect(refused).toMatchObject({ verdict: 'refused' });
    await expect(app.previewOrderWebhook(agent, alert)).rejects.toMatchObject(LIMITED);
    const another = await world.strategy(owner);
    await expect(order(agent, 'buy', '0.6', another)).resolves.toBeDefined();
  });

  it('shares its count with the tokens made from it, which have their own limits besides', async () => {
    const parent = await token({ maxNotionalPerDay: decimal('0.5'), maxOrdersPerDay: 3 });
    const child = await token({ maxNotionalPerDay: decimal('0.2') }, parent);
    const twin = await token(undefined, parent);
    await order(child, 'buy', '0.2');
    await expect(order(child, 'buy', '0.1')).rejects.toMatchObject(LIMITED);
    await order(twin, 'buy', '0.3');
    await expect(order(parent, 'buy', '0.01')).rejects.toMatchObject(LIMITED);
    await app.deleteToken(owner, { tokenId: child.kind === 'user' ? child.tokenId : '' });
    await expect(order(await token(undefined, parent), 'buy', '0.01')).rejects.toMatchObject(
      LIMITED,
    );
  });

  it('makes no token with more', async () => {
    const parent = await token({ maxNotionalPerDay: decimal('0.5') });
    for (const maxNotionalPerDay of [decimal('0.6'), null])
      await expect(token({ maxNotionalPerDay }, parent)).rejects.toMatchObject({
        code: 'invalid_field',
      });
    const shown = await app.getTokens(owner);
    expect(shown.filter(({ limits }) => limits !== null)).toHaveLength(1);
  });

  it('is counted over a restart', async () => {
    const agent = await token({ maxOrdersPerDay: 1 });
    await order(agent, 'buy', '0.1');
    app = await world.restart();
    const price = decimal('100');
    const quote = { stock: 'aapl', bid: price, ask: price, last: price };
    await app.newQuotes({ kind: 'operator' }, { quotes: [quote] });
    await expect(order(agent, 'buy', '0.1')).rejects.toMatchObject(LIMITED);
  });

  it('has its count removed when the day is over', async () => {
    const agent = await token({ maxOrdersPerDay: 1 });
    await order(agent, 'buy', '0.1');
    const over = () =>
      world.ports.unitOfWork.read(({ tallies }) => tallies.expired(world.ports.clock.now(), 10));
    expect(await over()).toEqual([]);
    world.ports.clock.advance(DAY);
    expect(await over()).toHaveLength(1);
  });
});

describe('a session with limits', () => {
  it('makes only tokens that end with it', async () => {
    const world = await fixture();
    await world.user('ada');
    const given = { email: 'ada@example.com', password: 'a long password' };
    const { app } = world;
    const signIn = await app.authenticate(
      (await app.newSession({ kind: 'anonymous' }, given)).token,
    );
    const limits = { maxOrdersPerDay: 5 };
    const session = await app.newToken(signIn, {
      name: 'x',
      type: 'session',
      scope: ['*'],
      limits,
    });
    const by = await app.authenticate(session.text);
    const { token } = await app.newToken(by, { name: 'y', scope: ['*'] });
    expect(token.parentId).toBe(session.token.id);
    expect(token.limits).toEqual({ maxNotionalPerDay: null, maxOrdersPerDay: 5 });
    expect(isExpired(token, world.ports.clock.now())).toBe(false);
  });
});
