import { describe, expect, it } from '../testing.js';
import { type Like, type Post, id } from '@slipstream/domain';
import { NOON, aPost } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const like = (postId: string, userId: string, createdAt = NOON): Like => ({
  postId: id(postId),
  userId: id(userId),
  createdAt,
});

export const timelinesContract = (open: OpenStorage): void => {
  describe('posts', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Post>(unitOfWork, ({ posts }, post) => posts.save(post));
    const saveLikes = saveAll<Like>(unitOfWork, ({ likes }, one) => likes.save(one));

    it('gives back every field, and undefined for one that does not exist', async () => {
      const post = aPost({
        strategyId: id('strategy-1'),
        text: 'two\nlines 🚀',
        createdAt: NOON + 1,
      });
      await save(post);
      const found = await unitOfWork.read(async ({ posts }) => [
        await posts.find(post.id),
        await posts.find(id('none')),
      ]);
      expect(found).toEqual([post, undefined]);
    });

    it('lists those of the authors, newest first, ties by the later id, page by page', async () => {
      await save(
        aPost({ id: id('a'), createdAt: NOON + 1 }),
        aPost({ id: id('b') }),
        aPost({ id: id('c'), userId: id('user-2') }),
        aPost({ id: id('d'), userId: id('user-3'), createdAt: NOON + 2 }),
      );
      const list = (cursor?: string) =>
        unitOfWork.read(({ posts }) =>
          posts.list([id('user-1'), id('user-2')], { limit: 2, cursor }),
        );
      expect(idsOf(await list())).toEqual(['a', 'c']);
      expect(idsOf(await list('c'))).toEqual(['b']);
      expect(await list('none')).toEqual([]);
    });

    it('continues from a cursor whose author is not among the authors any more', async () => {
      await save(
        aPost({ id: id('a'), createdAt: NOON + 2 }),
        aPost({ id: id('b'), userId: id('user-2'), createdAt: NOON + 1 }),
        aPost({ id: id('c') }),
      );
      const found = await unitOfWork.read(({ posts }) =>
        posts.list([id('user-1')], { limit: 9, cursor: 'b' }),
      );
      expect(idsOf(found)).toEqual(['c']);
    });

    it('lists in the same order over more authors than fit into one query', async () => {
      const authors = Array.from({ length: 1200 }, (_, n) => id<'user'>(`author-${n}`));
      await save(
        aPost({ id: id('a'), userId: id('author-1100'), createdAt: NOON + 3 }),
        aPost({ id: id('b'), userId: id('author-3'), createdAt: NOON + 2 }),
        aPost({ id: id('c'), userId: id('author-600'), createdAt: NOON + 1 }),
      );
      const list = (cursor?: string) =>
        unitOfWork.read(({ posts }) => posts.list(authors, { limit: 2, cursor }));
      expect(idsOf(await list())).toEqual(['a', 'b']);
      expect(idsOf(await list('b'))).toEqual(['c']);
    });

    it('removes a post with its likes', async () => {
      await save(aPost({ id: id('a') }), aPost({ id: id('b') }));
      await saveLikes(like('a', 'user-2'), like('b', 'user-2'));
      await unitOfWork.run(({ posts }) => posts.remove(id('a')));
      const left = await unitOfWork.read(async ({ posts, likes }) => [
        await posts.find(id('a')),
        (await likes.listOf(id('user-2'), { limit: 9 })).map(({ postId }) => postId),
      ]);
      expect(left).toEqual([undefined, ['b']]);
    });
  });

  describe('likes', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Post>(unitOfWork, ({ posts }, post) => posts.save(post));
    const saveLikes = saveAll<Like>(unitOfWork, ({ likes }, one) => likes.save(one));

    it('counts each user once for a post, however often the like is saved', async () => {
      await save(aPost({ id: id('a') }), aPost({ id: id('c') }));
      await saveLikes(like('a', 'user-2'), like('a', 'user-2'), like('a', 'user-3'));
      await saveLikes(like('c', 'user-2'));
      const counts = await unitOfWork.read(({ likes }) =>
        likes.countOfPosts([id('a'), id('b'), id('c')]),
      );
      expect(new Map(counts)).toEqual(
        new Map([
          ['a', 2],
          ['c', 1],
        ]),
      );
    });

    it('refuses a like of a post that does not exist', async () => {
      await expect(saveLikes(like('none', 'user-2'))).rejects.toThrow();
    });

    it('lists the posts that a user likes, newest first', async () => {
      await save(aPost({ id: id('a') }), aPost({ id: id('b') }), aPost({ id: id('c') }));
      await saveLikes(like('a', 'user-2', NOON + 1), like('b', 'user-2'), like('c', 'user-3'));
      const [given, among] = await unitOfWork.read(async ({ likes }) => [
        await likes.listOf(id('user-2'), { limit: 9 }),
        await likes.likedBy(id('user-2'), [id('c'), id('b')]),
      ]);
      expect(given).toEqual([like('a', 'user-2', NOON + 1), like('b', 'user-2')]);
      expect([...among]).toEqual(['b']);
    });

    it('pages through the likes of a user', async () => {
      await save(aPost({ id: id('a') }), aPost({ id: id('b') }), aPost({ id: id('c') }));
      await saveLikes(like('a', 'user-2'), like('b', 'user-2'), like('c', 'user-3'));
      const list = (limit: number, cursor?: string) =>
        unitOfWork.read(({ likes }) => likes.listOf(id('user-2'), { limit, cursor }));
      expect(await list(1)).toEqual([like('b', 'user-2')]);
      expect(await list(9, 'b')).toEqual([like('a', 'user-2')]);
      expect(await list(9, 'c')).toEqual([]);
    });

    it('removes a like; an unknown one changes nothing', async () => {
      await save(aPost({ id: id('a') }));
      await saveLikes(like('a', 'user-2'), like('a', 'user-3'));
      await unitOfWork.run(async ({ likes }) => {
        await likes.remove(id('a'), id('user-2'));
        await likes.remove(id('a'), id('user-9'));
      });
      const counts = await unitOfWork.read(({ likes }) => likes.countOfPosts([id('a')]));
      expect(counts.get(id('a'))).toBe(1);
    });
  });
};
