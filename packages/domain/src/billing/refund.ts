import { addMonths } from './months.js';
import type { Billed } from './billing.js';
import { type Decimal, ZERO, decimal, divide, max, min } from '../numbers/decimal.js';
import type { Timestamp } from '../ids.js';
import type { Invoice } from './payment.js';
import type { Subscription } from '../strategies/strategy.js';
import { DAY } from '../time.js';

const CENTS = 2;
const ROUND_UP = 3;

/** When what an invoice pays for begins and ends; null while the first month has not begun. */
export const paidFrom = ({ anchorAt, month }: Invoice): Timestamp | null =>
  anchorAt === null ? null : addMonths(anchorAt, month - 1);
/** When the month of an invoice ends; null while the first month has not begun. */
export const paidUntil = ({ anchorAt, month }: Invoice): Timestamp | null =>
  anchorAt === null ? null : addMonths(anchorAt, month);

/** The subscription ended at `now`; one that had ended stays as it was. */
export const cancelled = (
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

/** `total` of it is given back in all, or is owed from now on. */
export const refundOf = (invoice: Invoice, total: Decimal, now: Timestamp): Invoice => ({
  ...invoice,
  amountRefunded: total,
  refundOwed: true,
  dueAt: now,
  updatedAt: now,
});

/** Price x whole unused days / days of the month, in cents, rounded up (contract 16); nothing once the month is over. */
export function unusedPart(invoice: Invoice, now: Timestamp): Decimal {
  const [from, until] = [paidFrom(invoice), paidUntil(invoice)];
  if (invoice.status !== 'paid' || from === null || until === null || until <= now) return ZERO;
  const days = (until - from) / DAY;
  const unused = Math.min(days, Math.floor((until - now) / DAY));
  const part = divide(invoice.amount.times(decimal(String(unused))), decimal(String(days)), 'up');
  return part.round(CENTS, ROUND_UP);
}

/** The strategy was deleted: what is unused of the running month is given back, less what was given back before. */
export function refundUnused(invoice: Invoice, now: Timestamp): Invoice {
  const unused = unusedPart(invoice, now);
  return unused.gt(invoice.amountRefunded) ? refundOf(invoice, unused, now) : invoice;
}

/** The bank took the money back. Only what was paid, and not given back, can be charged back. */
export function chargeBack({ invoice, subscription }: Billed, now: Timestamp): Billed {
  const { status, amount, amountRefunded } = invoice;
  if (status !== 'paid' || amountRefunded.gte(amount)) return { invoice, subscription };
  return {
    invoice: { ...invoice, status: 'chargeback', refundOwed: false, dueAt: null, updatedAt: now },
    subscription: cancelled(subscription, 'the payment was charged back', now),
  };
}

/** The dispute was won: the invoice is paid again. The subscription that ended by it stays ended. */
export const winBack = (invoice: Invoice, now: Timestamp): Invoice =>
  invoice.status === 'chargeback' ? { ...invoice, status: 'paid', updatedAt: now } : invoice;

/** At the gateway `total` was given back in all. Given back in full, a month that runs is not paid: its subscription ends. */
export function refundedElsewhere(
  { invoice, subscription }: Billed,
  total: Decimal,
  now: Timestamp,
): Billed {
  const amountRefunded = min(invoice.amount, max(invoice.amountRefunded, total));
  if (amountRefunded.eq(invoice.amountRefunded)) return { invoice, subscription };
  const next: Invoice = { ...invoice, amountRefunded, refundOwed: false, updatedAt: now };
  const isRunning = (paidUntil(invoice) ?? now) > now;
  const endsIt = isRunning && amountRefunded.eq(invoice.amount);
  return {
    invoice: next,
    subscription: endsIt
      ? cancelled(subscription, 'the payment was given back', now)
      : subscription,
  };
}
