import {
  type Membership,
  type StrategyId,
  type Subscription,
  endsOrRenewsAt,
} from '@slipstream/domain';
import type { StrategyStore, SubscriptionStore } from '@slipstream/ports';
import { byId, byNewest, due, page, pick } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryStrategies = ({ strategies }: Tables): StrategyStore => ({
  find: async (strategyId) => strategies.get(strategyId),
  list: async (strategyIds) => pick(strategyIds, (strategyId) => strategies.get(strategyId)),
  ownedBy: async (userId, wanted) => {
    const own = strategies.values().filter((strategy) => strategy.userId === userId);
    return page(
      own.filter(({ deletedAt }) => deletedAt === null),
      wanted,
      (cursor) => own.find(({ id }) => id === cursor),
    );
  },
  live: async () =>
    strategies
      .values()
      .filter((strategy) => strategy.deletedAt === null)
      .toSorted(byId),
  belowZero: async () =>
    strategies
      .values()
      .filter(
        ({ deletedAt, belowZeroFor, endedAt }) =>
          deletedAt === null && (belowZeroFor > 0 || endedAt !== null),
      )
      .toSorted(byId),
  endsUnderWay: async () =>
    strategies
      .values()
      .filter(({ endUnderWay }) => endUnderWay !== null)
      .toSorted(byId),
  segmentsOpening: async () =>
    strategies
      .values()
      .filter(({ deletedAt, segmentOpening }) => deletedAt === null && segmentOpening !== null)
      .toSorted(byId),
  alertsDue: async (now, limit) =>
    due(strategies.values(), ({ alertDueAt }) => alertDueAt, now, limit),
  save: async (strategy) => strategies.set(strategy.id, strategy),
});

export const countsAsSubscriber = ({ relation, status }: Subscription): boolean =>
  relation === 'subscriber' && (status === 'active' || status === 'past_due');

export const memorySubscriptions = ({ subscriptions, refuse }: Tables): SubscriptionStore => {
  const select = (holds: (subscription: Subscription) => boolean): Subscription[] =>
    subscriptions.values().filter(holds).toSorted(byNewest);
  const current = ({ strategyId, userId }: Pick<Subscription, 'strategyId' | 'userId'>) =>
    subscriptions
      .values()
      .find(
        (subscription) =>
          subscription.strategyId === strategyId &&
          subscription.userId === userId &&
          subscription.status !== 'cancelled',
      );

  return {
    find: async (subscriptionId) => subscriptions.get(subscriptionId),
    findCurrent: async (strategyId, userId) => current({ strategyId, userId }),
    listOfUser: async (userId, wanted, strategyIds) => {
      const own = select((subscription) => subscription.userId === userId);
      return page(
        own.filter(({ strategyId }) => strategyIds?.includes(strategyId) ?? true),
        wanted,
        (cursor) => own.find(({ id }) => id === cursor),
      );
    },
    following: async (userId) =>
      subscriptions
        .values()
        .filter(
          (one) =>
            one.userId === userId && one.relation === 'subscriber' && one.status !== 'cancelled',
        )
        .toSorted(byId),
    currentOf: async (strategyId, { after, limit }) =>
      subscriptions
        .values()
        .filter(
          (one) =>
            one.strategyId === strategyId &&
            one.status !== 'cancelled' &&
            (after === null || one.userId > after),
        )
        .toSorted((one, other) => (one.userId < other.userId ? -1 : 1))
        .slice(0, limit),
    due: async (now, limit) => due(subscriptions.values(), endsOrRenewsAt, now, limit),
    countSubscribers: async (strategyIds) => {
      const asked = new Set(strategyIds);
      const result = new Map<StrategyId, number>();
      for (const subscription of subscriptions.values()) {
        const { strategyId } = subscription;
        if (!asked.has(strategyId) || !countsAsSubscriber(subscription)) continue;
        result.set(strategyId, (result.get(strategyId) ?? 0) + 1);
      }
      return result;
    },
    memberships: async (strategyIds) => {
      const asked = new Set(strategyIds);
      const found = subscriptions
        .values()
        .filter((one) => asked.has(one.strategyId) && one.relation === 'subscriber')
        .filter((one) => countsAsSubscriber(one) || (one.status === 'cancelled' && one.endsAt))
        .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
      const result = new Map<StrategyId, Membership[]>();
      for (const { strategyId, createdAt: since, status, endsAt } of found) {
        const until = status === 'cancelled' ? endsAt : null;
        const known = result.get(strategyId);
        if (known) known.push({ since, until });
        else result.set(strategyId, [{ since, until }]);
      }
      return result;
    },
    save: async (subscription) => {
      const other = current(subscription);
      if (subscription.status !== 'cancelled' && other && other.id !== subscription.id)
        refuse('the user has a subscription to this strategy that is not cancelled');
      subscriptions.set(subscription.id, subscription);
    },
  };
};
