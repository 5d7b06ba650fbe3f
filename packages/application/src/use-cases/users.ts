import {
  type Profile,
  Refusal,
  type Strategy,
  type User,
  type UserId,
  type UserNotification,
  id,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { requireUser } from '../access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { keepAnswer } from '../keep-answer.js';

/** A user as everybody sees them; the figures are of this moment (spec 2.2). */
export interface UserView {
  readonly user: User;
  readonly postCount: number;
  /** Likes that the user's posts received. */
  readonly likeCount: number;
  /** Over all own strategies. */
  readonly subscriberCount: number;
  /** Public ones. */
  readonly strategyCount: number;
}

/** The user's strategies that are not deleted: of each they have an owner's row. */
export async function strategiesOf(
  { strategies, subscriptions }: Pick<ReadStores, 'strategies' | 'subscriptions'>,
  userId: UserId,
): Promise<Strategy[]> {
  const rows = await subscriptions.listOfUser(userId);
  const owned = rows.filter(({ relation, status }) => relation === 'owner' && status === 'active');
  const found = await strategies.list(owned.map(({ strategyId }) => strategyId));
  return found.filter(({ deletedAt }) => deletedAt === null);
}

async function viewUsers(stores: ReadStores, users: readonly User[]): Promise<UserView[]> {
  const userIds = users.map((user) => user.id);
  const posts = await stores.posts.count(userIds);
  const likes = await stores.likes.countReceived(userIds);
  const views: UserView[] = [];
  for (const user of users) {
    const own = await strategiesOf(stores, user.id);
    const subscribers = await stores.subscriptions.countSubscribers(own.map((one) => one.id));
    views.push({
      user,
      postCount: posts.get(user.id) ?? 0,
      likeCount: likes.get(user.id) ?? 0,
      subscriberCount: [...subscribers.values()].reduce((total, count) => total + count, 0),
      strategyCount: own.filter((strategy) => !strategy.private).length,
    });
  }
  return views;
}

/** In the order asked, each once; those that do not exist or were deleted are left out. */
export const getUsers =
  ({ unitOfWork }: Core) =>
  (_caller: Caller, { userIds }: { readonly userIds: readonly string[] }): Promise<UserView[]> =>
    unitOfWork.read(async (stores) => {
      const found = await stores.users.list(userIds.map((userId) => id<'user'>(userId)));
      return viewUsers(
        stores,
        found.filter(({ deletedAt }) => deletedAt === null),
      );
    });

const gone = (): Refusal => new Refusal('unauthenticated', 'the user is not there any more');

/** The caller's own record. */
export async function ownUser({ users }: Pick<ReadStores, 'users'>, userId: UserId): Promise<User> {
  const user = await users.find(userId);
  if (!user || user.deletedAt !== null) throw gone();
  return user;
}

export const getUserInfo =
  ({ unitOfWork }: Core) =>
  async (caller: Caller): Promise<User> => {
    const { userId } = requireUser(caller);
    return unitOfWork.read((stores) => ownUser(stores, userId));
  };

const changeOwn =
  ({ unitOfWork, clock }: Core) =>
  async (caller: Caller, change: (user: User) => User): Promise<User> => {
    const { userId } = requireUser(caller);
    return unitOfWork.run(async (stores) => {
      const changed = change(await ownUser(stores, userId));
      const user = { ...changed, updatedAt: clock.now() };
      await stores.users.save(user);
      await keepAnswer(stores, user);
      return user;
    });
  };

/** Sets what is given; the empty string unsets. */
export const updateUserInfo =
  (core: Core) =>
  (
    caller: Caller,
    fields: { readonly [Field in keyof Profile]?: string | undefined },
  ): Promise<User> =>
    changeOwn(core)(caller, (user) => {
      const given = Object.entries(fields).filter(([, value]) => value !== undefined);
      return { ...user, profile: { ...user.profile, ...(Object.fromEntries(given) as Profile) } };
    });

/** Replaces the set of enabled types. */
export const updateUserNotifications =
  (core: Core) =>
  (
    caller: Caller,
    { notifications }: { readonly notifications: readonly UserNotification[] },
  ): Promise<User> =>
    changeOwn(core)(caller, (user) => ({ ...user, notifications: [...new Set(notifications)] }));
