import {
  type Invoice,
  type InvoiceIn,
  type InvoiceState,
  isInvoiceIn,
  refundedOf,
  requireInvoiceIn,
  statusOf,
} from './invoice.js';
import { addMonths } from '../calendar.js';
import { ASK_AGAIN_AFTER } from './payment.js';
import { type Decimal, ZERO, decimal, divide, max } from '../numbers/decimal.js';
import type { Timestamp } from '../ids.js';
import type { Subscription } from '../strategies/strategy.js';
import { DAY } from '../time.js';

const CENTS = 2;
/** A refund that the gateway refused, or that failed later, is requested again after this time. */
export const REFUSED_AGAIN_AFTER = DAY;

/** The beginning of an invoice's month; null before the first month has begun. */
const paidFrom = ({ anchorAt, month }: Invoice): Timestamp | null =>
  anchorAt === null ? null : addMonths(anchorAt, month - 1);
/** The end of an invoice's month; null before the first month has begun. */
export const paidUntil = ({ anchorAt, month }: Invoice): Timestamp | null =>
  anchorAt === null ? null : addMonths(anchorAt, month);

/** Ends the subscription at `now`; one that has ended stays as it was. */
export const cancelSubscription = (
  subscription: Subscription,
  statusReason: string | null,
  now: Timestamp,
): Subscription =>
  subscription.status === 'cancelled'
    ? subscription
    : {
        ...subscription,
        status: 'cancelled',
        statusReason,
        renewsAt: null,
        endsAt: now,
        updatedAt: now,
      };

/** From now on, refunds of `total` altogether are owed. */
export function oweRefund(
  invoice: InvoiceIn<'paid' | 'refunding'>,
  total: Decimal,
  now: Timestamp,
): InvoiceIn<'refunding'> {
  const { state } = invoice;
  const { chargeRef, refunded } = state;
  const inFlight = state.kind === 'refunding' && state.owed.inFlight;
  return {
    ...invoice,
    state: { kind: 'refunding', chargeRef, refunded, owed: { total, inFlight }, dueAt: now },
    updatedAt: now,
  };
}

/** Price x whole unused days / days of the month, in cents, rounded up (contract 16); nothing once the month is over. */
export function unusedPart(invoice: Invoice, now: Timestamp): Decimal {
  const [from, until] = [paidFrom(invoice), paidUntil(invoice)];
  if (statusOf(invoice) !== 'paid' || from === null || until === null || until <= now) return ZERO;
  const days = (until - from) / DAY;
  const unused = Math.min(days, Math.floor((until - now) / DAY));
  const price = invoice.amount.times(decimal(String(unused)));
  return divide(price, decimal(String(days)), 'up', CENTS);
}

/** The owner or the service ended the subscription: the unused days of the running month are refunded, less earlier refunds. */
export function refundUnused(invoice: Invoice, now: Timestamp): Invoice {
  if (!isInvoiceIn(invoice, 'paid', 'refunding')) return invoice;
  const unused = unusedPart(invoice, now);
  return unused.gt(refundedOf(invoice)) ? oweRefund(invoice, unused, now) : invoice;
}

/**
 * The gateway is asked for the owed refund, again and again until it answers.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function beginRefund(invoice: Invoice, now: Timestamp): InvoiceIn<'refunding'> {
  const refunding = requireInvoiceIn(invoice, 'a refund', 'refunding');
  const { state } = refunding;
  const owed = { ...state.owed, inFlight: true };
  return { ...refunding, state: { ...state, owed, dueAt: now + ASK_AGAIN_AFTER } };
}

/** The total of refunds that is owed beside what the bank took; null if there is nothing more to refund. */
export function owedBeside({ state }: InvoiceIn<'charged_back'>): Decimal | null {
  const total = state.owed ? state.owed.total.minus(state.disputed) : ZERO;
  return total.gt(state.refunded) ? total : null;
}

/** The dispute is lost: the gateway is asked for what is owed beside it, with each check until it answers. */
export function beginRefundBeside(
  invoice: InvoiceIn<'charged_back'>,
  now: Timestamp,
): InvoiceIn<'charged_back'> {
  const { state } = invoice;
  const owed = state.owed && { ...state.owed, inFlight: true };
  return { ...invoice, state: { ...state, owed, checkAt: now + ASK_AGAIN_AFTER } };
}

type Owing = InvoiceIn<'refunding' | 'charged_back'>['state'];

/**
 * After a refund the charge is checked further, because a refund can fail later; a refused refund stays owed. `total` is what the
 * gateway was asked for, null if it refused. The charge may already be disputed when the answer comes, or its dispute be won.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function recordRefund(invoice: Invoice, total: Decimal | null, now: Timestamp): Invoice {
  const asked = requireInvoiceIn(invoice, 'an answer to a refund', 'refunding', 'charged_back');
  const { state } = asked;
  if (state.owed === null) return invoice;
  const next = total === null ? refused(state, now) : given(state, total, now);
  return { ...asked, state: next, updatedAt: now };
}

function given(state: Owing, total: Decimal, now: Timestamp): InvoiceState {
  const { chargeRef } = state;
  const refunded = max(state.refunded, total);
  const owed = state.owed?.total.gt(refunded) ? { ...state.owed, inFlight: false } : null;
  if (state.kind === 'charged_back') return { ...state, refunded, owed };
  return owed
    ? { ...state, refunded, owed, dueAt: now }
    : { kind: 'paid', chargeRef, refunded, checkAt: now };
}

function refused(state: Owing, now: Timestamp): InvoiceState {
  const again = now + REFUSED_AGAIN_AFTER;
  if (state.kind === 'refunding')
    return { ...state, owed: { ...state.owed, inFlight: false }, dueAt: again };
  return { ...state, owed: state.owed && { ...state.owed, inFlight: false }, checkAt: again };
}
