import { strategyIdOf } from '../many-strategies.js';

/** The amounts that each cap allows, and for data without a cap the amounts of several years. */
export interface Much {
  readonly strategies: number;
  readonly followers: number;
  readonly openOrders: number;
  readonly following: number;
  readonly posts: number;
  readonly notifications: number;
  readonly alerts: number;
  readonly tokens: number;
  readonly invoices: number;
  /** Days of value history. */
  readonly days: number;
}

/** The amounts of contract 16's caps. */
export const AT_THE_CAPS: Much = {
  strategies: 100,
  followers: 5_000,
  openOrders: 990,
  following: 500,
  posts: 10_000,
  notifications: 1_000,
  alerts: 20_000,
  tokens: 98,
  invoices: 5_000,
  days: 1_826,
};

/** Small amounts for development. */
export const A_TENTH: Much = {
  strategies: 100,
  followers: 500,
  openOrders: 200,
  following: 100,
  posts: 1_000,
  notifications: 1_000,
  alerts: 2_000,
  tokens: 98,
  invoices: 500,
  days: 200,
};

/** A user with the maximum of everything. The ids follow from the user's number. */
export interface Whale {
  readonly userId: string;
  readonly email: string;
  readonly strategyIds: readonly string[];
  /** The strategies with all open orders, in the deepest chains: one for each operation that closes them. */
  readonly crowded: readonly [string, string, string];
  /** The strategy with all paying followers. */
  readonly followed: string;
  readonly orderIds: readonly string[];
  readonly userIds: readonly string[];
  readonly notificationIds: readonly string[];
  readonly postIds: readonly string[];
  readonly tokenIds: readonly string[];
  readonly invoiceIds: readonly string[];
  readonly sourceId: string;
  /** Owned by another user. */
  readonly followedByWhale: string;
  readonly notFollowedYet: string;
}

export const PASSWORD = 'the password of a whale';

/** Strategies from here on belong to no whale. */
export const OTHERS = 900;

export const whaleOf = (number: number, much: Much): Whale => {
  const ids = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${kind}-${number}-${index}`);
  const strategyIds = Array.from({ length: much.strategies }, (_, index) =>
    strategyIdOf(number * much.strategies + index),
  );
  const [first, followed, second, third] = strategyIds;
  if (!first || !followed || !second || !third) throw new Error('a whale needs strategies');
  return {
    userId: `whale-${number}`,
    email: `whale-${number}@example.com`,
    strategyIds,
    crowded: [first, second, third],
    followed,
    orderIds: Array.from({ length: much.openOrders }, (_, index) => `order-${first}-${index}`),
    userIds: ids('follower', much.followers),
    notificationIds: ids('notification', much.notifications),
    postIds: ids('post', much.posts),
    tokenIds: ids('token', much.tokens),
    invoiceIds: ids('invoice', much.invoices),
    sourceId: `source-${number}`,
    followedByWhale: strategyIdOf(OTHERS - 1),
    notFollowedYet: strategyIdOf(OTHERS),
  };
};
