import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '@slipstream/domain';
import fc from 'fast-check';
import { userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);
/** The reader is number 0. */
const USERS = [0, 1, 2] as const;

const aUser = fc.constantFrom(...USERS);
const aChange = fc.record({
  kind: fc.constantFrom(
    'post' as const,
    'withdraw' as const,
    'follow' as const,
    'unfollow' as const,
  ),
  of: aUser,
  /** Of the author of the last post that was shown. */
  isCursor: fc.boolean(),
});
const aStory = fc.record({
  /** By whom, oldest first; those of one number are of one moment. */
  posts: fc.array(aUser, { minLength: 2, maxLength: 9 }),
  atOnce: fc.boolean(),
  follows: fc.subarray([1, 2]),
  /** Whose posts; all that the reader follows without it. */
  author: fc.option(aUser),
  limit: fc.integer({ min: 1, max: 3 }),
  /** Between the pages. */
  changes: fc.array(fc.option(aChange), { maxLength: 6 }),
});

interface Post {
  readonly id: string;
  readonly by: number;
  stood: boolean;
}

describe('posts whose pages are read amid changes', () => {
  it('are shown once, whatever stood the whole time', async () => {
    await fc.assert(
      fc.asyncProperty(aStory, async ({ posts, atOnce, follows, author, limit, changes }) => {
        const { app, ports, user, strategy } = await fixture();
        const callers = [await user('ann'), await user('bob'), await user('cy')];
        const callerOf = (of: number) => callers[of]!;
        const strategies: string[] = [];
        for (const caller of callers) strategies.push(await strategy(caller));
        const follow = (of: number) =>
          app
            .newStrategySubscription(callerOf(0), { strategyId: strategies[of] ?? '' })
            .catch(() => undefined);
        for (const of of follows) await follow(of);
        const made: Post[] = [];
        for (const by of posts) {
          const { post } = await app.newPost(callerOf(by), { text: 'news' });
          made.push({ id: post.id, by, stood: true });
          if (!atOnce) ports.clock.advance(MINUTE);
        }
        const shown: string[] = [];
        const isFollowed = (by: number): boolean => by === 0 || follows.includes(by);
        const isAsked = ({ by }: Post): boolean =>
          author === null ? isFollowed(by) : by === author;
        const asked = new Set(made.filter(isAsked));
        const change = async (drawn: (typeof changes)[number]): Promise<void> => {
          if (!drawn) return;
          const last = made.find(({ id }) => id === shown.at(-1));
          const of = drawn.isCursor ? (last?.by ?? 0) : drawn.of;
          if (drawn.kind === 'post') await app.newPost(callerOf(of), { text: 'more' });
          if (drawn.kind === 'follow') await follow(of);
          if (drawn.kind === 'unfollow') {
            const command = { strategyId: strategies[of] ?? '' };
            const left =
              of !== 0 &&
              (await app.deleteStrategySubscription(callerOf(0), command).then(
                () => true,
                () => false,
              ));
            if (left && author === null)
              for (const one of made) if (one.by === of) one.stood = false;
          }
          if (drawn.kind === 'withdraw') {
            // Who withdrew the last one that was shown ends the pages: its place is not known any more.
            const one = made.find((other) => other.by === of && other.stood && other !== last);
            if (!one) return;
            await app.deletePost(callerOf(of), { postId: one.id });
            one.stood = false;
          }
        };
        const userId = author === null ? undefined : userOf(callerOf(author));
        for (let page = 0; page < 20; page += 1) {
          const command = { userId, limit, cursor: shown.at(-1) };
          const found = await app.getTimeline(callerOf(0), command);
          shown.push(...found.map(({ post }) => post.id));
          if (found.length < limit) break;
          await change(changes[page] ?? null);
        }
        for (const one of asked)
          if (one.stood)
            expect([one.id, shown.filter((id) => id === one.id).length]).toEqual([one.id, 1]);
        expect(new Set(shown).size).toBe(shown.length);
      }),
      { numRuns: 80 * MORE },
    );
  });
});
