import type { PostId, UserId } from '@slipstream/domain';
import type { LikeStore, PostStore } from '@slipstream/ports';
import { build, once, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { NEWEST, type Place, byNewest, inChunks } from '../storage/lists.js';
import { likeColumns, postColumns } from './columns.js';

const postById = rowBy('posts', 'id');
const savePost = upsert('posts', postColumns, 'id');
const removePost = prepared<{ id: PostId }>()((param) =>
  build.deleteFrom('posts').where('id', '=', param('id')),
);
const removeLikes = prepared<{ id: PostId }>()((param) =>
  build.deleteFrom('likes').where('post_id', '=', param('id')),
);

const pageOf = (userIds: readonly UserId[], limit: number, { created_at, id }: Place) =>
  build
    .selectFrom('posts')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(created_at, id)),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);

export const sqlPosts = (session: Session): PostStore => ({
  find: (id) => session.find(postById(id), postColumns.load),
  list: async (userIds, { limit, cursor }) => {
    const post = cursor === undefined ? undefined : await session.row(postById(cursor));
    if (cursor !== undefined && !post) return [];
    const rows = await inChunks(userIds, (ids) =>
      session.rows(once(pageOf(ids, limit, post ?? NEWEST))),
    );
    return rows.map(postColumns.load).sort(byNewest).slice(0, limit);
  },
  save: async (post) => void session.write(savePost(post)),
  remove: async (id) => {
    session.write(removeLikes({ id }));
    session.write(removePost({ id }));
  },
});

const placeOfLike = prepared<{ userId: UserId; cursor: string }>()((param) =>
  build
    .selectFrom('likes')
    .select(['created_at', 'post_id as id'])
    .where('user_id', '=', param('userId'))
    .where('post_id', '=', param('cursor')),
);
const likesAfter = prepared<{ userId: UserId; limit: number } & Place>()((param) =>
  build
    .selectFrom('likes')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'post_id'), '<', tuple(param('created_at'), param('id'))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('post_id', 'desc')
    .limit(param('limit')),
);
const saveLike = upsert('likes', likeColumns, 'post_id', 'user_id');
const removeLike = prepared<{ postId: PostId; userId: UserId }>()((param) =>
  build
    .deleteFrom('likes')
    .where('post_id', '=', param('postId'))
    .where('user_id', '=', param('userId')),
);

export const sqlLikes = (session: Session): LikeStore => ({
  likedBy: async (userId, postIds) => {
    const liked = (ids: readonly PostId[]) =>
      build
        .selectFrom('likes')
        .select('post_id')
        .where('user_id', '=', userId)
        .where('post_id', 'in', ids);
    const rows = await inChunks(postIds, (ids) => session.rows(once(liked(ids))));
    return new Set(rows.map((row) => row.post_id as PostId));
  },
  listOf: async (userId, { limit, cursor }) => {
    const after =
      cursor === undefined ? NEWEST : await session.row(placeOfLike({ userId, cursor }));
    if (!after) return [];
    return session.list(likesAfter({ userId, limit, ...after }), likeColumns.load);
  },
  countOfPosts: async (postIds) => {
    const counted = (ids: readonly PostId[]) =>
      build
        .selectFrom('likes')
        .select(({ fn }) => ['post_id', fn.countAll<number>().as('count')])
        .where('post_id', 'in', ids)
        .groupBy('post_id');
    const rows = await inChunks(postIds, (ids) => session.rows(once(counted(ids))));
    return new Map(rows.map((row) => [row.post_id as PostId, row.count]));
  },
  save: async (like) => void session.write(saveLike(like)),
  remove: async (postId, userId) => void session.write(removeLike({ postId, userId })),
});
