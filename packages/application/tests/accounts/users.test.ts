import { describe, expect, it } from '@jest/globals';
import { type Caller, DEFAULT_SETTINGS } from '../../src/index.js';
import { PASSWORD, userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

const anonymous: Caller = { kind: 'anonymous' };

async function world() {
  const made = await fixture();
  const [owner, follower] = [await made.user('owner'), await made.user('follower')];
  const figures = async (caller: Caller) => {
    const [view] = await made.app.getUsers(anonymous, { userIds: [userOf(caller)] });
    return [view?.postCount, view?.likeCount, view?.subscriberCount, view?.strategyCount];
  };
  return { ...made, owner, follower, figures };
}

describe('public users', () => {
  it('come in the order of the request, each once, without unknown ones', async () => {
    const { app, owner, follower } = await world();
    const [a, b] = [userOf(owner), userOf(follower)];
    const views = await app.getUsers(anonymous, { userIds: [b, 'nobody', a, b] });
    expect(views.map(({ user }) => user.id)).toEqual([b, a]);
  });
});

describe('sign-up that is closed', () => {
  it('leaves new users to the operator', async () => {
    const { app } = await fixture({}, { ...DEFAULT_SETTINGS, signup: 'closed' });
    const given = { email: 'ada@example.com', password: PASSWORD };
    await expect(app.newUser(anonymous, given)).rejects.toMatchObject({ code: 'signup_closed' });
    await expect(app.newUser({ kind: 'operator' }, given)).resolves.toBeDefined();
  });
});

describe('the figures of a user', () => {
  it('are right after every change', async () => {
    const { app, strategy, owner, follower, figures } = await world();
    expect(await figures(owner)).toEqual([0, 0, 0, 0]);
    const [first, second] = [await strategy(owner), await strategy(owner)];
    await strategy(owner, { private: true });
    expect(await figures(owner)).toEqual([0, 0, 0, 2]);

    await app.newStrategySubscription(follower, { strategyId: first });
    await app.newStrategySubscription(follower, { strategyId: second });
    expect(await figures(owner)).toEqual([0, 0, 2, 2]);
    expect(await figures(follower)).toEqual([0, 0, 0, 0]);

    const { post } = await app.newPost(owner, { text: 'one' });
    await app.newPost(owner, { text: 'two' });
    await app.newLike(follower, { postId: post.id });
    await app.newLike(follower, { postId: post.id });
    expect(await figures(owner)).toEqual([2, 1, 2, 2]);

    await app.updateStrategy(owner, { strategyId: first, private: true });
    await app.deleteStrategySubscription(follower, { strategyId: second });
    await app.deleteLike(follower, { postId: post.id });
    expect(await figures(owner)).toEqual([2, 0, 0, 1]);

    await app.newLike(follower, { postId: post.id });
    await app.deletePost(owner, { postId: post.id });
    await app.deleteStrategy(owner, { strategyId: second });
    expect(await figures(owner)).toEqual([1, 0, 0, 0]);
  });
});

describe('the name of a user', () => {
  it('is shown to everybody as it was written, and is removed by an empty text', async () => {
    const { app, owner } = await world();
    const shown = async () => {
      const [view] = await app.getUsers(anonymous, { userIds: [userOf(owner)] });
      return view?.user.name;
    };
    expect(await shown()).toBeNull();
    await app.updateUserInfo(owner, { name: 'Ada Löwe' });
    await app.updateUserInfo(owner, { bio: 'hello' });
    expect(await shown()).toBe('Ada Löwe');
    await app.updateUserInfo(owner, { name: '' });
    expect(await shown()).toBeNull();
  });

  it.each([
    ['the same', 'Ada Löwe'],
    ['one in another case', 'ADA LÖWE'],
    ['one of wide letters', 'Ａda Löwe'],
    ['one with other gaps', 'Ada  Löwe'],
    ['one with a sign that nobody sees', 'Ada\u200b Löwe'],
  ])('refuses %s to another user', async (_, name) => {
    const { app, owner, follower } = await world();
    await app.updateUserInfo(owner, { name: 'Ada Löwe' });
    await expect(app.updateUserInfo(follower, { name, bio: 'hi' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await app.getUserInfo(follower)).profile.bio).toBe('');
    expect((await app.updateUserInfo(owner, { name })).name).toBe(name);
  });

  it('is free again once its user dropped it', async () => {
    const { app, owner, follower } = await world();
    await app.updateUserInfo(owner, { name: 'Ada' });
    await app.updateUserInfo(owner, { name: '' });
    expect((await app.updateUserInfo(follower, { name: 'ada' })).name).toBe('ada');
  });

  it('is not one that nobody sees', async () => {
    const { app, owner } = await world();
    await expect(app.updateUserInfo(owner, { name: '\u3164' })).rejects.toThrow(/blank/);
  });
});

describe('the profile', () => {
  it('changes in the given fields, and is removed by an empty text', async () => {
    const { app, owner } = await world();
    await app.updateUserInfo(owner, { bio: 'hello', x: 'https://x.com/ada' });
    await app.updateUserInfo(owner, { x: '', website: 'https://ada.example', bio: undefined });
    expect((await app.getUserInfo(owner)).profile).toEqual({
      bio: 'hello',
      x: '',
      website: 'https://ada.example',
      youtube: '',
      telegram: '',
    });
  });

  it('has a set of notification types, which is replaced as a whole', async () => {
    const { app, owner } = await world();
    await app.updateUserNotifications(owner, { notifications: ['like', 'like', 'subscription'] });
    const user = await app.updateUserNotifications(owner, { notifications: ['like'] });
    expect(user.notifications).toEqual(['like']);
    expect(await app.getUserInfo(owner)).toEqual(user);
  });
});
