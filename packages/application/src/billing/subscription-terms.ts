import {
  type Invoice,
  type Strategy,
  type Subscription,
  type SubscriptionId,
  type Timestamp,
  type UserId,
  endSubscription,
  expire,
  firstInvoice,
  refundRunningMonth,
  renew,
  stopTrying,
} from '@slipstream/domain';
import type { Page, Stores } from '@slipstream/ports';
import { everyItem } from '../every-item.js';
import type { Core } from '../core.js';
import { bookReversal } from './ledger.js';
import { noSource, primarySource } from './primary-source.js';

/** Ends what has come to its end and bills the next month of what goes on. */
export async function dueSubscription(core: Core, subscriptionId: SubscriptionId): Promise<void> {
  const { unitOfWork, clock, events } = core;
  const ended = await unitOfWork.run(async (stores) => {
    const subscription = await stores.subscriptions.find(subscriptionId);
    const now = clock.now();
    if (!subscription || subscription.status === 'cancelled') return undefined;
    if (subscription.endsAt !== null && subscription.endsAt <= now) {
      await stores.subscriptions.save(expire(subscription, now));
      return subscription;
    }
    if (subscription.status === 'active' && (subscription.renewsAt ?? Infinity) <= now) {
      await billNextMonth(core, stores, subscription, now);
    }
    return undefined;
  });
  if (!ended) return;
  const { userId, strategyId } = ended;
  events.publish({ kind: 'access_changed', userId, strategyId, reason: 'the subscription ended' });
}

/** The invoice that a priced subscription begins with; refused without anything to pay with. */
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
  await stores.invoices.save(next.invoice);
  await stores.subscriptions.save(next.subscription);
}

/** The caller ends a priced subscription: a paid one stays until its end; nothing more is charged. */
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

/** The strategy is deleted: nothing more is charged, the running month is given back (contract 5, "Billing"). */
export async function refundDeleted(
  core: Pick<Core, 'ids'>,
  stores: Pick<Stores, 'invoices' | 'earnings'>,
  subscription: Subscription,
  now: Timestamp,
): Promise<void> {
  for (const invoice of await stores.invoices.listOfSubscription(subscription.id)) {
    const next = refundRunningMonth(invoice, now);
    await saveChanged(stores.invoices, invoice, next);
    if (next.refundOwed && !invoice.refundOwed)
      await bookReversal(core, stores, next, 'refund', now);
  }
}

/** The user is deleted: nothing more is charged, and no name or address is left. */
export async function endPayments(
  { invoices, paymentSources, subscriptions }: Stores,
  userId: UserId,
  now: Timestamp,
): Promise<void> {
  const list = (page: Page) => subscriptions.listOfUser(userId, page);
  for (const { id } of await everyItem(list)) {
    for (const invoice of await invoices.listOfSubscription(id)) {
      await saveChanged(invoices, invoice, stopTrying(invoice, now));
    }
  }
  for (const source of await paymentSources.listOf(userId)) {
    if (source.status === 'deleted') continue;
    const gone = { status: 'deleted', sealedDetails: null, primary: false } as const;
    await paymentSources.save({ ...source, ...gone, updatedAt: now });
  }
}

async function saveChanged(
  invoices: Stores['invoices'],
  before: Invoice,
  after: Invoice,
): Promise<void> {
  if (after !== before) await invoices.save(after);
}
