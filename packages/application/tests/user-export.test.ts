import { describe, expect, it } from '@jest/globals';
import type { Caller, UserExportView } from '../src/index.js';
import { fixture } from './fixture.js';

/** Ids of everything in a piece, by list. */
const idsIn = (piece: UserExportView): string[] => [
  ...piece.strategies.map(({ strategy }) => `strategy ${strategy.id}`),
  ...piece.subscriptions.map(({ id }) => `subscription ${id}`),
  ...piece.tokens.map(({ id }) => `token ${id}`),
  ...piece.posts.map(({ id }) => `post ${id}`),
  ...piece.likes.map(({ postId }) => `like ${postId}`),
];

async function world() {
  const made = await fixture();
  const [ada, bob] = [await made.user('ada'), await made.user('bob')];
  const followed = await made.strategy(bob);
  for (let count = 0; count < 3; count += 1) {
    await made.strategy(ada);
    const { post } = await made.app.newPost(ada, { text: `post ${count}` });
    await made.app.newLike(ada, { postId: post.id });
  }
  await made.app.newStrategySubscription(ada, { strategyId: followed });
  return { ...made, ada, bob };
}

describe('the export', () => {
  it.each([1, 2, 3, 5, 100])('in pieces of %d has everything once, in order', async (limit) => {
    const { app, ada } = await world();
    const whole = await app.getUserExport(ada, {});
    expect(whole.nextCursor).toBeNull();
    expect(idsIn(whole)).toHaveLength(3 + 4 + 2 + 3 + 3);
    const pieces: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const piece = await app.getUserExport(ada, { limit, cursor });
      const ids = idsIn(piece);
      expect(ids.length).toBeLessThanOrEqual(limit);
      pieces.push(...ids);
      ({ nextCursor: cursor } = piece);
    }
    expect(pieces).toEqual(idsIn(whole));
  });

  it('goes on nowhere with a cursor of another user, and refuses what is none', async () => {
    const { app, ada, bob } = await world();
    const asked = (caller: Caller, cursor: string) =>
      app.getUserExport(caller, { limit: 1, cursor });
    const { nextCursor } = await app.getUserExport(ada, { limit: 1 });
    expect((await asked(bob, nextCursor ?? '')).strategies).toEqual([]);
    await expect(asked(ada, 'x')).rejects.toMatchObject({ code: 'invalid_field' });
  });
});
