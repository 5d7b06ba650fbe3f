import { type Post, Refusal, type UserId, id, DAY } from '@slipstream/domain';
import type { Page, ReadStores, Stores } from '@slipstream/ports';
import { requireUser, visibleStrategies, visibleStrategy } from '../strategies/access.js';
import { requireBelowCap, requireStorage } from '../caps.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { type PageRequest, pageOf } from '../page.js';
import { notify } from '../messages/notify.js';
import { ownUser } from '../accounts/users.js';
import type { Transaction } from '../transaction.js';

/** The characters of a post that a notification quotes. */
const QUOTED = 80;

/** A post as the caller sees it. */
export interface PostView {
  /** Its strategy is null unless the caller may see the strategy. */
  readonly post: Post;
  readonly likeCount: number;
  /** Whether the caller likes it. */
  readonly liked: boolean;
}

async function viewPosts(
  stores: ReadStores,
  caller: Caller,
  posts: readonly Post[],
): Promise<PostView[]> {
  const postIds = posts.map((post) => post.id);
  const counts = await stores.likes.countOfPosts(postIds);
  const liked = await stores.likes.likedBy(requireUser(caller).userId, postIds);
  const named = posts.flatMap(({ strategyId }) => strategyId ?? []);
  const visible = new Set((await visibleStrategies(stores, caller, named)).map((one) => one.id));
  return posts.map((post) => ({
    post: post.strategyId && !visible.has(post.strategyId) ? { ...post, strategyId: null } : post,
    likeCount: counts.get(post.id) ?? 0,
    liked: liked.has(post.id),
  }));
}

/** The caller and the owners of the strategies that they follow. */
async function followedUsers(stores: ReadStores, userId: UserId): Promise<UserId[]> {
  const rows = await stores.subscriptions.following(userId);
  const followed = rows.filter(({ status }) => ['active', 'past_due'].includes(status));
  const strategies = await stores.strategies.list(followed.map(({ strategyId }) => strategyId));
  return [...new Set([userId, ...strategies.map((strategy) => strategy.userId)])];
}

/** The posts of one user. A cursor that is a post of another one is of another list. */
async function postsOf(
  { posts }: Pick<ReadStores, 'posts'>,
  userId: UserId,
  page: Page,
): Promise<Post[]> {
  const { cursor } = page;
  const last = cursor === undefined ? undefined : await posts.find(id<'post'>(cursor));
  return cursor === undefined || last?.userId === userId ? posts.list([userId], page) : [];
}

/**
 * Posts of one user, or of the caller and the users they follow; newest first. The latter go on after a post whose author the caller
 * follows no more.
 */
export const getTimeline =
  ({ unitOfWork }: Core) =>
  (
    caller: Caller,
    command: PageRequest & { readonly userId?: string | undefined },
  ): Promise<PostView[]> =>
    unitOfWork.read(async (stores) => {
      const { userId } = requireUser(caller);
      const page = pageOf(command);
      const posts =
        command.userId === undefined
          ? await stores.posts.list(await followedUsers(stores, userId), page)
          : await postsOf(stores, id<'user'>(command.userId), page);
      return viewPosts(stores, caller, posts);
    });

/** The post as the caller now sees it; this is also the answer of the request. */
async function answerWith(stores: Transaction, caller: Caller, post: Post): Promise<PostView> {
  const [view] = await viewPosts(stores, caller, [post]);
  stores.answerWith(view);
  return view as PostView;
}

async function requireRoomToday(
  { clock, settings: { caps } }: Core,
  { posts }: Stores,
  userId: UserId,
): Promise<void> {
  const today = Math.floor(clock.now() / DAY);
  const latest = await posts.list([userId], { limit: caps.posts });
  const written = latest.filter(({ createdAt }) => Math.floor(createdAt / DAY) === today);
  requireBelowCap(caps, 'posts', written.length);
}

/** Publishes a post, about a public strategy or about none. */
export const newPost =
  (core: Core) =>
  async (
    caller: Caller,
    { text, strategyId }: { readonly text: string; readonly strategyId?: string | undefined },
  ): Promise<PostView> => {
    const { userId } = requireUser(caller);
    return core.unitOfWork.run(async (stores) => {
      await ownUser(stores, userId);
      await requireRoomToday(core, stores, userId);
      await requireStorage(core, stores, userId);
      const about =
        strategyId === undefined ? null : await visibleStrategy(stores, caller, strategyId);
      if (about?.private) {
        throw new Refusal('invalid_field', 'posts are public, so strategy_id must be too');
      }
      const made: Post = {
        id: core.ids.next(),
        userId,
        strategyId: about?.id ?? null,
        text,
        createdAt: core.clock.now(),
      };
      await stores.posts.save(made);
      return answerWith(stores, caller, made);
    });
  };

async function requirePost(stores: Pick<ReadStores, 'posts'>, postId: string): Promise<Post> {
  const post = await stores.posts.find(id<'post'>(postId));
  if (!post) throw new Refusal('not_found', `post ${postId} does not exist`);
  return post;
}

/** Removes one of the caller's posts and its likes. */
export const deletePost =
  ({ unitOfWork }: Core) =>
  async (caller: Caller, { postId }: { readonly postId: string }): Promise<void> => {
    const { userId } = requireUser(caller);
    await unitOfWork.run(async (stores) => {
      const post = await requirePost(stores, postId);
      if (post.userId !== userId) {
        throw new Refusal('not_owner', 'only the author of the post may do this');
      }
      await stores.posts.remove(post.id);
      stores.answerWith(undefined);
    });
  };

const quoted = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  const start = [...line].slice(0, QUOTED).join('');
  return start.length < line.length ? `${start}…` : start;
};

/** Likes a post. A repeat changes nothing. */
export const newLike =
  (core: Core) =>
  async (caller: Caller, { postId }: { readonly postId: string }): Promise<PostView> => {
    const { userId } = requireUser(caller);
    return core.unitOfWork.run(async (stores) => {
      await ownUser(stores, userId);
      const post = await requirePost(stores, postId);
      const isNew = !(await stores.likes.likedBy(userId, [post.id])).has(post.id);
      if (isNew) await stores.likes.save({ postId: post.id, userId, createdAt: core.clock.now() });
      if (isNew && post.userId !== userId) await notifyAuthor(core, stores, post, userId);
      return answerWith(stores, caller, post);
    });
  };

const notifyAuthor = (
  core: Core,
  stores: Stores,
  { id: postId, userId, text }: Post,
  actorId: UserId,
): Promise<void> =>
  notify(core, stores, {
    userId,
    types: ['like'],
    text: `Somebody likes your post “${quoted(text)}”.`,
    postId,
    actorId,
  });

/** Removes a like. Without one it changes nothing. */
export const deleteLike =
  ({ unitOfWork }: Core) =>
  async (caller: Caller, { postId }: { readonly postId: string }): Promise<PostView> => {
    const { userId } = requireUser(caller);
    return unitOfWork.run(async (stores) => {
      const post = await requirePost(stores, postId);
      if ((await stores.likes.likedBy(userId, [post.id])).has(post.id))
        await stores.likes.remove(post.id, userId);
      return answerWith(stores, caller, post);
    });
  };
