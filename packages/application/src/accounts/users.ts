import {
  type Profile,
  Refusal,
  type User,
  type UserId,
  type UserNotification,
  id,
  nameKey,
} from '@slipstream/domain';
import type { ReadStores, UserFigures } from '@slipstream/ports';
import { requireUser } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';

/** The profile of a user who has told nothing. */
export const EMPTY_PROFILE: Profile = { bio: '', x: '', website: '', youtube: '', telegram: '' };

/** A user as everybody sees them; the figures are of this moment (spec 2.2). */
export interface UserView {
  readonly user: User;
  readonly postCount: number;
  /** Likes that the user's posts received. */
  readonly likeCount: number;
  /** Subscribers of public strategies only: those of private ones are not public. */
  readonly subscriberCount: number;
  /** Public ones. */
  readonly strategyCount: number;
}

const NOTHING: UserFigures = {
  strategies: 0,
  publicStrategies: 0,
  subscribers: 0,
  posts: 0,
  likes: 0,
};

/** Figures are stored, not counted: a call takes the same time however much the users have. */
async function viewUsers({ users }: ReadStores, found: readonly User[]): Promise<UserView[]> {
  const figures = await users.figures(found.map(({ id }) => id));
  return found.map((user) => {
    const own = figures.get(user.id) ?? NOTHING;
    return {
      user,
      postCount: own.posts,
      likeCount: own.likes,
      subscriberCount: own.subscribers,
      strategyCount: own.publicStrategies,
    };
  });
}

/** In the requested order, each once, without users that do not exist or were deleted. */
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
  async (
    caller: Caller,
    change: (user: User, stores: ReadStores) => User | Promise<User>,
  ): Promise<User> => {
    const { userId } = requireUser(caller);
    return unitOfWork.run(async (stores) => {
      const changed = await change(await ownUser(stores, userId), stores);
      const user = { ...changed, updatedAt: clock.now() };
      await stores.users.save(user);
      stores.answerWith(user);
      return user;
    });
  };

/** The user with that name; the empty string removes it. */
async function named(users: ReadStores['users'], user: User, name: string): Promise<User> {
  if (name === '') return { ...user, name: null, nameKey: null };
  const key = nameKey(name);
  if (key === '') throw new Refusal('invalid_field', 'name must not be blank');
  const holder = await users.findByName(key);
  if (holder && holder.id !== user.id) {
    throw new Refusal('conflict', 'another user has this name; choose another one');
  }
  return { ...user, name, nameKey: key };
}

/** Sets the given fields; an empty string clears a field. */
export const updateUserInfo =
  (core: Core) =>
  (
    caller: Caller,
    { name, ...fields }: { readonly [Field in keyof Profile | 'name']?: string | undefined },
  ): Promise<User> =>
    changeOwn(core)(caller, async (user, { users }) => {
      const given = Object.entries(fields).filter(([, value]) => value !== undefined);
      const profile = { ...user.profile, ...(Object.fromEntries(given) as Profile) };
      return { ...(name === undefined ? user : await named(users, user, name)), profile };
    });

/** Replaces the set of enabled types. */
export const updateUserNotifications =
  (core: Core) =>
  (
    caller: Caller,
    { notifications }: { readonly notifications: readonly UserNotification[] },
  ): Promise<User> =>
    changeOwn(core)(caller, (user) => ({ ...user, notifications: [...new Set(notifications)] }));
