import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../src/index.js';
import { userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

async function world() {
  const made = await fixture();
  const users = {
    owner: await made.user('owner'),
    follower: await made.user('follower'),
    stranger: await made.user('stranger'),
  };
  const post = async (author: Caller, text: string) => {
    made.ports.clock.advance(1000);
    return (await made.app.newPost(author, { text })).post.id;
  };
  const texts = async (reader: Caller, command: { userId?: string } = {}) =>
    (await made.app.getTimeline(reader, command)).map((view) => view.post.text);
  return { ...made, ...users, post, texts };
}

describe('the timeline', () => {
  it('has the posts of the user and of those they follow, newest first', async () => {
    const { app, strategy, owner, follower, stranger, post, texts } = await world();
    const strategyId = await strategy(owner);
    await post(owner, 'first');
    await post(stranger, 'noise');
    await post(follower, 'mine');
    expect(await texts(follower)).toEqual(['mine']);
    await app.newStrategySubscription(follower, { strategyId });
    await post(owner, 'last');
    expect(await texts(follower)).toEqual(['last', 'mine', 'first']);
    await app.deleteStrategySubscription(follower, { strategyId });
    expect(await texts(follower)).toEqual(['mine']);
  });

  it('of a user has only their posts', async () => {
    const { owner, stranger, post, texts } = await world();
    await post(owner, 'first');
    await post(stranger, 'noise');
    expect(await texts(stranger, { userId: userOf(owner) })).toEqual(['first']);
    expect(await texts(stranger, { userId: 'nobody' })).toEqual([]);
  });

  it('continues after a cursor', async () => {
    const { app, owner, post } = await world();
    const [a, b, c] = [await post(owner, 'a'), await post(owner, 'b'), await post(owner, 'c')];
    const page = async (cursor?: string) =>
      (await app.getTimeline(owner, { limit: 2, cursor })).map((view) => view.post.id);
    expect(await page()).toEqual([c, b]);
    expect(await page(b)).toEqual([a]);
    expect(await page('unknown')).toEqual([]);
  });
});

describe('posts', () => {
  it('can be about a public strategy, and name it only to those who may see it', async () => {
    const { app, strategy, owner, stranger } = await world();
    const strategyId = await strategy(owner);
    const { post } = await app.newPost(stranger, { text: 'nice', strategyId });
    expect(post.strategyId).toBe(strategyId);
    const named = async (reader: Caller) =>
      (await app.getTimeline(reader, { userId: userOf(stranger) }))[0]?.post.strategyId;
    await app.updateStrategy(owner, { strategyId, private: true });
    expect([await named(owner), await named(stranger)]).toEqual([strategyId, null]);
    await app.deleteStrategy(owner, { strategyId });
    expect(await named(owner)).toBeNull();
  });

  it('cannot be about a private one, nor reveal whether one exists', async () => {
    const { app, strategy, owner, stranger } = await world();
    const strategyId = await strategy(owner, { private: true });
    const say = (author: Caller, about: string) =>
      app.newPost(author, { text: 'psst', strategyId: about });
    await expect(say(owner, strategyId)).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(say(stranger, strategyId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(say(stranger, 'none')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('can be deleted only by their author', async () => {
    const { app, owner, stranger, post } = await world();
    const postId = await post(owner, 'mine');
    await expect(app.deletePost(stranger, { postId })).rejects.toMatchObject({ code: 'not_owner' });
    await app.deletePost(owner, { postId });
    await expect(app.deletePost(owner, { postId })).rejects.toMatchObject({ code: 'not_found' });
    await expect(app.newLike(owner, { postId })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('likes', () => {
  it('count once per user, and can be removed twice', async () => {
    const { app, owner, follower, stranger, post } = await world();
    const postId = await post(owner, 'mine');
    const seen = (view: { likeCount: number; liked: boolean }) => [view.likeCount, view.liked];
    expect(seen(await app.newLike(follower, { postId }))).toEqual([1, true]);
    expect(seen(await app.newLike(follower, { postId }))).toEqual([1, true]);
    expect(seen(await app.newLike(stranger, { postId }))).toEqual([2, true]);
    expect(seen(await app.deleteLike(follower, { postId }))).toEqual([1, false]);
    expect(seen(await app.deleteLike(follower, { postId }))).toEqual([1, false]);
    const [view] = await app.getTimeline(owner, {});
    expect(view && seen(view)).toEqual([1, false]);
  });
});
