import {
  type AttemptAnswer,
  type Invoice,
  type InvoiceId,
  type PaymentSource,
  type Strategy,
  attemptKey,
  beginAttempt,
  dueAtOf,
  isHalfOver,
  isRetryable,
  isoMinute,
  monthBegan,
  paidUntil,
  recordAttempt,
  statusOf,
  taskOf,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { afterEnds } from '../strategies/ends-under-way.js';
import { notify } from '../messages/notify.js';
import { notifyOfSubscriber } from '../messages/notify-of-subscriber.js';
import { addEnd, requireBilled } from './billed.js';
import { bookChange, bookSale } from './ledger.js';
import { primarySource } from './primary-source.js';
import { notifyDeclined, notifyEnded, notifyLatePayment } from './notify-money.js';

interface Attempt {
  readonly invoice: Invoice;
  readonly isAgain: boolean;
  /** Whether the month is half over: only what came of the attempt is asked. */
  readonly isLookup: boolean;
  /** Undefined if the user has no payment source. */
  readonly source: PaymentSource | undefined;
  readonly strategy: Strategy;
}

/**
 * One attempt of a due charge; before its time none is made, whoever asks. The intent is stored before the gateway is called,
 * the answer after. Without an answer the same attempt is due again, with the same key. A month that is half over meanwhile is not
 * charged any more; of a first one that ends the subscription. If the source was removed meanwhile, the one in its place is charged at once.
 */
export async function chargeInvoice(core: Core, invoiceId: InvoiceId): Promise<void> {
  const begun = await afterEnds(core, () =>
    core.unitOfWork.run((stores) => begin(core, stores, invoiceId)),
  );
  if (!begun) return;
  const answer = await ask(core, begun);
  const isReplaced = await afterEnds(core, () =>
    core.unitOfWork.run((stores) => record(core, stores, begun, answer)),
  );
  if (isReplaced) await chargeInvoice(core, invoiceId);
}

async function begin(
  { clock }: Core,
  stores: Stores,
  invoiceId: InvoiceId,
): Promise<Attempt | undefined> {
  const before = await stores.invoices.find(invoiceId);
  if (!before || taskOf(before) !== 'charge') return undefined;
  const now = clock.now();
  const isAgain = before.state.kind === 'charging';
  // A gateway that posts each declined charge must not cause the next attempt.
  if (!isAgain && (dueAtOf(before) ?? Infinity) > now) return undefined;
  const { strategy } = await requireBilled(stores, before);
  const isLookup = isHalfOver(before, now);
  const source = isAgain
    ? await stores.paymentSources.find(before.sourceId)
    : await primarySource(stores, before.userId, 'in');
  const invoice = beginAttempt(before, source?.id ?? before.sourceId, now);
  await stores.invoices.save(invoice);
  return { invoice, isAgain, isLookup, source, strategy };
}

async function ask(
  { paymentGateway }: Core,
  { invoice, isAgain, isLookup, source, strategy }: Attempt,
): Promise<AttemptAnswer> {
  if (!source && isLookup) return { kind: 'not_made' };
  if (!source) return { kind: 'declined', reason: 'there is no payment source' };
  return paymentGateway.charge({
    key: attemptKey(invoice),
    amount: invoice.amount,
    isAgain,
    isLookup,
    sourceRef: source.gatewayRef,
    invoiceId: invoice.id,
    paysFor: {
      subscriptionId: invoice.subscriptionId,
      month: invoice.month,
      since: monthBegan(invoice),
    },
    attemptsBefore: invoice.attempts - 1,
    description: invoice.description,
    product: { id: strategy.productId, name: strategy.name },
  });
}

/** Returns whether another source is to be charged. */
async function record(
  core: Core,
  stores: Stores,
  { invoice: begun, strategy }: Attempt,
  given: AttemptAnswer,
): Promise<boolean> {
  const current = await stores.invoices.find(begun.id);
  if (current?.state.kind !== 'charging' || current.attempts !== begun.attempts) return false;
  const isReplaced = given.kind === 'declined' && (await hasOtherSource(stores, current));
  const answer = isReplaced ? ({ kind: 'replaced' } as const) : given;
  const now = core.clock.now();
  const { subscription: before } = await requireBilled(stores, current);
  const { invoice, subscription: after } = recordAttempt(
    { invoice: current, subscription: before },
    answer,
    now,
  );
  await stores.invoices.save(invoice);
  await stores.subscriptions.save(after);
  if (statusOf(invoice) === 'paid') await bookPaid(core, stores, invoice, strategy);
  // Neither: the renewal is half over, and nothing of it is asked for any more.
  else if (answer.kind === 'declined' && (isRetryable(invoice) || after.status === 'cancelled'))
    await notifyDeclined(core, stores, invoice);
  else if (answer.kind === 'not_made') await notifyEnded(core, stores, before, after);
  await addEnd(stores, before, after, 'the subscription was not paid');
  return isReplaced;
}

/** Whether the source of the attempt was removed meanwhile, and another one is in its place. */
async function hasOtherSource(stores: Stores, { sourceId, userId }: Invoice): Promise<boolean> {
  const source = await stores.paymentSources.find(sourceId);
  if (source?.status !== 'deleted') return false;
  return (await primarySource(stores, userId, 'in')) !== undefined;
}

async function bookPaid(
  core: Core,
  stores: Stores,
  invoice: Invoice,
  strategy: Strategy,
): Promise<void> {
  const now = core.clock.now();
  await bookSale(core, stores, invoice, now);
  if (invoice.state.kind === 'refunding') {
    await bookChange(core, stores, invoice, { kind: 'refund' }, now);
    await notifyLatePayment(core, stores, invoice);
  } else await notifyPaid(core, stores, invoice, strategy);
}

/** Notifies the payer of the payment, and in the first month the owner of the new subscriber. */
async function notifyPaid(
  core: Core,
  stores: Stores,
  invoice: Invoice,
  strategy: Strategy,
): Promise<void> {
  const end = paidUntil(invoice);
  const until = end === null ? '' : `, until ${isoMinute(end)}`;
  await notify(core, stores, {
    userId: invoice.userId,
    types: ['payment_complete_email'],
    text: `You paid ${invoice.amount.toFixed(2)} USD for ${invoice.description}${until}.`,
    strategyId: strategy.id,
  });
  if (invoice.month === 1) await notifyOfSubscriber(core, stores, strategy, invoice.userId);
}
