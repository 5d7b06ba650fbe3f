import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR, SECOND, type StrategyId, decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { PASSWORD } from '../accounts.js';
import type { App } from '../app.js';
import { type Fixture, fixture, text } from '../fixture.js';

const OUTDATED = { code: 'plan_outdated' };
const EXPIRED = { code: 'plan_expired' };

describe('a prepared plan', () => {
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
  });

  const order = (total = '0.5') => ({
    strategyId,
    stock: 'aapl',
    action: 'buy' as const,
    pricing: { type: 'market' as const },
    size: { by: 'total' as const, total: decimal(total) },
  });
  const prepared = async (operation = 'newOrder', command: unknown = order(), by = owner) =>
    app.preparePlan(by, { operation, command });
  const commit = (planId: string, by = owner) => app.commitPlan(by, { planId });
  const held = async () => {
    const { positions } = await app.getPositions(owner, { strategyId });
    return positions.map(({ position }) => text(position.amount));
  };
  const advance = (milliseconds: number) => world.ports.clock.advance(milliseconds);

  it('shows what it would do, and does nothing', async () => {
    const plan = await prepared();
    expect(plan).toMatchObject({
      operation: 'newOrder',
      expiresAt: world.ports.clock.now() + 60 * SECOND,
      preview: { orders: [{ order: { action: 'buy', status: 'open' } }] },
    });
    expect(await held()).toEqual([]);
    expect(await app.getOrders(owner, { strategyId })).toEqual([]);
  });

  it('is carried out exactly as it was prepared', async () => {
    const size = { by: 'amount' as const, amount: decimal('0.001000000000000001') };
    const { planId } = await prepared('newOrder', { ...order(), size });
    const { operation, answer } = await commit(planId);
    expect(operation).toBe('newOrder');
    expect(answer).toMatchObject({ order: { size } });
    expect(await held()).toEqual(['0.001000000000000001']);
  });

  it('is carried out once', async () => {
    const { planId } = await prepared();
    await commit(planId);
    await expect(commit(planId)).rejects.toMatchObject({ code: 'idempotency_interrupted' });
    expect(await held()).toEqual(['0.005']);
  });

  it('is carried out once by two commits at the same time, also if it changes no book', async () => {
    const { planId } = await prepared('newPost', { text: 'said once' });
    const both = await Promise.allSettled([commit(planId), commit(planId)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await app.getTimeline(owner, {})).toHaveLength(1);
  });

  it('is refused after a minute, and gone after an hour or two', async () => {
    const { planId } = await prepared();
    advance(60 * SECOND);
    await expect(commit(planId)).rejects.toMatchObject(EXPIRED);
    expect(await held()).toEqual([]);
    advance(2 * HOUR);
    await app.tick();
    await expect(commit(planId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused once the book has changed, by whatever', async () => {
    const plans = [await prepared(), await prepared(), await prepared()];
    await app.newOrder(owner, order('0.1'));
    for (const { planId } of plans) await expect(commit(planId)).rejects.toMatchObject(OUTDATED);
    expect(await held()).toEqual(['0.001']);
  });

  it('is refused after an order that a quote has filled', async () => {
    const below = { ...order(), pricing: { type: 'limit' as const, price: decimal('90') } };
    await app.newOrder(owner, below);
    const { planId } = await prepared();
    await world.quote('aapl', '80');
    await expect(commit(planId)).rejects.toMatchObject(OUTDATED);
  });

  it('may be tried again after a refusal that left the book as it was', async () => {
    const { planId } = await prepared('newOrder', {
      ...order(),
      size: { by: 'amount', amount: decimal('0.015') },
    });
    await world.quote('aapl', '200');
    await expect(commit(planId)).rejects.toMatchObject({ code: 'insufficient_buying_power' });
    await world.quote('aapl', '100');
    await expect(commit(planId)).resolves.toBeDefined();
    expect(await held()).toEqual(['0.015']);
  });

  it('does not count as carried out when it was refused after a code was used up for it', async () => {
    const { secret } = await app.newTotp(owner, { password: PASSWORD });
    const step = Math.floor(world.ports.clock.now() / (30 * SECOND));
    const [totp] = await app.confirmTotp(owner, { totp: `${secret}:${step}` });
    const withdrawal = { amount: decimal('5'), password: PASSWORD, totp };
    const { planId } = await prepared('newWithdrawal', withdrawal);
    await expect(commit(planId)).rejects.toMatchObject({ code: 'payouts_disabled' });
    await expect(commit(planId)).rejects.toMatchObject({
      code: 'invalid_field',
      message: 'totp is wrong, old or was used',
    });
  });

  it('is of the token that prepared it', async () => {
    const { planId } = await prepared();
    const { text: other } = await app.newToken(owner, { name: 'x', scope: ['*'] });
    for (const by of [await app.authenticate(other), await world.user('stranger')])
      await expect(commit(planId, by)).rejects.toMatchObject({ code: 'not_found' });
    expect(await held()).toEqual([]);
  });

  it('outlives a restart, its commit too', async () => {
    const { planId } = await prepared('newPost', { text: 'Hello.' });
    app = await world.restart();
    await commit(planId);
    app = await world.restart();
    await expect(commit(planId)).rejects.toMatchObject({ code: 'idempotency_interrupted' });
    expect(await app.getTimeline(owner, {})).toHaveLength(1);
  });

  it('keeps its command sealed for itself alone', async () => {
    const { planId } = await prepared('newPost', { text: 'A text of its own.' });
    const plan = await world.ports.unitOfWork.read(({ plans }) => plans.find(planId));
    const { secretBox } = world.ports;
    expect(secretBox.open(plan?.sealedCommand ?? '', `plan|${planId}`)).toContain('A text');
    expect(() => secretBox.open(plan?.sealedCommand ?? '', 'plan|another')).toThrow();
  });

  it('counts towards the limits of its token at the commit, so that many small ones are no way around', async () => {
    const { text: limited } = await app.newToken(owner, {
      name: 'agent',
      scope: ['*'],
      limits: { maxNotionalPerDay: decimal('0.3'), maxOrdersPerDay: 10 },
    });
    const agent = await app.authenticate(limited);
    for (let count = 0; count < 3; count += 1) {
      const { planId } = await prepared('newOrder', order('0.1'), agent);
      await commit(planId, agent);
    }
    await expect(prepared('newOrder', order('0.1'), agent)).rejects.toMatchObject({
      code: 'token_limit',
    });
    expect(await held()).toEqual(['0.003']);
  });

  it('is refused by the limits of its token, if another order used them up meanwhile', async () => {
    const { text: limited } = await app.newToken(owner, {
      name: 'agent',
      scope: ['*'],
      limits: { maxOrdersPerDay: 1 },
    });
    const agent = await app.authenticate(limited);
    const plans = [
      await prepared('newOrder', order('0.1'), agent),
      await prepared('newOrder', order('0.1'), agent),
    ];
    const outcomes = await Promise.allSettled(plans.map(({ planId }) => commit(planId, agent)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await held()).toEqual(['0.001']);
  });

  it('is one of a hundred open ones of a user at most', async () => {
    for (let count = 0; count < 100; count += 1) await prepared('newPost', { text: 'x' });
    await expect(prepared('newPost', { text: 'x' })).rejects.toMatchObject({ code: 'too_many' });
    advance(60 * SECOND);
    await expect(prepared('newPost', { text: 'x' })).resolves.toBeDefined();
  });

  it('is refused for the strategy of somebody else, which stays unknown', async () => {
    const stranger = await world.user('stranger');
    const secret = await world.strategy(owner, { private: true });
    const command = { ...order(), strategyId: secret };
    await expect(prepared('newOrder', command, stranger)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      prepared('deleteOrder', { strategyId: secret, orderId: 'x' }, stranger),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
