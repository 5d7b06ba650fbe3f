import {
  type Membership,
  type StrategyId,
  type Subscription,
  type Timestamp,
  type UserId,
  endsOrRenewsAt,
  id,
} from '@slipstream/domain';
import type { SubscriptionStore } from '@slipstream/ports';
import { sql } from 'kysely';
import { build, once, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { NEWEST, type Place, byNewest, inChunks } from '../storage/lists.js';
import { pages } from '../storage/pages.js';
import { subscriptionColumns } from './columns.js';

const newestFirst = build
  .selectFrom('subscriptions')
  .selectAll()
  .orderBy('created_at', 'desc')
  .orderBy('id', 'desc');

const subscriptionById = rowBy('subscriptions', 'id');
const currentSubscription = prepared<{ strategyId: StrategyId; userId: UserId }>()((param) =>
  build
    .selectFrom('subscriptions')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .where('user_id', '=', param('userId'))
    .where('status', '<>', 'cancelled'),
);
const pageOfUser = pages('subscriptions', subscriptionColumns.load, 'user_id');
/** A few strategies are looked up one by one, which costs less than all subscriptions of the user. */
const ofUserAmong = (
  userId: UserId,
  strategyIds: readonly StrategyId[],
  after: Place,
  limit: number,
) =>
  newestFirst
    .where('user_id', '=', userId)
    .where('strategy_id', 'in', strategyIds)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(after.created_at, after.id)),
    )
    .limit(limit);
const followed = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .where('relation', '=', 'subscriber')
    .where('status', '<>', 'cancelled')
    .orderBy('id'),
);
const currentOfStrategy = prepared<{ strategyId: StrategyId; after: string; limit: number }>()(
  (param) =>
    build
      .selectFrom('subscriptions')
      .selectAll()
      .where('strategy_id', '=', param('strategyId'))
      .where('user_id', '>', param('after'))
      .where('status', '<>', 'cancelled')
      .orderBy('user_id')
      .limit(param('limit')),
);
/** Literals, so that SQLite sees that the partial indexes `subscriptions_ending` and `subscriptions_renewing` have all of them. */
const ending = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('subscriptions')
    .selectAll()
    .where('status', '<>', sql.lit('cancelled'))
    .where('ends_at', '<=', param('now'))
    .orderBy('ends_at')
    .orderBy('id')
    .limit(param('limit')),
);
const renewing = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('subscriptions')
    .selectAll()
    .where('status', '=', sql.lit('active'))
    .where('renews_at', '<=', param('now'))
    .orderBy('renews_at')
    .orderBy('id')
    .limit(param('limit')),
);
const longestDueFirst = (one: Subscription, other: Subscription): number =>
  (endsOrRenewsAt(one) ?? 0) - (endsOrRenewsAt(other) ?? 0) || (one.id < other.id ? -1 : 1);
const saveSubscription = upsert('subscriptions', subscriptionColumns, 'id');

const subscribersOf = (strategyIds: readonly StrategyId[]) =>
  build
    .selectFrom('subscriptions')
    .select(({ fn }) => ['strategy_id', fn.countAll<number>().as('subscribers')])
    .where('strategy_id', 'in', strategyIds)
    .where('relation', '=', 'subscriber')
    .where('status', 'in', ['active', 'past_due'])
    .groupBy('strategy_id');

const membershipsOf = (strategyIds: readonly StrategyId[]) =>
  build
    .selectFrom('subscriptions')
    .select(['strategy_id', 'created_at', 'id', 'ends_at', 'status'])
    .where('strategy_id', 'in', strategyIds)
    .where('relation', '=', 'subscriber')
    .where(({ eb, or }) =>
      or([
        eb('status', 'in', ['active', 'past_due']),
        eb('status', '=', 'cancelled').and('ends_at', 'is not', null),
      ]),
    )
    .orderBy('strategy_id')
    .orderBy('created_at')
    .orderBy('id');

/** A strategy may have any number of them: each piece begins behind the last row, in the order of the index. */
const membershipsAfter =
  (strategyIds: readonly StrategyId[]) => (last: Place & { readonly strategy_id: string }) =>
    once(
      membershipsOf(strategyIds).where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('strategy_id', 'created_at', 'id'),
          '>',
          tuple(last.strategy_id, last.created_at, last.id),
        ),
      ),
    );

const membershipKey = (strategyId: StrategyId, userId: UserId): string => `${strategyId}|${userId}`;

export const sqlSubscriptions = (session: Session): SubscriptionStore => ({
  find: (subscriptionId) =>
    session.find(subscriptionById(subscriptionId), subscriptionColumns.load),
  findCurrent: async (strategyId, userId) => {
    const known = session.records.get('memberships', membershipKey(strategyId, userId));
    if (known) return known.subscription;
    const row = await session.row(currentSubscription({ strategyId, userId }));
    const subscription = row && subscriptionColumns.load(row);
    session.records.read('memberships', membershipKey(strategyId, userId), { subscription });
    return subscription;
  },
  listOfUser: async (userId, page, strategyIds) => {
    if (!strategyIds) return pageOfUser(session, { user_id: userId }, page);
    const { limit, cursor } = page;
    const at = cursor === undefined ? NEWEST : await session.row(subscriptionById(cursor));
    if (!at || ('user_id' in at && at.user_id !== userId)) return [];
    const rows = await inChunks(strategyIds, (ids) =>
      session.rows(once(ofUserAmong(userId, ids, at, limit))),
    );
    return rows.map(subscriptionColumns.load).sort(byNewest).slice(0, limit);
  },
  following: async (userId) => session.all(followed({ userId }), subscriptionColumns.load),
  currentOf: (strategyId, { after, limit }) =>
    session.list(
      currentOfStrategy({ strategyId, after: after ?? '', limit }),
      subscriptionColumns.load,
    ),
  due: async (now, limit) => {
    const query = { now, limit };
    const rows = [...(await session.rows(ending(query))), ...(await session.rows(renewing(query)))];
    const found = new Map(rows.map((row) => [row.id, subscriptionColumns.load(row)]));
    return [...found.values()].toSorted(longestDueFirst).slice(0, limit);
  },
  countSubscribers: async (strategyIds) => {
    const { records } = session;
    const unknown: StrategyId[] = [];
    const counts = new Map<StrategyId, number>();
    for (const strategyId of strategyIds) {
      const known = records.get('subscribers', strategyId);
      if (known) counts.set(strategyId, known.count);
      else unknown.push(strategyId);
    }
    const rows = await inChunks(unknown, (ids) => session.rows(once(subscribersOf(ids))));
    for (const row of rows) counts.set(row.strategy_id as StrategyId, row.subscribers);
    for (const strategyId of unknown)
      records.read('subscribers', strategyId, { count: counts.get(strategyId) ?? 0 });
    return new Map([...counts].filter(([, count]) => count > 0));
  },
  memberships: async (strategyIds) => {
    const result = new Map<StrategyId, Membership[]>();
    const rows = await inChunks(strategyIds, (ids) =>
      session.all(once(membershipsOf(ids)), (row) => row, membershipsAfter(ids)),
    );
    for (const row of rows) {
      const strategyId = id<'strategy'>(row.strategy_id);
      const until = row.status === 'cancelled' ? row.ends_at : null;
      const known = result.get(strategyId);
      if (known) known.push({ since: row.created_at, until });
      else result.set(strategyId, [{ since: row.created_at, until }]);
    }
    return result;
  },
  save: async (subscription) => {
    session.write(saveSubscription(subscription));
    const { strategyId, userId } = subscription;
    session.records.written('subscribers', strategyId, undefined);
    session.records.written('memberships', membershipKey(strategyId, userId), undefined);
  },
});
