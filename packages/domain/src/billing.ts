import { ZERO, decimal } from './decimal.js';
import type { InvoiceId, PaymentSourceId, Timestamp } from './ids.js';
import { addMonths } from './billing-months.js';
import type { Invoice } from './payment.js';
import type { Strategy, Subscription } from './strategy.js';

const DAY = 86_400_000;
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
  | { readonly kind: 'declined' };

/** What is to be done with the gateway when an invoice is due. */
export type InvoiceTask = 'charge' | 'refund' | 'look';

export function taskOf({ status, retryable, refundOwed, dueAt }: Invoice): InvoiceTask | null {
  if (status === 'pending') return 'charge';
  if (status === 'failed') return retryable ? 'charge' : null;
  if (status === 'chargeback') return null;
  if (refundOwed) return 'refund';
  return dueAt === null ? null : 'look';
}

/** The key of the current try at the gateway: the same as long as its answer is not known. */
export const tryKey = ({ id, tries }: Invoice): string => `${id}-${tries}`;

/** When what an invoice pays for ends; null while the first month has not begun. */
export const paidUntil = ({ anchorAt, month }: Invoice): Timestamp | null =>
  anchorAt === null ? null : addMonths(anchorAt, month);

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

/** The next month, to be charged at once. Months that went by unserved while nothing ran are not charged for. */
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

const cancelled = (subscription: Subscription, now: Timestamp): Subscription =>
  subscription.status === 'cancelled'
    ? subscription
    : { ...subscription, status: 'cancelled', renewsAt: null, endsAt: now, updatedAt: now };

/** Given back in full; what was paid for a subscription that is gone is not kept. */
const refunded = (invoice: Invoice, now: Timestamp): Invoice => ({
  ...invoice,
  amountRefunded: invoice.amount,
  refundOwed: true,
  dueAt: now,
  updatedAt: now,
});

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
      retryable: false,
      anchorAt,
      chargeRef,
      dueAt,
    };
    if (isOver) return { invoice: refunded(paid, now), subscription };
    const renewsAt = paidUntil(paid);
    return {
      invoice: paid,
      subscription: { ...subscription, status: 'active', renewsAt, updatedAt: now },
    };
  }
  const pause = TRIED_AGAIN_AFTER[invoice.tries - 1];
  if (isOver || invoice.tries >= MOST_TRIES || pause === undefined) {
    return {
      invoice: { ...answered, status: 'failed', retryable: false, dueAt: null },
      subscription: cancelled(subscription, now),
    };
  }
  const dueAt = Math.max((invoice.firstTriedAt ?? now) + pause, now + LEAST_PAUSE);
  return {
    invoice: { ...answered, status: 'failed', retryable: true, dueAt },
    subscription: { ...subscription, status: 'past_due', updatedAt: now },
  };
}

/** The bank took the money back. Only what was paid can be charged back; anything else stays as it is. */
export function chargeBack({ invoice, subscription }: Billed, now: Timestamp): Billed {
  if (invoice.status !== 'paid') return { invoice, subscription };
  return {
    invoice: { ...invoice, status: 'chargeback', refundOwed: false, dueAt: null, updatedAt: now },
    subscription: cancelled(subscription, now),
  };
}

/** An invoice of a subscription that has ended: no further try. One that is asked for waits for its answer. */
export function stopTrying(invoice: Invoice, now: Timestamp): Invoice {
  if (taskOf(invoice) !== 'charge' || invoice.asked) return invoice;
  return { ...invoice, status: 'failed', retryable: false, dueAt: null, updatedAt: now };
}

/** The strategy was deleted: no further try, and the running month is given back. */
export function refundRunningMonth(invoice: Invoice, now: Timestamp): Invoice {
  const stopped = stopTrying(invoice, now);
  const until = paidUntil(stopped);
  const isRunning = stopped.status === 'paid' && until !== null && until > now;
  return isRunning && stopped.amountRefunded.eq(ZERO) ? refunded(stopped, now) : stopped;
}

/** The caller ends a subscription: what is paid stays until its end, anything else ends at once. */
export function endSubscription(
  subscription: Subscription,
  newest: Invoice | undefined,
  now: Timestamp,
): Subscription {
  const { status, renewsAt, endsAt } = subscription;
  const isPaid = status === 'active' && newest?.status === 'paid' && (endsAt ?? renewsAt) !== null;
  if (!isPaid) return cancelled(subscription, now);
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
