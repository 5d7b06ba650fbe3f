import { addMonths, isoDay } from './months.js';
import { cancelled, paidUntil, refundOf } from './refund.js';
import { ZERO, decimal } from '../numbers/decimal.js';
import type { InvoiceId, PaymentSourceId, Timestamp } from '../ids.js';
import type { Invoice } from './payment.js';
import type { Strategy, Subscription } from '../strategies/strategy.js';
import { DAY } from '../time.js';

/** Tries that an invoice gets, by time or by retryInvoice (contract 5, "Billing": three in 7 days). */
export const MOST_TRIES = 3;
/** When the second and the third try are made, counted from the first. */
const TRIED_AGAIN_AFTER = [3 * DAY, 7 * DAY] as const;
/** After a standstill the tries are not made in one go. */
const LEAST_PAUSE = DAY;
/** When a try whose answer did not come is asked for again. */
export const ASK_AGAIN_AFTER = 60_000;

/** What an invoice and its subscription are together. */
export interface Billed {
  readonly invoice: Invoice;
  readonly subscription: Subscription;
}

/** The gateway's answer to a try. */
export type TryAnswer =
  | { readonly kind: 'paid'; readonly ref: string; readonly lookAgainAt: Timestamp | null }
  | { readonly kind: 'declined'; readonly reason: string };

/** What is to be done with the gateway when an invoice is due. */
export type InvoiceTask = 'charge' | 'refund' | 'look';

/** The task of an invoice that is due; null when nothing is left to do. */
export function taskOf({ status, retryable, refundOwed, dueAt }: Invoice): InvoiceTask | null {
  if (status === 'pending') return 'charge';
  if (status === 'failed') return retryable ? 'charge' : null;
  if (refundOwed) return 'refund';
  return dueAt === null ? null : 'look';
}

/** The key of the current try at the gateway: the same as long as its answer is not known. */
export const tryKey = ({ id, tries }: Invoice): string => `${id}-${tries}`;

interface Beginning {
  readonly id: InvoiceId;
  readonly subscription: Subscription;
  readonly strategy: Pick<Strategy, 'name'>;
  readonly sourceId: PaymentSourceId;
  readonly now: Timestamp;
}

const begin = (
  { id, subscription, strategy, sourceId, now }: Beginning,
  month: number,
  anchorAt: Timestamp | null,
): Invoice => ({
  id,
  userId: subscription.userId,
  subscriptionId: subscription.id,
  strategyId: subscription.strategyId,
  description: `${strategy.name}, month ${month}`,
  status: 'pending',
  reason: null,
  amount: decimal(String(subscription.price)),
  amountRefunded: ZERO,
  refundOwed: false,
  sourceId,
  retryable: false,
  month,
  anchorAt,
  tries: 0,
  asked: false,
  firstTriedAt: null,
  chargeRef: null,
  dueAt: now,
  createdAt: now,
  updatedAt: now,
});

/** The invoice that a priced subscription begins with, to be charged at once. */
export const firstInvoice = (beginning: Beginning): Invoice => begin(beginning, 1, null);

/**
 * The next month, to be charged at once. Months that went by unserved while nothing ran are not charged for.
 * @throws when the previous month was never paid.
 */
export function renew(beginning: Beginning, previous: Invoice): Billed {
  const { subscription, now } = beginning;
  const { anchorAt } = previous;
  if (anchorAt === null) throw new Error(`invoice ${previous.id} was never paid`);
  let month = previous.month + 1;
  while (addMonths(anchorAt, month) <= now) month += 1;
  return {
    invoice: begin(beginning, month, anchorAt),
    subscription: { ...subscription, renewsAt: addMonths(anchorAt, month), updatedAt: now },
  };
}

/** The next try, or the current one again while its answer is not known: same key, same source. */
export function beginTry(invoice: Invoice, sourceId: PaymentSourceId, now: Timestamp): Invoice {
  const dueAt = now + ASK_AGAIN_AFTER;
  if (invoice.asked) return { ...invoice, dueAt };
  return {
    ...invoice,
    status: 'pending',
    retryable: false,
    sourceId,
    tries: invoice.tries + 1,
    asked: true,
    firstTriedAt: invoice.firstTriedAt ?? now,
    dueAt,
    updatedAt: now,
  };
}

/** What the answer to the current try makes of both (contract 5, "Billing"). */
export function settleTry(
  { invoice, subscription }: Billed,
  answer: TryAnswer,
  now: Timestamp,
): Billed {
  const answered: Invoice = { ...invoice, asked: false, updatedAt: now };
  const isOver = subscription.status === 'cancelled';
  if (answer.kind === 'paid') {
    const { ref: chargeRef, lookAgainAt: dueAt } = answer;
    const anchorAt = invoice.anchorAt ?? now;
    const paid: Invoice = {
      ...answered,
      status: 'paid',
      reason: null,
      retryable: false,
      anchorAt,
      chargeRef,
      dueAt,
    };
    if (isOver) return { invoice: refundOf(paid, paid.amount, now), subscription };
    const renewsAt = paidUntil(paid);
    return {
      invoice: paid,
      subscription: {
        ...subscription,
        status: 'active',
        statusReason: null,
        renewsAt,
        updatedAt: now,
      },
    };
  }
  const { reason } = answer;
  const pause = TRIED_AGAIN_AFTER[invoice.tries - 1];
  if (isOver || invoice.tries >= MOST_TRIES || pause === undefined) {
    const failed: Invoice = {
      ...answered,
      status: 'failed',
      reason,
      retryable: false,
      dueAt: null,
    };
    return { invoice: failed, subscription: cancelled(subscription, declineText(failed), now) };
  }
  const dueAt = Math.max((invoice.firstTriedAt ?? now) + pause, now + LEAST_PAUSE);
  const failed: Invoice = { ...answered, status: 'failed', reason, retryable: true, dueAt };
  const statusReason = declineText(failed);
  return {
    invoice: failed,
    subscription: { ...subscription, status: 'past_due', statusReason, updatedAt: now },
  };
}

/** What a decline says to the payer: why, and what to do. It holds nothing that anybody else wrote. */
export function declineText({ id, amount, reason, retryable, dueAt }: Invoice): string {
  const why = `the charge of ${amount.toFixed(2)} USD was declined (${reason ?? 'no reason given'})`;
  if (!retryable || dueAt === null) {
    return `${why}; invoice ${id} is not tried again and the subscription has ended`;
  }
  const next = isoDay(dueAt);
  return `${why}; it is tried again on ${next}, or at once by retryInvoice with invoice_id ${id}, from the primary payment source: newPaymentSource adds another`;
}

/** An invoice of a subscription that has ended: no further try. One that is asked for waits for its answer. */
export function stopTrying(invoice: Invoice, now: Timestamp): Invoice {
  if (taskOf(invoice) !== 'charge' || invoice.asked) return invoice;
  return { ...invoice, status: 'failed', retryable: false, dueAt: null, updatedAt: now };
}

/** The caller ends a subscription: what is paid stays until its end, anything else ends at once. */
export function endSubscription(
  subscription: Subscription,
  newest: Invoice | undefined,
  now: Timestamp,
): Subscription {
  const { status, renewsAt, endsAt } = subscription;
  const isPaid = status === 'active' && newest?.status === 'paid' && (endsAt ?? renewsAt) !== null;
  if (!isPaid) return cancelled(subscription, null, now);
  return { ...subscription, renewsAt: null, endsAt: endsAt ?? renewsAt, updatedAt: now };
}

/** The caller takes the end back before it comes. */
export const resumeSubscription = (subscription: Subscription, now: Timestamp): Subscription => ({
  ...subscription,
  renewsAt: subscription.endsAt,
  endsAt: null,
  updatedAt: now,
});

/** What has come to its end. */
export const expire = (subscription: Subscription, now: Timestamp): Subscription => ({
  ...subscription,
  status: 'cancelled',
  renewsAt: null,
  updatedAt: now,
});

/** What is paid for: active, or past due in a renewal; one whose first month was never paid has no `renewsAt`. */
export const givesAccess = ({ status, renewsAt }: Subscription): boolean =>
  status === 'active' || (status === 'past_due' && renewsAt !== null);
