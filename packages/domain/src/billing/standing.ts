import type { Billed } from './billing.js';
import { type Invoice, type InvoiceIn, type InvoiceState, requireInvoiceIn } from './invoice.js';
import { ASK_AGAIN_AFTER } from './payment.js';
import { REFUSED_AGAIN_AFTER, cancelSubscription, paidUntil } from './refund.js';
import { type Decimal, ZERO, max, min } from '../numbers/decimal.js';
import type { Timestamp } from '../ids.js';
import { DAY } from '../time.js';

const CHARGED = ['paid', 'refunding', 'charged_back'] as const;
type ChargedState = InvoiceIn<(typeof CHARGED)[number]>['state'];

/**
 * The gateway is asked how the charge stands, again and again until it answers. An owed refund is requested anyway.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function beginCheck(invoice: Invoice, now: Timestamp): Invoice {
  const charged = requireInvoiceIn(invoice, 'a check of the charge', ...CHARGED);
  const { state } = charged;
  if (state.kind === 'refunding') return charged;
  return { ...charged, state: { ...state, checkAt: now + ASK_AGAIN_AFTER } };
}

/** A charge that the gateway does not know is asked for no less often than this, and so long: the gateway may know it again. */
const UNKNOWN_PAUSE = 14 * DAY;
const UNKNOWN_FOR = 180 * DAY;

/**
 * The gateway does not know the charge, for example because it is asked with the keys of another account, by mistake and for an hour. So
 * it is asked again soon of a young one. Nothing changes; what is owed of it stays owed.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function recordUnknown(invoice: Invoice, now: Timestamp): Invoice {
  const charged = requireInvoiceIn(invoice, 'a check of the charge', ...CHARGED);
  const { firstAttemptAt, createdAt } = charged;
  const age = now - (firstAttemptAt ?? createdAt);
  const pause = Math.min(UNKNOWN_PAUSE, Math.max(DAY, age));
  return checkedAgain(charged, age >= UNKNOWN_FOR ? null : now + pause);
}

/**
 * Whether nothing was recorded of the charge since the gateway was asked how it stands, when the invoice was `asked`. An answer that
 * changes nothing is seen by its next check, which is later than one that waits for an answer; of an owed refund it leaves no trace.
 */
export function isUnanswered(asked: Invoice, { state }: Invoice, now: Timestamp): boolean {
  const isSame = [disputedIn, givenIn].every((of) => of(asked.state).eq(of(state)));
  if (state.kind !== asked.state.kind || !isSame) return false;
  if (!('checkAt' in state)) return true;
  return state.checkAt !== null && state.checkAt <= now + ASK_AGAIN_AFTER;
}

/**
 * The bank took the money back, or that part of it. Only a paid amount that was not refunded can be charged back. An owed refund is
 * not made meanwhile: the payer would get the money twice.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function chargeBack(
  { invoice, subscription }: Billed,
  now: Timestamp,
  part = invoice.amount,
): Billed {
  const { state, ...facts } = requireInvoiceIn(invoice, 'a chargeback', ...CHARGED);
  const { chargeRef, refunded } = state;
  const disputed = min(part, facts.amount.minus(refunded));
  const isKnown = state.kind === 'charged_back' && state.disputed.eq(disputed);
  if (isKnown || disputed.lte(ZERO)) return { invoice, subscription };
  const owed = state.kind === 'paid' ? null : state.owed;
  const checkAt = state.kind === 'charged_back' ? state.checkAt : null;
  return {
    invoice: {
      ...facts,
      state: { kind: 'charged_back', chargeRef, refunded, disputed, owed, checkAt },
      updatedAt: now,
    },
    subscription: cancelSubscription(subscription, 'the payment was charged back', now),
  };
}

/**
 * The dispute was won: the invoice is paid again, and a refund owed before is owed again. The subscription stays ended.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function winBack(invoice: Invoice, now: Timestamp): Invoice {
  const { state } = requireInvoiceIn(invoice, 'a dispute that was won', ...CHARGED);
  if (state.kind !== 'charged_back') return invoice;
  const { chargeRef, refunded, owed, checkAt } = state;
  return {
    ...invoice,
    state: owed
      ? { kind: 'refunding', chargeRef, refunded, owed, dueAt: now }
      : { kind: 'paid', chargeRef, refunded, checkAt },
    updatedAt: now,
  };
}

/**
 * The gateway has refunded `total` altogether. After a full refund the running month is not paid, so its subscription ends.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function refundedElsewhere(
  { invoice, subscription }: Billed,
  total: Decimal,
  now: Timestamp,
): Billed {
  const { state } = requireInvoiceIn(invoice, 'a refund at the gateway', ...CHARGED);
  const refunded = min(invoice.amount, max(state.refunded, total));
  if (refunded.eq(state.refunded)) return { invoice, subscription };
  const next: Invoice = { ...invoice, state: withRefunded(state, refunded), updatedAt: now };
  const isRunning = (paidUntil(invoice) ?? now) > now;
  const endsIt = isRunning && refunded.eq(invoice.amount);
  return {
    invoice: next,
    subscription: endsIt
      ? cancelSubscription(subscription, 'the payment was given back', now)
      : subscription,
  };
}

/** The state with this total of refunds, which may include the owed one. */
function withRefunded(state: ChargedState, refunded: Decimal): ChargedState {
  if (state.kind === 'paid' || state.owed?.total.gt(refunded)) return { ...state, refunded };
  if (state.kind === 'charged_back') return { ...state, refunded, owed: null };
  const { chargeRef, dueAt } = state;
  return { kind: 'paid', chargeRef, refunded, checkAt: dueAt };
}

/**
 * A refund failed after it was made: the payer has `total` and is owed what they were told. It is asked for again after a day.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
function refundFailed(invoice: Invoice, total: Decimal, now: Timestamp): Invoice {
  const { state } = requireInvoiceIn(invoice, 'a refund that failed', ...CHARGED);
  if (total.gte(state.refunded)) return invoice;
  return { ...invoice, state: owedAgain(state, total, now), updatedAt: now };
}

function owedAgain(state: ChargedState, refunded: Decimal, now: Timestamp): InvoiceState {
  if (state.kind === 'refunding') return { ...state, refunded };
  const owed = { total: state.refunded, inFlight: false };
  if (state.kind === 'charged_back') return { ...state, refunded, owed: state.owed ?? owed };
  const { chargeRef } = state;
  return { kind: 'refunding', chargeRef, refunded, owed, dueAt: now + REFUSED_AGAIN_AFTER };
}

/** The state of a charge at the gateway. */
interface Standing {
  readonly kind: 'paid' | 'charged_back';
  /** What the bank took; without it all that was not refunded. */
  readonly disputed?: Decimal;
  /** The total of its refunds, by the service or others. */
  readonly refunded: Decimal;
  /** Whether a refund failed after it was made; `refunded` is without it. */
  readonly hasFailedRefund?: boolean;
  readonly checkAgainAt: Timestamp | null;
}

/** A change of an invoice's earnings that its charge caused. */
type StandingChange = 'refund' | 'refund_failed' | 'chargeback' | 'dispute_won';

/**
 * Changes invoice and subscription by the state of the charge; `change` is null when it stays the same.
 * @throws ImpossibleEvent in a state that knows no such event.
 */
export function recordStanding(
  before: Billed,
  { kind, disputed, refunded, hasFailedRefund = false, checkAgainAt }: Standing,
  now: Timestamp,
): Billed & { readonly change: StandingChange | null } {
  const invoiceNow = hasFailedRefund ? refundFailed(before.invoice, refunded, now) : before.invoice;
  const asOfRefunds = refundedElsewhere({ ...before, invoice: invoiceNow }, refunded, now);
  const { invoice, subscription } =
    kind === 'charged_back'
      ? chargeBack(asOfRefunds, now, disputed)
      : { ...asOfRefunds, invoice: winBack(asOfRefunds.invoice, now) };
  const change = invoice === before.invoice ? null : changeOf(before.invoice, invoice);
  return { invoice: checkedAgain(invoice, checkAgainAt), subscription, change };
}

function changeOf({ state: before }: Invoice, { state: after }: Invoice): StandingChange {
  const more = disputedIn(after).minus(disputedIn(before));
  if (more.gt(ZERO)) return 'chargeback';
  if (after.kind !== before.kind && before.kind === 'charged_back') return 'dispute_won';
  const given = givenIn(after).minus(givenIn(before));
  if (given.eq(ZERO)) return 'dispute_won';
  return given.gt(ZERO) ? 'refund' : 'refund_failed';
}

const disputedIn = (state: InvoiceState): Decimal => ('disputed' in state ? state.disputed : ZERO);
const givenIn = (state: InvoiceState): Decimal => ('refunded' in state ? state.refunded : ZERO);

/** An owed refund comes before the next check. */
function checkedAgain(invoice: Invoice, checkAt: Timestamp | null): Invoice {
  const { state } = requireInvoiceIn(invoice, 'the next check', ...CHARGED);
  return state.kind === 'refunding' ? invoice : { ...invoice, state: { ...state, checkAt } };
}
