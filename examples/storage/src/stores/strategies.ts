import { type StrategyId, type Subscription, endsOrRenewsAt } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { type Tables, byId, dueBy, pageOf } from '../table.js';

type StrategyStores = Pick<Stores, 'strategies' | 'subscriptions' | 'claimedHistories'>;

/** Whether it is one of the strategy's subscribers. */
export const counts = ({ relation, status }: Subscription): boolean =>
  relation === 'subscriber' && (status === 'active' || status === 'past_due');

const isCurrent = ({ status }: Subscription): boolean => status !== 'cancelled';

export const strategyStores = ({
  strategies,
  subscriptions,
  claimedHistories,
}: Tables): StrategyStores => {
  const countedOf = (
    strategyIds: readonly StrategyId[],
    count: (ofStrategy: readonly Subscription[]) => number,
  ): ReadonlyMap<StrategyId, number> =>
    new Map(
      strategyIds
        .map(
          (id) => [id, count(subscriptions.where(({ strategyId }) => strategyId === id))] as const,
        )
        .filter(([, number]) => number !== 0),
    );
  return {
    strategies: {
      find: async (strategyId) => strategies.get(strategyId),
      list: async (strategyIds) =>
        [...new Set(strategyIds)].flatMap((strategyId) => strategies.get(strategyId) ?? []),
      ownedBy: async (userId, page) =>
        pageOf(
          strategies.where((strategy) => strategy.userId === userId),
          page,
          ({ deletedAt }) => deletedAt === null,
        ),
      live: async () => byId(strategies.where(({ deletedAt }) => deletedAt === null)),
      belowZero: async () =>
        byId(
          strategies.where(
            ({ deletedAt, belowZeroFor, endedAt }) =>
              deletedAt === null && (belowZeroFor > 0 || endedAt !== null),
          ),
        ),
      endsUnderWay: async () => byId(strategies.where(({ endUnderWay }) => endUnderWay !== null)),
      segmentsOpening: async () =>
        byId(
          strategies.where(
            ({ deletedAt, segmentOpening }) => deletedAt === null && segmentOpening !== null,
          ),
        ),
      alertsDue: async (now, limit) =>
        dueBy(
          strategies.where(() => true),
          ({ alertDueAt }) => alertDueAt,
          now,
          limit,
        ),
      save: async (strategy) => strategies.set(strategy.id, strategy),
    },
    claimedHistories: {
      find: async (strategyId) => claimedHistories.get(strategyId),
      save: async (strategyId, points) => claimedHistories.set(strategyId, points),
      remove: async (strategyId) => claimedHistories.delete(strategyId),
    },
    subscriptions: {
      find: async (subscriptionId) => subscriptions.get(subscriptionId),
      findCurrent: async (strategyId, userId) =>
        subscriptions.where(
          (one) => one.strategyId === strategyId && one.userId === userId && isCurrent(one),
        )[0],
      listOfUser: async (userId, page, strategyIds) =>
        pageOf(
          subscriptions.where((one) => one.userId === userId),
          page,
          ({ strategyId }) => strategyIds?.includes(strategyId) ?? true,
        ),
      following: async (userId) =>
        byId(
          subscriptions.where(
            (one) => one.userId === userId && one.relation === 'subscriber' && isCurrent(one),
          ),
        ),
      currentOf: async (strategyId, { after, limit }) =>
        subscriptions
          .where(
            (one) =>
              one.strategyId === strategyId &&
              isCurrent(one) &&
              (after === null || one.userId > after),
          )
          .sort((one, other) => (one.userId < other.userId ? -1 : 1))
          .slice(0, limit),
      due: async (now, limit) =>
        dueBy(
          subscriptions.where(() => true),
          endsOrRenewsAt,
          now,
          limit,
        ),
      countSubscribers: async (strategyIds) =>
        countedOf(strategyIds, (all) => all.filter(counts).length),
      memberships: async (strategyIds) =>
        new Map(
          [...new Set(strategyIds)].flatMap((strategyId) => {
            const found = subscriptions
              .where((one) => one.strategyId === strategyId && one.relation === 'subscriber')
              .filter((one) => counts(one) || (!isCurrent(one) && one.endsAt !== null))
              .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
              .map((one) => ({
                since: one.createdAt,
                until: isCurrent(one) ? null : one.endsAt,
              }));
            return found.length > 0 ? [[strategyId, found]] : [];
          }),
        ),
      save: async (one) => {
        const [other] = subscriptions.where(
          ({ id, strategyId, userId, status }) =>
            id !== one.id &&
            strategyId === one.strategyId &&
            userId === one.userId &&
            status !== 'cancelled',
        );
        if (other && isCurrent(one)) throw new Error('the user follows the strategy already');
        subscriptions.set(one.id, one);
      },
    },
  };
};
