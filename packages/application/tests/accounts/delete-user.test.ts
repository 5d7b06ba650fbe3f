import { describe, expect, it } from '@jest/globals';
import { decimal, id } from '@slipstream/domain';
import { aBot, aConnection } from '@slipstream/port-contracts';
import type { Bot, User } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { PASSWORD, codeIn, userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

const anonymous: Caller = { kind: 'anonymous' };

async function world() {
  const made = await fixture();
  const [ada, bob] = [await made.user('ada'), await made.user('bob')];
  const bot = (status: Bot['status']) =>
    made.ports.unitOfWork.run(({ bots }) =>
      bots.save(aBot({ id: id(`bot-${status}`), userId: userOf(ada), status })),
    );
  return { ...made, ada, bob, bot };
}

describe('the deletion of an account', () => {
  it('needs the password', async () => {
    const { app, ada } = await world();
    await expect(app.deleteUser(ada, { password: 'wrong' })).rejects.toMatchObject({
      code: 'invalid_field',
    });
    await expect(app.getUserInfo(ada)).resolves.toBeDefined();
  });

  it('requires that a password be set if there is none', async () => {
    const { app, ports } = await world();
    const email = 'robot@example.com';
    const { text } = await app.issueToken({ email, name: 'all', scope: ['*'], createUser: true });
    const robot = await app.authenticate(text);
    await expect(app.deleteUser(robot, { password: '' })).rejects.toThrow(/newPasswordReset/);
    await app.newPasswordReset(anonymous, { email });
    await app.sendMails();
    const resetCode = codeIn(
      ports.mailer.sent.find(({ subject }) => subject.includes('new password')),
    );
    await app.updatePassword(anonymous, { resetCode, newPassword: PASSWORD });
    await app.deleteUser(robot, { password: PASSWORD });
    await expect(app.authenticate(text)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('leaves of the user what the ledger names, and nothing personal', async () => {
    const { app, ports, ada } = await world();
    const { unitOfWork, clock } = ports;
    const find = () => unitOfWork.read(({ users }) => users.find(userOf(ada)));
    const before = (await find()) as User;
    const secondFactor = { sealedSecret: 'sealed', since: null, lastStep: 1, recovery: ['x'] };
    const profile = { bio: 'b', x: 'x', website: 'w', youtube: 'y', telegram: 't' };
    const known = { name: 'Ada', nameKey: 'ada', devices: ['device'], verified: true };
    const personal = { ...known, secondFactor, profile, paymentsEnabled: true, confirmBy: 9e12 };
    await unitOfWork.run(({ users }) => users.save({ ...before, ...personal }));
    await app.deleteUser(ada, { password: PASSWORD });
    const { id: userId, commission, refId, referredBy, createdAt } = before;
    expect(await find()).toEqual({
      ...{ id: userId, email: `deleted ${userId}`, name: null, nameKey: null, passwordHash: '' },
      ...{ profile: { bio: '', x: '', website: '', youtube: '', telegram: '' }, commission },
      ...{ notifications: [], paymentsEnabled: false, verified: false, confirmBy: null },
      ...{ refId, referredBy, secondFactor: null, devices: [], createdAt },
      ...{ updatedAt: clock.now(), deletedAt: clock.now() },
    });
  });

  it('leaves no request that waits for its commit: it may hold access to a broker', async () => {
    const { app, ports, ada } = await world();
    await app.preparePlan(ada, { operation: 'newPost', command: { text: 'later' } });
    const plans = () => ports.unitOfWork.read((stores) => stores.plans.listOf(userOf(ada)));
    expect(await plans()).toHaveLength(1);
    await app.deleteUser(ada, { password: PASSWORD });
    expect(await plans()).toEqual([]);
  });

  it('names the bots that must be stopped first, without an effect', async () => {
    const { app, ada, bot, strategy } = await world();
    const strategyId = await strategy(ada);
    await bot('off');
    await bot('running');
    await expect(app.deleteUser(ada, { password: PASSWORD })).rejects.toMatchObject({
      code: 'bot_not_off',
      message: 'stop these bots first: bot-running (running)',
    });
    expect(await app.getStrategies(anonymous, { strategyIds: [strategyId] })).toHaveLength(1);
  });

  it('that is refused half-way runs again under the same Idempotency-Key', async () => {
    const { app, ada, ports, strategy } = await world();
    await strategy(ada);
    const request = { caller: 'ada', route: '/deleteUser', key: 'k', body: '{}' };
    const send = () =>
      app.idempotently(
        request,
        (operations) => operations.deleteUser(ada, { password: PASSWORD }),
        () => 'done',
      );
    const stop = ports.events.subscribe(({ kind }) => {
      if (kind !== 'access_changed') return;
      stop();
      void strategy(ada);
    });
    await expect(send()).rejects.toMatchObject({ code: 'conflict' });
    expect(await send()).toBe('done');
    await expect(app.getUserInfo(ada)).rejects.toThrow();
  });

  it('goes on when it is asked for again meanwhile, and the later call finds no account', async () => {
    const { app, user, strategy } = await fixture();
    const ada = await user('ada');
    for (let made = 0; made < 5; made += 1) await strategy(ada);
    const both = await Promise.allSettled(
      [1, 2].map(() => app.deleteUser(ada, { password: PASSWORD })),
    );
    const [last] = both.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(last).toMatchObject({ code: 'unauthenticated' });
  });

  it('erases profile and posts, and frees the address', async () => {
    const { app, ports, ada, bob, bot, strategy } = await world();
    const [own, followed] = [await strategy(ada), await strategy(bob)];
    await bot('off');
    await app.updateUserInfo(ada, { bio: 'hello' });
    await app.updateUserNotifications(ada, { notifications: ['subscription', 'like'] });
    await app.updateUserNotifications(bob, { notifications: ['like'] });
    await app.newStrategySubscription(bob, { strategyId: own });
    await app.newStrategySubscription(ada, { strategyId: followed });
    const { post } = await app.newPost(ada, { text: 'mine' });
    const { post: other } = await app.newPost(bob, { text: 'his' });
    await app.newLike(bob, { postId: post.id });
    await app.newLike(ada, { postId: other.id });
    await app.newPasswordReset(anonymous, { email: 'ada@example.com' });

    const connection = aConnection({ userId: userOf(ada) });
    await ports.unitOfWork.run(({ connections }) => connections.save(connection));

    await app.deleteUser(ada, { password: PASSWORD });

    const [adaId, bobId] = [userOf(ada), userOf(bob)];
    expect(await app.getUsers(anonymous, { userIds: [adaId] })).toEqual([]);
    expect(await app.getStrategies(anonymous, { strategyIds: [own] })).toEqual([]);
    const [row] = await app.getStrategySubscriptions(bob, { strategyIds: [own] });
    expect(row?.status).toBe('cancelled');
    expect((await app.getTimeline(bob, { userId: adaId })).length).toBe(0);
    const [view] = await app.getUsers(anonymous, { userIds: [bobId] });
    expect([view?.likeCount, view?.subscriberCount, view?.postCount]).toEqual([0, 0, 1]);
    const kept = await ports.unitOfWork.read(async (stores) => ({
      user: await stores.users.find(adaId),
      tokens: await stores.tokens.listOf(adaId),
      bots: await stores.bots.listOf(adaId),
      mails: await stores.mails.listOf(adaId),
      notifications: await stores.notifications.unread(adaId),
      likes: await stores.likes.listOf(adaId, { limit: 9 }),
      connections: await stores.connections.listOf(adaId),
      code: await stores.accountCodes.findOf(adaId, 'password_reset'),
    }));
    expect(JSON.stringify(kept)).not.toMatch(/ada@example|hello|hash of/);
    expect(kept.connections).toEqual([]);
    expect(kept).toMatchObject({ tokens: [], bots: [], mails: [], notifications: [], likes: [] });
    expect(kept.code).toBeUndefined();

    await expect(
      app.newSession(anonymous, { email: 'ada@example.com', password: PASSWORD }),
    ).rejects.toMatchObject({ code: 'unauthenticated' });
    const user = { email: 'ada@example.com', password: PASSWORD };
    await expect(app.newUser(anonymous, { ...user, refId: adaId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(app.newUser(anonymous, user)).resolves.toMatchObject({ email: user.email });
  });

  it('prevents running requests from posting in their name', async () => {
    const { app, ada, bob } = await world();
    const { post } = await app.newPost(bob, { text: 'his' });
    await app.deleteUser(ada, { password: PASSWORD });
    const late = { code: 'unauthenticated' };
    await expect(app.newPost(ada, { text: 'late' })).rejects.toMatchObject(late);
    await expect(app.newLike(ada, { postId: post.id })).rejects.toMatchObject(late);
    await expect(app.updateUserInfo(ada, { bio: 'late' })).rejects.toMatchObject(late);
  });

  it('ends their streams', async () => {
    const { app, events, ada } = await world();
    await app.deleteUser(ada, { password: PASSWORD });
    expect(events).toContainEqual({
      kind: 'access_changed',
      userId: userOf(ada),
      strategyId: null,
      reason: 'the account was deleted',
    });
  });
});

describe('the export of an account', () => {
  it('contains the stored data of the user, and nothing of others', async () => {
    const { app, ada, bob, bot, strategy } = await world();
    const [own, followed] = [await strategy(ada, { private: true }), await strategy(bob)];
    await bot('off');
    await app.updateUserNotifications(ada, { notifications: ['like'] });
    await app.newStrategySubscription(ada, { strategyId: followed });
    const { post } = await app.newPost(ada, { text: 'mine' });
    const { post: other } = await app.newPost(bob, { text: 'his' });
    await app.newLike(bob, { postId: post.id });
    await app.newLike(ada, { postId: other.id });
    const kept = await app.getUserExport(ada);
    expect(kept.user.email).toBe('ada@example.com');
    expect(kept.strategies.map((view) => view.strategy.id)).toEqual([own]);
    expect(kept.subscriptions.map((row) => row.relation).sort()).toEqual(['owner', 'subscriber']);
    expect(kept.bots.map((one) => one.id)).toEqual(['bot-off']);
    expect(kept.posts.map((one) => one.text)).toEqual(['mine']);
    expect(kept.likes.map((one) => one.postId)).toEqual([other.id]);
    expect(kept.notifications.map((one) => one.type)).toEqual(['like']);
    expect(kept.tokens).toHaveLength(2);
  });
});

describe('an account with earnings', () => {
  it('is not deleted while its earnings are not withdrawn', async () => {
    const { app, ports, ada } = await world();
    const now = ports.clock.now();
    await ports.unitOfWork.run(({ earnings }) =>
      earnings.save({
        id: id('earning-1'),
        userId: userOf(ada),
        kind: 'sale',
        invoiceId: null,
        withdrawalId: null,
        money: 'simulated',
        amount: decimal('8'),
        commission: decimal('2'),
        settlesAt: now,
        createdAt: now,
      }),
    );
    await expect(app.deleteUser(ada, { password: PASSWORD })).rejects.toThrow(
      'earnings of 8.00 USD',
    );
  });
});
