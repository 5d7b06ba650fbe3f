import {
  type OpenOrder,
  type StrategyId,
  type UserId,
  type ValueBucket,
  decimal,
  id,
  MINUTE,
  HOUR,
  DAY,
} from '@slipstream/domain';
import {
  aBucket,
  aNotification,
  aPaymentSource,
  aPost,
  aRefusedAlert,
  aSubscription,
  aToken,
  aUser,
  aWithdrawal,
  anAlertRecord,
  anEarning,
  anInvoice,
  anOrder,
} from '@slipstream/port-contracts/builders';
import type { Stores, UnitOfWork } from '@slipstream/ports';
import { stockIdOf, strategyIdOf } from '../many-strategies.js';
import { type Much, OTHERS, PASSWORD, type Whale, whaleOf } from './whale.js';

/** The length of a chain of dependent orders. */
const DEEP = 100;
/** The number of rows in one transaction. */
const ROWS = 2_000;

/** Text with the maximum length of a field. */
const long = (length: number): string => 'words '.repeat(length / 6).padEnd(length, '.');

/** Buckets without gaps: minutes for a day, quarter-hours for a week, hours for 90 days, then days. */
function historyOf(now: number, days: number): ValueBucket[] {
  const lengths = [
    [MINUTE, DAY],
    [15 * MINUTE, 7 * DAY],
    [HOUR, 90 * DAY],
    [DAY, days * DAY],
  ] as const;
  const buckets: ValueBucket[] = [];
  let end = now - (now % DAY);
  for (const [length, until] of lengths)
    for (; now - end < until; end -= length) {
      const last = decimal(`1.${String(buckets.length).padStart(6, '0')}`);
      const start = end - length;
      buckets.push(aBucket({ start, length, last, lastAt: end - 1, high: last, low: last }));
    }
  return buckets;
}

/** Writes a whale into a database of `manyStrategies`. */
export async function makeWhale(
  { run }: UnitOfWork,
  number: number,
  much: Much,
  now: number,
): Promise<Whale> {
  const whale = whaleOf(number, much);
  const userId = id<'user'>(whale.userId);
  const followed = id<'strategy'>(whale.followed);
  const each = async (count: number, write: (stores: Stores, index: number) => Promise<void>) => {
    for (let from = 0; from < count; from += ROWS)
      await run(async (stores) => {
        for (let index = from; index < Math.min(count, from + ROWS); index += 1)
          await write(stores, index);
      });
  };
  const nth = (ids: readonly string[], index: number): string => ids[index % ids.length] as string;
  const at = (index: number): number => now - 30 * DAY + index;

  await each(1, ({ users }) =>
    users.save(
      aUser({
        id: userId,
        email: whale.email,
        passwordHash: `hash of ${PASSWORD}`,
        createdAt: now,
      }),
    ),
  );
  await each(much.strategies, async ({ strategies, subscriptions }, index) => {
    const strategyId = id<'strategy'>(nth(whale.strategyIds, index));
    const strategy = await strategies.find(strategyId);
    if (!strategy) throw new Error(`there is no strategy ${strategyId}`);
    await strategies.save({
      ...strategy,
      userId,
      name: long(100),
      description: long(2000),
      categories: Array.from({ length: 10 }, (_, label) => `${label}${long(31)}`.slice(0, 32)),
      price: strategyId === whale.followed ? 10 : 0,
      createdAt: now - 365 * DAY,
    });
    await subscriptions.save(
      aSubscription({ id: id(`owner-${strategyId}`), strategyId, userId, relation: 'owner' }),
    );
  });
  const history = historyOf(now, much.days);
  for (const strategyId of whale.strategyIds)
    await each(history.length, ({ valueHistory }, index) =>
      valueHistory.save(id(strategyId), history[history.length - 1 - index] as ValueBucket),
    );
  await each(much.followers, (stores, index) =>
    follow(stores, { name: `${number}-${index}`, strategyId: followed, ownerId: userId, now }),
  );
  await each(much.following, ({ subscriptions }, index) =>
    subscriptions.save(
      aSubscription({
        id: id(`follows-${number}-${index}`),
        strategyId: strategyIdOf(OTHERS - 1 - (index % much.strategies)),
        userId,
        status: index < much.strategies ? 'active' : 'cancelled',
        createdAt: at(index),
      }),
    ),
  );
  for (const strategyId of whale.crowded) await fillBook(run, strategyId, much.openOrders, now);
  await each(much.posts, async ({ posts, likes }, index) => {
    const post = aPost({ id: id(nth(whale.postIds, index)), userId, createdAt: at(index) });
    await posts.save({ ...post, text: long(2000) });
    await likes.save({ postId: post.id, userId, createdAt: at(index) });
  });
  await each(much.notifications, ({ notifications }, index) =>
    notifications.save(
      aNotification({ id: id(nth(whale.notificationIds, index)), userId, createdAt: at(index) }),
    ),
  );
  await each(much.alerts, ({ alerts }, index) => {
    const alertOf = index % 2 === 0 ? anAlertRecord : aRefusedAlert;
    const body = JSON.stringify({ comment: long(1_500) });
    const strategyId = id<'strategy'>(nth(whale.strategyIds, index % 2));
    const fingerprint = null;
    const alertId = id<'alert_record'>(`alert-${number}-${index}`);
    return alerts.add(
      alertOf({ id: alertId, userId, strategyId, body, fingerprint, createdAt: at(index) }),
    );
  });
  await each(much.tokens, ({ tokens }, index) =>
    tokens.save(aToken({ id: id(nth(whale.tokenIds, index)), userId, createdAt: at(index) })),
  );
  const sourceId = id<'payment_source'>(whale.sourceId);
  await each(1, ({ paymentSources, withdrawals }) =>
    paymentSources
      .save(aPaymentSource({ id: sourceId, userId, sealedDetails: null }))
      .then(() =>
        withdrawals.save(aWithdrawal({ id: id(`withdrawal-${number}`), userId, status: 'paid' })),
      ),
  );
  await each(much.invoices, ({ invoices }, index) =>
    invoices.save(
      anInvoice({
        id: id(nth(whale.invoiceIds, index)),
        userId,
        sourceId,
        strategyId: followed,
        subscriptionId: id(`paid-${number}`),
        createdAt: at(index),
      }),
    ),
  );
  return whale;
}

/** A paying follower with the invoice of the running month. */
async function follow(
  { users, subscriptions, invoices, earnings, paymentSources }: Stores,
  {
    name,
    strategyId,
    ownerId,
    now,
  }: {
    readonly name: string;
    readonly strategyId: StrategyId;
    readonly ownerId: UserId;
    readonly now: number;
  },
): Promise<void> {
  const userId = id<'user'>(`follower-${name}`);
  const subscriptionId = id<'subscription'>(`follower-${name}`);
  // The month has just begun, so a deletion refunds all of it and the owner can be deleted.
  const begun = now + HOUR;
  await users.save(aUser({ id: userId }));
  await paymentSources.save(
    aPaymentSource({ id: id(`card-${name}`), userId, sealedDetails: null }),
  );
  await subscriptions.save(
    aSubscription({
      id: subscriptionId,
      strategyId,
      userId,
      price: 10,
      renewsAt: now + 29 * DAY,
      createdAt: begun,
    }),
  );
  await invoices.save(
    anInvoice({
      id: id(`month-${name}`),
      userId,
      subscriptionId,
      strategyId,
      sourceId: id(`card-${name}`),
      amount: decimal('10'),
      anchorAt: begun,
      firstAttemptAt: begun,
      createdAt: begun,
    }),
  );
  await earnings.save(
    anEarning({
      id: id(`sale-${name}`),
      userId: ownerId,
      invoiceId: id(`month-${name}`),
      amount: decimal('8'),
      commission: decimal('2'),
      settlesAt: now + 37 * DAY,
      createdAt: begun,
    }),
  );
}

/** Orders that never fill; each waits for the one before it. */
async function fillBook(
  run: UnitOfWork['run'],
  crowded: string,
  count: number,
  now: number,
): Promise<void> {
  await run(async ({ books }) => {
    const strategyId = id<'strategy'>(crowded);
    const book = await books.find(strategyId);
    if (!book) throw new Error('a whale needs a book');
    const nameOf = (index: number): string => `order-${crowded}-${index}`;
    const openOrders = Array.from({ length: count }, (_, index): OpenOrder =>
      anOrder({
        id: id(nameOf(index)),
        strategyId,
        stockId: stockIdOf(index % 100),
        pricing: { type: 'limit', price: decimal('1') },
        dependsOn: index % DEEP === 0 ? [] : [id(nameOf(index - 1))],
        createdAt: now - DAY,
      }),
    );
    const changes = openOrders.map((order) => ({ kind: 'opened', order }) as const);
    await books.save({ ...book, version: book.version + 1, openOrders }, changes);
  });
}
