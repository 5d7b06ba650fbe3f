import {
  type Invoice,
  type InvoiceIn,
  isInvoiceIn,
  declineReasonOf,
  requireInvoiceIn,
  statusOf,
} from './invoice.js';
import { addMonths, isoMinute } from '../calendar.js';
import { ASK_AGAIN_AFTER } from './payment.js';
import { cancelSubscription, oweRefund, paidUntil } from './refund.js';
import { ZERO, decimal } from '../numbers/decimal.js';
import type { InvoiceId, PaymentSourceId, Timestamp } from '../ids.js';
import type { Strategy, Subscription } from '../strategies/strategy.js';
import { DAY } from '../time.js';

/** The times of the second and the third attempt, counted from the first; no other follows (contract 5, "Billing": three in 7 days). */
const NEXT_ATTEMPT_AFTER = [3 * DAY, 7 * DAY] as const;
/** After a standstill the overdue attempts still keep this distance. */
const LEAST_PAUSE = DAY;

/** An invoice with its subscription. */
export interface Billed {
  readonly invoice: Invoice;
  readonly subscription: Subscription;
}

/** The gateway's answer to an attempt. */
export type AttemptAnswer =
  | { readonly kind: 'paid'; readonly ref: string; readonly checkAgainAt: Timestamp | null }
  | { readonly kind: 'declined'; readonly reason: string }
  /** Declined, and its source was removed meanwhile: another one takes its place. */
  | { readonly kind: 'replaced' }
  /** It never arrived, and comes too late to be repeated. */
  | { readonly kind: 'not_made' };

/** The key of the current attempt at the gateway: the same until its answer is known. */
export const attemptKey = ({ id, attempts }: Invoice): string => `${id}-${attempts}`;

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
  amount: decimal(String(subscription.price)),
  sourceId,
  month,
  anchorAt,
  attempts: 0,
  firstAttemptAt: null,
  state: { kind: 'due', dueAt: now },
  createdAt: now,
  updatedAt: now,
});

/** The first invoice of a priced subscription, to be charged at once. */
export const firstInvoice = (beginning: Beginning): Invoice => begin(beginning, 1, null);

/**
 * The next month, to be charged at once. The service was not there for a month that is half over: it is not charged, the rest
 * of it is free, and there is no invoice before the month after it begins.
 * @throws when the previous month was never paid.
 */
export function renew(
  beginning: Beginning,
  previous: Invoice,
): { readonly invoice: Invoice | null; readonly subscription: Subscription } {
  const { subscription, now } = beginning;
  const { anchorAt } = previous;
  if (anchorAt === null) throw new Error(`invoice ${previous.id} was never paid`);
  let month = previous.month + 1;
  while (halfOf(anchorAt, month) <= now) month += 1;
  const beginsAt = addMonths(anchorAt, month - 1);
  const isFree = beginsAt > now;
  const renewsAt = isFree ? beginsAt : addMonths(anchorAt, month);
  return {
    invoice: isFree ? null : begin(beginning, month, anchorAt),
    subscription: { ...subscription, renewsAt, updatedAt: now },
  };
}

/** When the month of an invoice began; of a first one that was never paid, when it was asked for. */
export const monthBegan = ({ anchorAt, month, createdAt }: Invoice): Timestamp =>
  anchorAt === null ? createdAt : addMonths(anchorAt, month - 1);

/**
 * Whether the month is half over, of a first one that was never paid counted from when it was asked for: attempts come in its first
 * week, so a later one was due while no service ran.
 */
export const isHalfOver = ({ anchorAt, createdAt, month }: Invoice, now: Timestamp): boolean =>
  halfOf(anchorAt ?? createdAt, month) <= now;

const ASKED_LONG_AGO =
  'nothing could be charged for it in half a month, so nothing is charged any more; follow it again if you want to';

/**
 * A month that is not tried any more because it is half over. The rest of a renewal is free, as in `renew`. A first month was asked for
 * too long ago: whoever asked does not expect a charge any more, and has had nothing.
 */
export function forgive({ invoice, subscription }: Billed, now: Timestamp): Billed {
  const given = stopTrying(invoice, now);
  if (invoice.anchorAt === null)
    return { invoice: given, subscription: cancelSubscription(subscription, ASKED_LONG_AGO, now) };
  const isBehind =
    subscription.status === 'past_due' && !isLaterDue({ invoice: given, subscription });
  const goesOn = { status: 'active', statusReason: null, updatedAt: now } as const;
  return { invoice: given, subscription: isBehind ? { ...subscription, ...goesOn } : subscription };
}

/** Whether it is a later month that is past due: what is heard late of an earlier one pays nothing of it. */
function isLaterDue({ invoice, subscription: { status, renewsAt } }: Billed): boolean {
  const until = paidUntil(invoice);
  return status === 'past_due' && until !== null && renewsAt !== null && renewsAt > until;
}

/** The middle of a month. */
const halfOf = (anchorAt: Timestamp, month: number): Timestamp =>
  (addMonths(anchorAt, month - 1) + addMonths(anchorAt, month)) / 2;

/**
 * Begins the next attempt, or repeats the current one until its answer is known: same key, same source.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function beginAttempt(
  invoice: Invoice,
  sourceId: PaymentSourceId,
  now: Timestamp,
): InvoiceIn<'charging'> {
  const chargeable = requireInvoiceIn(invoice, 'a charge', 'due', 'charging', 'retrying');
  const dueAt = now + ASK_AGAIN_AFTER;
  const { state } = chargeable;
  if (state.kind === 'charging') return { ...chargeable, state: { ...state, dueAt } };
  return {
    ...chargeable,
    state: { kind: 'charging', reason: declineReasonOf(chargeable), dueAt },
    sourceId,
    attempts: chargeable.attempts + 1,
    firstAttemptAt: chargeable.firstAttemptAt ?? now,
    updatedAt: now,
  };
}

/**
 * Changes invoice and subscription by the answer to the current attempt (contract 5, "Billing").
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function recordAttempt(
  { invoice, subscription }: Billed,
  answer: AttemptAnswer,
  now: Timestamp,
): Billed {
  const charging = requireInvoiceIn(invoice, 'an answer to a charge', 'charging');
  switch (answer.kind) {
    case 'paid':
      return recordPaid({ invoice: charging, subscription }, answer, now);
    case 'declined':
      return recordDeclined({ invoice: charging, subscription }, answer.reason, now);
    case 'replaced': {
      const next = withoutAttempt(charging, now);
      const isOver = subscription.status === 'cancelled';
      return { invoice: isOver ? stopTrying(next, now) : next, subscription };
    }
    case 'not_made':
      return forgive({ invoice: withoutAttempt(charging, now), subscription }, now);
  }
}

/** As before the attempt under way. */
const withoutAttempt = (invoice: InvoiceIn<'charging'>, dueAt: Timestamp): Invoice => ({
  ...invoice,
  state: { kind: 'retrying', reason: invoice.state.reason, dueAt },
});

function recordPaid(
  { invoice, subscription }: Billed,
  { ref: chargeRef, checkAgainAt: checkAt }: Extract<AttemptAnswer, { kind: 'paid' }>,
  now: Timestamp,
): Billed {
  const paid: InvoiceIn<'paid'> = {
    ...invoice,
    anchorAt: invoice.anchorAt ?? now,
    state: { kind: 'paid', chargeRef, refunded: ZERO, checkAt },
    updatedAt: now,
  };
  if (subscription.status === 'cancelled')
    return { invoice: oweRefund(paid, paid.amount, now), subscription };
  // A late payment of an earlier month does not move back a later end, nor renew what the payer has left meanwhile.
  const until = paidUntil(paid);
  const { renewsAt: next, endsAt } = subscription;
  const latest = until === null || next === null ? until : Math.max(until, next);
  const renewsAt = endsAt === null ? latest : null;
  if (isLaterDue({ invoice, subscription })) return { invoice: paid, subscription };
  const running = { status: 'active', statusReason: null, renewsAt, updatedAt: now } as const;
  return { invoice: paid, subscription: { ...subscription, ...running } };
}

function recordDeclined({ invoice, subscription }: Billed, reason: string, now: Timestamp): Billed {
  const { attempts, firstAttemptAt } = invoice;
  const pause = NEXT_ATTEMPT_AFTER[attempts - 1];
  const isOver = subscription.status === 'cancelled';
  const isTooLate = isHalfOver(invoice, now);
  if (isOver || pause === undefined || (isTooLate && invoice.anchorAt === null)) {
    const failed: Invoice = { ...invoice, state: { kind: 'failed', reason }, updatedAt: now };
    return {
      invoice: failed,
      subscription: cancelSubscription(subscription, declineText(failed), now),
    };
  }
  const dueAt = Math.max((firstAttemptAt ?? now) + pause, now + LEAST_PAUSE);
  const state = { kind: 'retrying', reason, dueAt } as const;
  const retrying: Invoice = { ...invoice, state, updatedAt: now };
  if (isTooLate) return forgive({ invoice: retrying, subscription }, now);
  const statusReason = declineText(retrying);
  return {
    invoice: retrying,
    subscription: { ...subscription, status: 'past_due', statusReason, updatedAt: now },
  };
}

/** Tells the payer what was charged for, why that was declined and what to do. */
export function declineText(invoice: Invoice): string {
  const { id, amount, description, state } = invoice;
  const reason = declineReasonOf(invoice) ?? 'no reason given';
  const why = `the charge of ${amount.toFixed(2)} USD for ${description} was declined (${reason})`;
  if (state.kind !== 'retrying') {
    return `${why}; invoice ${id} is not tried again and the subscription has ended`;
  }
  const next = isoMinute(state.dueAt);
  return `${why}; it is tried again on ${next}, from the primary payment source. Add another one if that helps (newPaymentSource), and pay at once (retryInvoice with invoice_id ${id})`;
}

/**
 * Makes the next attempt due at once, for retryInvoice.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function retryNow(invoice: Invoice, now: Timestamp): Invoice {
  const retrying = requireInvoiceIn(invoice, 'retryInvoice', 'retrying');
  return { ...retrying, state: { ...retrying.state, dueAt: now } };
}

/** The invoice of an ended subscription: no further attempt follows. An attempt in flight waits for its answer. */
export function stopTrying(invoice: Invoice, now: Timestamp): Invoice {
  if (!isInvoiceIn(invoice, 'due', 'retrying')) return invoice;
  return {
    ...invoice,
    state: { kind: 'failed', reason: declineReasonOf(invoice) },
    updatedAt: now,
  };
}

/** The caller ends a subscription: a paid month runs to its end, anything else ends at once. */
export function endSubscription(
  subscription: Subscription,
  newest: Invoice | undefined,
  now: Timestamp,
): Subscription {
  const { status, renewsAt, endsAt } = subscription;
  const isInvoicePaid = newest !== undefined && statusOf(newest) === 'paid';
  const isPaid = status === 'active' && isInvoicePaid && (endsAt ?? renewsAt) !== null;
  if (!isPaid) return cancelSubscription(subscription, null, now);
  return { ...subscription, renewsAt: null, endsAt: endsAt ?? renewsAt, updatedAt: now };
}

/** The caller undoes the end of a subscription before it comes. */
export const resumeSubscription = (subscription: Subscription, now: Timestamp): Subscription => ({
  ...subscription,
  renewsAt: subscription.endsAt,
  endsAt: null,
  updatedAt: now,
});

/** Ends a subscription whose end has come. */
export const expire = (subscription: Subscription, now: Timestamp): Subscription => ({
  ...subscription,
  status: 'cancelled',
  renewsAt: null,
  updatedAt: now,
});

/** When it ends or renews next, the earlier of both; null if neither comes. Only an active one renews. */
export function endsOrRenewsAt({ status, endsAt, renewsAt }: Subscription): Timestamp | null {
  if (status === 'cancelled') return null;
  const times = [endsAt, status === 'active' ? renewsAt : null].filter((at) => at !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/** Whether the subscription is paid: active, or past due in a renewal; one whose first month was never paid has no `renewsAt`. */
export const givesAccess = ({ status, renewsAt }: Subscription): boolean =>
  status === 'active' || (status === 'past_due' && renewsAt !== null);
