import {
  type Invoice,
  type Strategy,
  type Subscription,
  type SubscriptionId,
  type Timestamp,
  type UserId,
  deletedSource,
  endSubscription,
  expire,
  firstInvoice,
  renew,
  stopTrying,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { afterEnds, requireNoEndUnderWay } from '../strategies/ends-under-way.js';
import { addEnd } from './billed.js';
import { noSource, primarySource } from './primary-source.js';
import { notifyEnded } from './notify-money.js';

/** Ends expired subscriptions and bills the next month of the others. */
export async function dueSubscription(core: Core, subscriptionId: SubscriptionId): Promise<void> {
  const { unitOfWork, clock } = core;
  await afterEnds(core, () =>
    unitOfWork.run(async (stores) => {
      const subscription = await stores.subscriptions.find(subscriptionId);
      const now = clock.now();
      if (!subscription || subscription.status === 'cancelled') return;
      await requireNoEndOf(stores, subscription);
      if (subscription.endsAt !== null && subscription.endsAt <= now) {
        const expired = expire(subscription, now);
        await stores.subscriptions.save(expired);
        await notifyEnded(core, stores, subscription, expired);
        await addEnd(stores, subscription, expired, 'the subscription ended');
        return;
      }
      if (subscription.status === 'active' && (subscription.renewsAt ?? Infinity) <= now) {
        await billNextMonth(core, stores, subscription, now);
      }
    }),
  );
}

/** The first invoice of a priced subscription; refused if the user has no payment source. */
export async function billFirstMonth(
  { ids, clock }: Pick<Core, 'ids' | 'clock'>,
  stores: Stores,
  subscription: Subscription,
  strategy: Strategy,
): Promise<Invoice> {
  const source = await primarySource(stores, subscription.userId, 'in');
  if (!source) throw noSource();
  const beginning = { id: ids.next<'invoice'>(), subscription, strategy, sourceId: source.id };
  const invoice = firstInvoice({ ...beginning, now: clock.now() });
  await stores.invoices.save(invoice);
  return invoice;
}

async function billNextMonth(
  { ids }: Core,
  stores: Stores,
  subscription: Subscription,
  now: Timestamp,
): Promise<void> {
  const strategy = await stores.strategies.find(subscription.strategyId);
  const [newest] = await stores.invoices.listOfSubscription(subscription.id);
  if (!strategy || !newest) throw new Error(`subscription ${subscription.id} was never billed`);
  const source = await primarySource(stores, subscription.userId, 'in');
  const sourceId = source?.id ?? newest.sourceId;
  const beginning = { id: ids.next<'invoice'>(), subscription, strategy, sourceId, now };
  const next = renew(beginning, newest);
  if (next.invoice) await stores.invoices.save(next.invoice);
  await stores.subscriptions.save(next.subscription);
}

/** Ends a priced subscription for the caller: a paid month runs to its end, and nothing more is charged. */
export async function endPaidSubscription(
  { invoices, subscriptions }: Pick<Stores, 'invoices' | 'subscriptions'>,
  subscription: Subscription,
  now: Timestamp,
): Promise<Subscription> {
  const billed = await invoices.listOfSubscription(subscription.id);
  const ended = endSubscription(subscription, billed[0], now);
  await subscriptions.save(ended);
  for (const invoice of billed) await saveChanged(invoices, invoice, stopTrying(invoice, now));
  return ended;
}

/** For a deleted user: no name or address is left, and the gateway is to remove them. */
export async function removeSources(
  { paymentSources }: Pick<Stores, 'paymentSources'>,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  for (const source of await paymentSources.listOf(userId))
    if (source.status !== 'deleted') await paymentSources.save(deletedSource(source, now));
}

/** Completes a running end of the strategy before any change of a subscription. */
export async function requireNoEndOf(
  { strategies }: Pick<ReadStores, 'strategies'>,
  { strategyId }: Subscription,
): Promise<void> {
  const strategy = await strategies.find(strategyId);
  if (strategy) requireNoEndUnderWay(strategy);
}

export async function saveChanged(
  invoices: Stores['invoices'],
  before: Invoice,
  after: Invoice,
): Promise<void> {
  if (after !== before) await invoices.save(after);
}
