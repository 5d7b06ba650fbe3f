import {
  type Book,
  Refusal,
  type Strategy,
  type StrategyId,
  type Subscription,
  type UserId,
  givesAccess,
  id,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Caller, UserCaller } from '../caller.js';
import type { LiveState } from '../market/live-state.js';

type Reads = Pick<ReadStores, 'strategies' | 'subscriptions'>;

/** The caller, when it is a user. */
export function requireUser(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw new Refusal('unauthenticated', 'a user token is needed');
  return caller;
}

const userIdOf = (caller: Caller): UserId | undefined =>
  caller.kind === 'user' ? caller.userId : undefined;

/** A strategy that the caller may not see is refused as one that does not exist. */
const noSuchStrategy = (strategyId: string, hides: boolean): Refusal =>
  new Refusal('not_found', `strategy ${strategyId} does not exist`, hides);

/**
 * Active subscribers and the owner see orders, positions and trades: subscribers pay for them (contract 5). So do
 * subscribers whose renewal is being retried.
 */
export const isActive = (subscription: Subscription | undefined): boolean =>
  subscription !== undefined && givesAccess(subscription);

/** A private strategy is visible to its owner, active subscribers and invited users (contract 2). */
function isVisible(
  strategy: Strategy,
  userId: UserId | undefined,
  subscription: Subscription | undefined,
): boolean {
  if (strategy.deletedAt !== null) return false;
  if (!strategy.private) return true;
  if (userId === undefined) return false;
  return (
    strategy.userId === userId || strategy.invitedUserIds.includes(userId) || isActive(subscription)
  );
}

async function subscriptionOf(
  stores: Reads,
  strategyId: StrategyId,
  userId: UserId | undefined,
): Promise<Subscription | undefined> {
  return userId && (await stores.subscriptions.findCurrent(strategyId, userId));
}

/** Whether the user may see the strategy and its values; undefined stands for somebody who is not signed in. */
export async function isVisibleTo(
  stores: Reads,
  userId: UserId | undefined,
  strategy: Strategy,
): Promise<boolean> {
  const subscription = strategy.private
    ? await subscriptionOf(stores, strategy.id, userId)
    : undefined;
  return isVisible(strategy, userId, subscription);
}

/** Whether the user may know what the strategy is called now, or was called in the end: what is told of a deleted one names it. */
export async function mayKnowName(
  stores: Reads,
  userId: UserId,
  strategyId: StrategyId,
): Promise<boolean> {
  const strategy = await stores.strategies.find(strategyId);
  return strategy !== undefined && isVisibleTo(stores, userId, { ...strategy, deletedAt: null });
}

/** The strategies that the caller may see, in the requested order, each once. */
export async function visibleStrategies(
  stores: Reads,
  caller: Caller,
  strategyIds: readonly string[],
): Promise<Strategy[]> {
  const userId = userIdOf(caller);
  const found = await stores.strategies.list(strategyIds.map((text) => id<'strategy'>(text)));
  const visible: Strategy[] = [];
  for (const strategy of found)
    if (await isVisibleTo(stores, userId, strategy)) visible.push(strategy);
  return visible;
}

/** The strategy, when the caller may see it. Otherwise refuses it as one that does not exist. */
export async function visibleStrategy(
  stores: Reads,
  caller: Caller,
  strategyId: string,
): Promise<Strategy> {
  const strategy = await stores.strategies.find(id(strategyId));
  if (strategy && (await isVisibleTo(stores, userIdOf(caller), strategy))) return strategy;
  throw noSuchStrategy(strategyId, strategy?.deletedAt === null);
}

/** The strategy, when the caller owns it: only the owner places and cancels. */
export async function ownStrategy(
  stores: Reads,
  caller: Caller,
  strategyId: string,
): Promise<Strategy> {
  const { userId } = requireUser(caller);
  const strategy = await visibleStrategy(stores, caller, strategyId);
  if (strategy.userId !== userId) {
    throw new Refusal('not_owner', 'only the owner of the strategy may do this');
  }
  return strategy;
}

/** Refuses a strategy that has ended: it takes no orders, cancels or followers (contract 7b.9). */
export function requireGoesOn({ id: strategyId, endedAt }: Strategy): void {
  if (endedAt === null) return;
  throw new Refusal(
    'strategy_ended',
    `strategy ${strategyId} is over: its value was at or below zero`,
  );
}

/** The caller's own strategy, unless it has ended. */
export async function tradedStrategy(
  stores: Reads,
  caller: Caller,
  strategyId: string,
): Promise<Strategy> {
  const strategy = await ownStrategy(stores, caller, strategyId);
  requireGoesOn(strategy);
  return strategy;
}

/** Whether the user is the strategy's owner or an active subscriber. */
export async function isFollowedBy(
  stores: Reads,
  userId: UserId | undefined,
  { id: strategyId, userId: ownerId }: Strategy,
): Promise<boolean> {
  return userId === ownerId || isActive(await subscriptionOf(stores, strategyId, userId));
}

/** Whether the caller is the strategy's owner or an active subscriber. */
export const isFollower = (stores: Reads, caller: Caller, strategy: Strategy): Promise<boolean> =>
  isFollowedBy(stores, userIdOf(caller), strategy);

/** The strategy, when the caller is its owner or an active subscriber. */
export async function followedStrategy(
  stores: Reads,
  caller: Caller,
  strategyId: string,
): Promise<Strategy> {
  requireUser(caller);
  const strategy = await visibleStrategy(stores, caller, strategyId);
  if (!(await isFollower(stores, caller, strategy))) {
    throw new Refusal(
      'not_owner',
      'only the owner and active subscribers of the strategy may see this',
    );
  }
  return strategy;
}

/**
 * The book as the market in memory knows it, unless that is an older one. A book that was read may be from before a split that has
 * ended since: at the prices in new shares it would have another value.
 */
export function atPresent({ live }: { readonly live: Pick<LiveState, 'book'> }, read: Book): Book {
  const known = live.book(read.strategyId);
  return known && known.version >= read.version ? known : read;
}

/** The book of a strategy that exists. */
export async function bookOf(
  stores: Pick<ReadStores, 'books'>,
  strategyId: StrategyId,
): Promise<Book> {
  const book = await stores.books.find(strategyId);
  if (!book) throw new Error(`strategy ${strategyId} has no book`);
  return book;
}
