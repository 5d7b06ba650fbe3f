import { describe, expect, it } from '@jest/globals';
import { HOUR, MINUTE } from '@slipstream/domain';
import fc from 'fast-check';
import type { Caller } from '../../src/index.js';
import { userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const USERS = [0, 1, 2] as const;
const TYPES = ['subscription', 'like'] as const;

const aUser = fc.constantFrom(...USERS);
const step = <Kind extends string, Rest extends object>(
  kind: Kind,
  rest: { [Name in keyof Rest]: fc.Arbitrary<Rest[Name]> },
): fc.Arbitrary<{ readonly kind: Kind } & Rest> =>
  fc.record(rest).map((drawn) => ({ kind, ...(drawn as Rest) }));
const aStep = fc.oneof(
  step('follow', { by: aUser, of: aUser }),
  step('unfollow', { by: aUser, of: aUser }),
  step('hide', { by: aUser, isPrivate: fc.boolean(), invited: fc.subarray([...USERS]) }),
  step('post', { by: aUser, about: fc.option(aUser) }),
  step('withdraw', { by: aUser, post: fc.nat(1) }),
  step('like', { by: aUser, post: fc.nat(1) }),
  step('unlike', { by: aUser, post: fc.nat(1) }),
  step('choose', { by: aUser, types: fc.subarray([...TYPES]) }),
  step('read', { by: aUser }),
  step('pass', { minutes: fc.constantFrom(7, 25, 50, 70) }),
);
/** Of user n, who owns strategy n, or about the newest post but n. */
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;

interface Post {
  readonly id: string;
  readonly by: number;
  readonly about: number | null;
  readonly likes: Set<number>;
}

/** The contract (2, 5) and `docs/behaviour.md`, as naively as can be: user n owns strategy n. */
class Model {
  now = 0;
  posts: Post[] = [];
  readonly follows = USERS.map(() => new Set<number>());
  readonly hidden = USERS.map(() => ({ isPrivate: false, invited: [] as readonly number[] }));
  readonly chosen = USERS.map((): readonly string[] => TYPES);
  readonly notices = USERS.map((): { type: string; isRead: boolean }[] => []);
  private readonly told = new Map<string, number>();

  sees(user: number, strategy: number): boolean {
    const { isPrivate, invited } = this.hidden[strategy]!;
    const isNear = user === strategy || this.follows[user]!.has(strategy);
    return !isPrivate || isNear || invited.includes(user);
  }

  /** Newest first. */
  timeline(user: number) {
    return this.posts
      .filter(({ by }) => by === user || this.follows[user]!.has(by))
      .map(({ id, about, likes }) => ({
        id,
        about: about !== null && this.sees(user, about) ? about : null,
        likes: likes.size,
        liked: likes.has(user),
      }));
  }

  /** Once an hour for the same act of the same user. */
  tell(user: number, type: string, act: string): void {
    const last = this.told.get(`${user} ${type} ${act}`) ?? -Infinity;
    if (!this.chosen[user]!.includes(type) || this.now - last < HOUR) return;
    this.told.set(`${user} ${type} ${act}`, this.now);
    this.notices[user]!.unshift({ type, isRead: false });
  }
}

async function scene() {
  const world = await fixture();
  const { app, ports } = world;
  const callers: Caller[] = [];
  for (const n of USERS) callers.push(await world.user(`user${n}`));
  const strategies: string[] = [];
  for (const caller of callers) {
    strategies.push(await world.strategy(caller));
    await app.updateUserNotifications(caller, { notifications: TYPES });
  }
  const model = new Model();
  /** Whether it was done. */
  const done = (request: Promise<unknown>): Promise<boolean> =>
    request.then(
      () => true,
      ({ code }: { code?: string }) => {
        if (code === undefined) throw new Error('a fault');
        return false;
      },
    );
  const change = async (post: Post | undefined, { kind, by }: Extract<Step, { post: number }>) => {
    if (!post) return;
    const [caller, named] = [callers[by]!, { postId: post.id }];
    if (kind === 'like') {
      await app.newLike(caller, named);
      if (!post.likes.has(by) && post.by !== by) model.tell(post.by, 'like', `${by}`);
      post.likes.add(by);
    } else if (kind === 'unlike') {
      await app.deleteLike(caller, named);
      post.likes.delete(by);
    } else {
      expect(await done(app.deletePost(caller, named))).toBe(post.by === by);
      if (post.by === by) model.posts = model.posts.filter((one) => one !== post);
    }
  };
  const write = async ({ by, about }: Extract<Step, { kind: 'post' }>) => {
    const may = about === null || !model.hidden[about]!.isPrivate;
    const strategyId = about === null ? undefined : strategies[about];
    const request = app.newPost(callers[by]!, { text: 'text', strategyId });
    expect(await done(request)).toBe(may);
    if (may) model.posts.unshift({ id: (await request).post.id, by, about, likes: new Set() });
  };
  const follow = async ({ kind, by, of }: Extract<Step, { of: number }>) => {
    const [caller, strategyId] = [callers[by]!, strategies[of]!];
    const follows = model.follows[by]!;
    if (kind === 'unfollow') {
      const may = follows.delete(of);
      if (by !== of)
        expect(await done(app.deleteStrategySubscription(caller, { strategyId }))).toBe(may);
      return;
    }
    const may = by !== of && model.sees(by, of) && !follows.has(of);
    expect(await done(app.newStrategySubscription(caller, { strategyId }))).toBe(may);
    if (!may) return;
    follows.add(of);
    model.tell(of, 'subscription', `${by}`);
  };
  const hide = async ({ by, isPrivate, invited }: Extract<Step, { kind: 'hide' }>) => {
    const others = invited.filter((one) => one !== by);
    const invitedUserIds = others.map((one) => userOf(callers[one]!));
    const strategyId = strategies[by]!;
    await app.updateStrategy(callers[by]!, { strategyId, private: isPrivate, invitedUserIds });
    model.hidden[by] = { isPrivate, invited: others };
  };
  const read = async (by: number) => {
    const unread = model.notices[by]!.filter(({ isRead }) => !isRead);
    expect(await app.readNotifications(callers[by]!, {})).toBe(unread.length);
    for (const notice of unread) notice.isRead = true;
  };
  const perform = async (step: Step): Promise<void> => {
    if (step.kind === 'pass') {
      model.now += step.minutes * MINUTE;
      ports.clock.advance(step.minutes * MINUTE);
    } else if ('of' in step) await follow(step);
    else if (step.kind === 'hide') await hide(step);
    else if (step.kind === 'post') await write(step);
    else if (step.kind === 'read') await read(step.by);
    else if (step.kind === 'choose') {
      await app.updateUserNotifications(callers[step.by]!, { notifications: step.types });
      model.chosen[step.by] = step.types;
    } else await change(model.posts[step.post], step);
  };
  const seen = async (user: number) => {
    const caller = callers[user]!;
    const shown: ReturnType<Model['timeline']> = [];
    // In pages of two.
    for (let cursor: string | undefined; ; cursor = shown.at(-1)?.id) {
      const page = await app.getTimeline(caller, { limit: 2, cursor });
      for (const { post, likeCount, liked } of page) {
        const about = post.strategyId === null ? null : strategies.indexOf(post.strategyId);
        shown.push({ id: post.id, about, likes: likeCount, liked });
      }
      if (page.length < 2) break;
    }
    const notices = (await app.getNotifications(caller, {})).map(({ type, readAt }) => ({
      type,
      isRead: readAt !== null,
    }));
    return { timeline: shown, notices };
  };
  return { model, perform, seen };
}

describe('posts, likes, follows and what is told of them', () => {
  it('are as a naive model says, whatever the users do', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 30, maxLength: 60, size: 'max' }),
        async (steps) => {
          const { model, perform, seen } = await scene();
          for (const step of steps) await perform(step);
          for (const user of USERS)
            expect(await seen(user)).toEqual({
              timeline: model.timeline(user),
              notices: model.notices[user],
            });
        },
      ),
      { numRuns: 80 * MORE },
    );
  });
});
