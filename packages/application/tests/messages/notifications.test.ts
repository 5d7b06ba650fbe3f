import { describe, expect, it } from '@jest/globals';
import { USER_NOTIFICATIONS, id, HOUR } from '@slipstream/domain';
import { aBot } from '@slipstream/port-contracts';
import type { Mail } from '@slipstream/ports';
import { notifyOwner } from '../../src/mirroring/bot-deps.js';
import { codeIn, userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

async function world() {
  const made = await fixture();
  const [owner, follower] = [await made.user('owner'), await made.user('follower')];
  await made.app.sendMails();
  const notices = async () =>
    (await made.app.getNotifications(owner, {})).map(({ type }) => type).sort();
  const confirm = (mail: Mail | undefined) => made.app.confirmEmail(owner, { code: codeIn(mail) });
  return { ...made, owner, follower, notices, confirm, welcomes: made.ports.mailer.sent.length };
}

describe('notifications', () => {
  it('are made only of enabled types', async () => {
    const { app, strategy, owner, follower, notices } = await world();
    await app.updateUserNotifications(owner, { notifications: [] });
    await app.newStrategySubscription(follower, { strategyId: await strategy(owner) });
    expect(await notices()).toEqual([]);
    await app.updateUserNotifications(owner, { notifications: ['subscription'] });
    await app.newStrategySubscription(follower, { strategyId: await strategy(owner) });
    expect(await notices()).toEqual(['subscription']);
  });

  it('are of all types but news, until their user chooses', async () => {
    const { app, owner } = await world();
    const { notifications } = await app.getUserInfo(owner);
    expect([...notifications, 'new_features_email'].sort()).toEqual([...USER_NOTIFICATIONS].sort());
  });

  it('report a subscription, by mail too', async () => {
    const { app, ports, strategy, owner, follower, notices, confirm, welcomes } = await world();
    await app.updateUserNotifications(owner, { notifications: USER_NOTIFICATIONS });
    await confirm(ports.mailer.sent[0]);
    const strategyId = await strategy(owner);
    await app.newStrategySubscription(follower, { strategyId });
    expect(await notices()).toEqual(['subscription', 'subscription_email']);
    const [one] = await app.getNotifications(owner, { limit: 1 });
    expect(one).toMatchObject({
      strategyId,
      readAt: null,
      text: expect.stringContaining('A strategy'),
    });
    await app.sendMails();
    const mails = ports.mailer.sent.slice(welcomes);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['owner@example.com', 'A new subscriber'],
    ]);
    expect(await app.getNotifications(follower, {})).toEqual([]);
  });

  it('are mailed to confirmed addresses only', async () => {
    const { app, ports, strategy, owner, follower, notices, welcomes } = await world();
    await app.updateUserNotifications(owner, { notifications: USER_NOTIFICATIONS });
    await app.newStrategySubscription(follower, { strategyId: await strategy(owner) });
    await app.sendMails();
    expect(await notices()).toEqual(['subscription', 'subscription_email']);
    expect(ports.mailer.sent).toHaveLength(welcomes);
  });

  it('report a like, but not one’s own', async () => {
    const { app, owner, follower, notices } = await world();
    await app.updateUserNotifications(owner, { notifications: ['like'] });
    const { post } = await app.newPost(owner, { text: `${'long '.repeat(40)}` });
    await app.newLike(owner, { postId: post.id });
    expect(await notices()).toEqual([]);
    await app.newLike(follower, { postId: post.id });
    const [one] = await app.getNotifications(owner, {});
    expect(one).toMatchObject({ type: 'like', postId: post.id });
    expect(one?.text.length).toBeLessThan(120);
  });

  it('quote a short post as a whole, on one line', async () => {
    const { app, owner, follower } = await world();
    await app.updateUserNotifications(owner, { notifications: ['like'] });
    const { post } = await app.newPost(owner, { text: 'One.\n\nTwo.' });
    await app.newLike(follower, { postId: post.id });
    const [one] = await app.getNotifications(owner, {});
    expect(one?.text).toBe('Somebody likes your post “One. Two.”.');
  });

  it('do not repeat the same action of the same user within an hour', async () => {
    const { app, ports, strategy, owner, follower, notices } = await world();
    await app.updateUserNotifications(owner, { notifications: ['subscription'] });
    const strategyId = await strategy(owner);
    const follow = async () => {
      await app.newStrategySubscription(follower, { strategyId });
      await app.deleteStrategySubscription(follower, { strategyId });
    };
    await follow();
    await follow();
    expect(await notices()).toHaveLength(1);
    ports.clock.advance(HOUR);
    await follow();
    expect(await notices()).toHaveLength(2);
  });

  it('tell of a follower of each strategy, whatever else they follow', async () => {
    const { app, strategy, owner, follower, notices } = await world();
    await app.updateUserNotifications(owner, { notifications: ['subscription'] });
    for (const strategyId of [await strategy(owner), await strategy(owner)])
      await app.newStrategySubscription(follower, { strategyId });
    expect(await notices()).toHaveLength(2);
  });

  it('are published after the commit', async () => {
    const { app, events, strategy, owner, follower } = await world();
    await app.updateUserNotifications(owner, { notifications: ['subscription'] });
    await app.newStrategySubscription(follower, { strategyId: await strategy(owner) });
    const published = events.filter(({ kind }) => kind === 'notification_added');
    expect(published).toMatchObject([{ notification: { userId: userOf(owner) } }]);
  });

  it('of a bot go to its owner', async () => {
    const { app, ports, events, owner } = await world();
    const bot = aBot({ id: id('bot-1'), userId: userOf(owner), notifications: ['warning'] });
    const notice = { kind: 'warning', text: 'careful' } as const;
    await ports.unitOfWork.run((stores) => notifyOwner(ports, stores, bot, notice));
    expect(await app.getNotifications(owner, {})).toMatchObject([
      { type: 'warning', botId: 'bot-1', text: 'Bot bot-1: careful' },
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'notification_added' });
  });

  it('are marked as read, the named ones or all, but only one’s own', async () => {
    const { app, strategy, owner, follower } = await world();
    await app.updateUserNotifications(owner, { notifications: ['subscription', 'like'] });
    await app.newStrategySubscription(follower, { strategyId: await strategy(owner) });
    const { post } = await app.newPost(owner, { text: 'post' });
    await app.newLike(follower, { postId: post.id });
    const [newest, oldest] = await app.getNotifications(owner, {});
    const name = (one: typeof newest) => ({ notificationIds: [one?.id ?? ''] });
    await expect(app.readNotifications(follower, name(newest))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await app.readNotifications(owner, name(newest))).toBe(1);
    expect(await app.readNotifications(owner, name(newest))).toBe(0);
    const read = (await app.getNotifications(owner, {})).map(({ readAt }) => readAt !== null);
    expect(read).toEqual([true, false]);
    expect(await app.readNotifications(owner, {})).toBe(1);
    const rest = await app.getNotifications(owner, { cursor: newest?.id });
    expect(rest.map((one) => one.id)).toEqual([oldest?.id]);
  });
});
