import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import { type Caller, DEFAULT_SETTINGS } from '../../src/index.js';
import { userOf } from '../accounts.js';
import { fixture, text } from '../fixture.js';

const anonymous: Caller = { kind: 'anonymous' };

describe('who may see a strategy', () => {
  it('is told of a private one exactly as of one that does not exist', async () => {
    const world = await fixture();
    const [owner, stranger] = [await world.user('owner'), await world.user('stranger')];
    const strategyId = await world.strategy(owner, { private: true });
    const refused = (asked: string) =>
      world.app
        .getPositions(stranger, { strategyId: asked })
        .catch((error: Error) => error.message);
    expect((await refused(strategyId)).toString().replace(strategyId, 'X')).toBe(
      (await refused('nothing')).toString().replace('nothing', 'X'),
    );
    expect(await world.app.getStrategies(anonymous, { strategyIds: [strategyId] })).toEqual([]);
    expect(await world.app.getStrategies(owner, { strategyIds: [strategyId] })).toHaveLength(1);
  });

  it('shows orders, positions and trades to the owner and active subscribers only', async () => {
    const world = await fixture();
    const [owner, follower] = [await world.user('owner'), await world.user('follower')];
    const strategyId = await world.strategy(owner);
    await expect(world.app.getOrders(follower, { strategyId })).rejects.toMatchObject({
      code: 'not_owner',
    });
    await world.app.newStrategySubscription(follower, { strategyId });
    expect(await world.app.getOrders(follower, { strategyId })).toEqual([]);
    await world.app.deleteStrategySubscription(follower, { strategyId });
    await expect(world.app.getTrades(follower, { strategyId })).rejects.toMatchObject({
      code: 'not_owner',
    });
  });

  it('only the owner places orders', async () => {
    const world = await fixture();
    const [owner, follower] = [await world.user('owner'), await world.user('follower')];
    const strategyId = await world.strategy(owner);
    await world.app.newStrategySubscription(follower, { strategyId });
    await expect(
      world.app.newOrderAllocations(follower, { strategyId, allocations: [] }),
    ).rejects.toMatchObject({ code: 'not_owner' });
  });

  it('keeps the order of the request, drops unknown ids and counts duplicates once', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const [a, b] = [await world.strategy(owner), await world.strategy(owner)];
    const found = await world.app.getStrategies(anonymous, { strategyIds: [b, 'none', a, b] });
    expect(found.map(({ strategy }) => strategy.id)).toEqual([b, a]);
  });

  it('ends all rights when the strategy is deleted', async () => {
    const world = await fixture();
    const [owner, follower] = [await world.user('owner'), await world.user('follower')];
    const strategyId = await world.strategy(owner);
    await world.app.newStrategySubscription(follower, { strategyId });
    await world.app.newOrder(owner, {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      pricing: { type: 'limit', price: decimal('1') },
      size: { by: 'amount', amount: decimal('0.1') },
      reduceOnly: true,
    });
    await world.app.deleteStrategy(owner, { strategyId });
    await expect(world.app.getOrders(owner, { strategyId })).rejects.toMatchObject({
      code: 'not_found',
    });
    const [row] = await world.app.getStrategySubscriptions(follower, {});
    expect(row?.status).toBe('cancelled');
  });
});

describe('input_multiplier', () => {
  it('is always there for the owner', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    await world.strategy(owner);
    const [row] = await world.app.getStrategySubscriptions(owner, {});
    expect([row?.relation, text(row?.inputMultiplier)]).toEqual(['owner', '10000']);
  });

  it('is null for a subscriber who gave no figure, and input_value / strategy_value otherwise', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const [unknown, known] = [await world.user('unknown'), await world.user('known')];
    const strategyId = await world.strategy(owner);
    const first = await world.app.newStrategySubscription(unknown, { strategyId });
    const second = await world.app.newStrategySubscription(known, {
      strategyId,
      inputValue: decimal('4000'),
    });
    expect([first.inputMultiplier, text(second.inputMultiplier)]).toEqual([null, '4000']);
  });

  it('changes with updateStrategy by the value at that moment', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    await world.quote('aapl', '100');
    await world.app.newOrderAllocations(owner, {
      strategyId,
      allocations: [{ stock: 'aapl', percent: decimal('1') }],
    });
    await world.quote('aapl', '200');
    await world.app.updateStrategy(owner, { strategyId, inputValue: decimal('19960') });
    const [row] = await world.app.getStrategySubscriptions(owner, {});
    expect(text(row?.inputMultiplier)).toBe('10000');
  });
});

describe('tokens', () => {
  it('authenticate nobody after they are revoked or expired', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const { token, text: secret } = await world.app.newToken(owner, {
      name: 'short',
      scope: ['getOrders'],
      expiresAt: world.ports.clock.now() + 1000,
    });
    const caller = await world.app.authenticate(secret);
    expect(caller.kind).toBe('user');
    world.ports.clock.advance(1000);
    const late = world.app.newToken(caller, { name: 'late', scope: ['getOrders'] });
    await expect(late).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(world.app.authenticate(secret)).rejects.toMatchObject({ code: 'unauthenticated' });
    await world.app.deleteToken(owner, { tokenId: token.id });
    expect((await world.app.getTokens(owner)).map(({ name }) => name)).not.toContain('short');
  });

  it('give at most their own scope, strategies and lifetime', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    const strategyId = await world.strategy(owner);
    const { text: secret } = await world.app.newToken(owner, {
      name: 'narrow',
      scope: ['newToken', 'newOrder'],
      strategyIds: [strategyId],
    });
    const narrow = await world.app.authenticate(secret);
    await expect(
      world.app.newToken(narrow, { name: 'more', scope: ['getOrders'], strategyIds: [strategyId] }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(
      world.app.newToken(narrow, { name: 'all strategies', scope: ['newOrder'] }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
    const both = [strategyId, await world.strategy(owner)];
    await expect(
      world.app.newToken(narrow, { name: 'another too', scope: ['newOrder'], strategyIds: both }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(
      world.app.newToken(narrow, { name: 'same', scope: ['newOrder'], strategyIds: [strategyId] }),
    ).resolves.toBeDefined();
  });

  it('cannot be bound to a strategy that the user may not see', async () => {
    const world = await fixture();
    const [owner, stranger] = [await world.user('owner'), await world.user('stranger')];
    const hidden = await world.strategy(owner, { private: true });
    const bound = { name: 'bound', scope: ['newOrder'], strategyIds: [hidden] };
    await expect(world.app.newToken(stranger, bound)).rejects.toMatchObject({
      code: 'not_found',
      message: `strategy ${hidden} does not exist`,
    });
    await expect(world.app.newToken(owner, bound)).resolves.toBeDefined();
  });

  it('are not made for a wrong password or an unknown address', async () => {
    const world = await fixture();
    await world.user('owner');
    for (const [email, password] of [
      ['owner@example.com', 'another password'],
      ['nobody@example.com', 'a long password'],
    ] as const) {
      await expect(world.app.newSession(anonymous, { email, password })).rejects.toMatchObject({
        code: 'unauthenticated',
      });
    }
  });

  it('of sessions end with a new password, and those of programs stay, which would lose alerts', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    await world.app.newToken(owner, { name: 'alerts', scope: ['newOrder'] });
    await world.app.updatePassword(owner, {
      password: 'a long password',
      newPassword: 'a longer password',
    });
    const left = await world.app.getTokens(owner);
    expect(left.map(({ type, name }) => [type, name])).toEqual([
      ['api', 'alerts'],
      ['api', left[1]?.name],
    ]);
  });
});

describe('sign-up', () => {
  it('is possible only for the operator when it is closed', async () => {
    const world = await fixture({}, { ...DEFAULT_SETTINGS, signup: 'closed' });
    const user = { email: 'a@example.com', password: 'a long password' };
    await expect(world.app.newUser(anonymous, user)).rejects.toMatchObject({
      code: 'signup_closed',
    });
    await expect(world.app.newUser({ kind: 'operator' }, user)).resolves.toMatchObject({
      email: user.email,
    });
  });

  it('refuses a second user with the same address in other letters', async () => {
    const world = await fixture();
    await world.user('owner');
    await expect(
      world.app.newUser(anonymous, { email: 'OWNER@example.com', password: 'a long password' }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a follower of a private strategy', () => {
  it('is excluded by its owner, and sees it no longer', async () => {
    const { app, user, strategy, events } = await fixture();
    const [owner, follower] = [await user('owner'), await user('follower')];
    const strategyId = await strategy(owner, { private: true });
    const userId = follower.kind === 'user' ? follower.userId : '';
    await app.updateStrategy(owner, { strategyId, invitedUserIds: [userId] });
    await app.newStrategySubscription(follower, { strategyId });
    await app.updateStrategy(owner, { strategyId, invitedUserIds: [] });
    expect(await app.getStrategies(follower, { strategyIds: [strategyId] })).toHaveLength(1);

    const exclude = (by: Caller) => app.deleteStrategySubscription(by, { strategyId, userId });
    await expect(exclude(await user('stranger'))).rejects.toMatchObject({ code: 'not_found' });
    await exclude(owner);
    expect(await app.getStrategies(follower, { strategyIds: [strategyId] })).toEqual([]);
    expect(events.at(-1)).toMatchObject({ kind: 'access_changed', userId, strategyId });
    await expect(exclude(owner)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('who is excluded loses the invitation too, and cannot come back', async () => {
    const { app, user, strategy } = await fixture();
    const [owner, follower, other] = [await user('o'), await user('follower'), await user('other')];
    const invitedUserIds = [userOf(follower), userOf(other)];
    const strategyId = await strategy(owner, { private: true });
    await app.updateStrategy(owner, { strategyId, invitedUserIds });
    await app.newStrategySubscription(follower, { strategyId });
    await app.deleteStrategySubscription(owner, { strategyId, userId: userOf(follower) });
    await expect(app.newStrategySubscription(follower, { strategyId })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await app.getStrategies(other, { strategyIds: [strategyId] })).toHaveLength(1);
  });

  it('of a public one cannot be excluded', async () => {
    const { app, user, strategy } = await fixture();
    const [owner, follower] = [await user('owner'), await user('follower')];
    const strategyId = await strategy(owner);
    await app.newStrategySubscription(follower, { strategyId });
    const userId = follower.kind === 'user' ? follower.userId : '';
    await expect(
      app.deleteStrategySubscription(owner, { strategyId, userId }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

describe('the list of invited users', () => {
  it('is visible only to the owner, in every read of the strategy', async () => {
    const { app, user, strategy } = await fixture();
    const [owner, invited] = [await user('owner'), await user('invited')];
    const invitedUserId = userOf(invited);
    const strategyId = await strategy(owner, { private: true });
    const changed = await app.updateStrategy(owner, {
      strategyId,
      invitedUserIds: [invitedUserId],
    });
    const read = async (caller: Caller) =>
      (await app.getStrategies(caller, { strategyIds: [strategyId] })).map(
        ({ invitedUserIds }) => invitedUserIds,
      );
    expect(changed.invitedUserIds).toEqual([invitedUserId]);
    expect(await read(owner)).toEqual([[invitedUserId]]);
    expect(await read(invited)).toEqual([undefined]);
    const { strategies } = await app.getUserExport(owner, {});
    expect(strategies.map(({ invitedUserIds }) => invitedUserIds)).toEqual([[invitedUserId]]);
    await app.updateStrategy(owner, { strategyId, private: false, invitedUserIds: [] });
    expect(await read(owner)).toEqual([[]]);
    expect(await read(invited)).toEqual([undefined]);
    expect(await read({ kind: 'anonymous' })).toEqual([undefined]);
  });
});
