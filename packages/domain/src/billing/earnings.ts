import { paidUntil } from './refund.js';
import { type Decimal, ZERO, decimal, divide, max, min, sum } from '../numbers/decimal.js';
import type { EarningId, NextId, Timestamp, UserId } from '../ids.js';
import type { Invoice } from './invoice.js';
import type { Earning, EarningTotals, Money, Withdrawal } from './payment.js';

/** A sale settles this long after it can no longer be refunded (contract 16). */
export const SETTLES_AFTER = 7 * 86_400_000;
const HUNDREDTH = decimal('0.01');
const CENTS = 2;
const HALF_EVEN = 2;

/**
 * Splits an amount between the service and the owner. The commission is rounded to the cent (half-even; a whole price and a
 * whole percentage never need it), the earning is the rest: together they are the amount.
 */
export function splitCommission(
  amount: Decimal,
  percent: number,
): { readonly commission: Decimal; readonly earned: Decimal } {
  const share = amount.times(decimal(String(percent))).times(HUNDREDTH);
  const commission = share.round(CENTS, HALF_EVEN);
  return { commission, earned: amount.minus(commission) };
}

interface Owner {
  readonly id: UserId;
  /** The service's part in whole percent. */
  readonly commission: number;
}

/** A new row of the ledger. */
interface Booking {
  readonly id: EarningId;
  /** What the invoice was paid in. */
  readonly money: Money;
  readonly now: Timestamp;
}

/** The owner's earning from a paid invoice. It settles when the paid month is over and cannot be refunded. */
export function saleOf(invoice: Invoice, owner: Owner, { id, money, now }: Booking): Earning {
  const { commission, earned } = splitCommission(invoice.amount, owner.commission);
  return {
    id,
    userId: owner.id,
    kind: 'sale',
    invoiceId: invoice.id,
    withdrawalId: null,
    money,
    amount: earned,
    commission,
    settlesAt: Math.max(now, paidUntil(invoice) ?? now) + SETTLES_AFTER,
    createdAt: now,
  };
}

/** The part of an invoice's price that should remain earned, and why. */
export interface Remainder {
  /** Of the price, before commission. */
  readonly price: Decimal;
  readonly taken: 'refund' | 'chargeback';
  readonly given: 'kept' | 'reinstated';
  /** It settles no later than this; without it, together with the sale. */
  readonly settlesBy?: Timestamp;
}

/**
 * The rows that bring the earnings of one invoice to `remainder`, each part in proportion; none if they are there already. `rows` may be
 * in any order, since servers have clocks of their own. A deduction settles with the row it is taken from: the refund of an unsettled sale
 * does not lower the settled balance, and by a clock that was set back since no sale counts without its refund.
 */
export function adjustTo(
  rows: readonly Earning[],
  { price, taken, given, settlesBy = Infinity }: Remainder,
  nextId: NextId,
  now: Timestamp,
): Earning[] {
  const sale = rows.find(({ kind }) => kind === 'sale');
  if (!sale) return [];
  // What was given last settles first: none settles later than the one before.
  const open = rows
    .filter(({ kind }) => kind !== 'refund' && kind !== 'chargeback')
    .reduce((first, row) => (row.settlesAt < first.settlesAt ? row : first), sale);
  const full = sale.amount.plus(sale.commission);
  const left = sum(rows.map((row) => row.amount.plus(row.commission)));
  if (left.eq(price)) return [];
  const amount = sum(rows.map((row) => row.amount));
  const base = { ...open, createdAt: now };
  const adjusted: Earning[] = [];
  if (left.gt(ZERO)) {
    adjusted.push({
      ...base,
      id: nextId(),
      kind: taken,
      amount: ZERO.minus(amount),
      commission: amount.minus(left),
    });
  }
  if (price.gt(ZERO)) {
    const commission = divide(sale.commission.times(price), full).round(CENTS, HALF_EVEN);
    const settlesAt = Math.min(settlesBy, open.settlesAt);
    const amountKept = price.minus(commission);
    adjusted.push({
      ...base,
      id: nextId(),
      kind: given,
      amount: amountKept,
      commission,
      settlesAt,
    });
  }
  return adjusted;
}

/** Reserves the amount of a withdrawal, or returns it when it was not paid out. What is returned had settled before it was reserved. */
export const withdrawalRow = (
  { userId, id: withdrawalId, money, amount, createdAt: settlesAt }: Withdrawal,
  kind: 'withdrawal' | 'withdrawal_returned',
  id: EarningId,
  now: Timestamp,
): Earning => ({
  id,
  userId,
  kind,
  invoiceId: null,
  withdrawalId,
  money,
  amount: kind === 'withdrawal' ? ZERO.minus(amount) : amount,
  commission: ZERO,
  settlesAt,
  createdAt: now,
});

/** The amount that can be withdrawn: never more than has settled, and nothing while the balance is negative. */
export const withdrawable = ({ balance, settled }: EarningTotals): Decimal =>
  max(ZERO, min(balance, settled));

/** What is withdrawn or returned had settled before, also by a clock that was set back since. */
const hasSettled = ({ withdrawalId, settlesAt }: Earning, now: Timestamp): boolean =>
  withdrawalId !== null || settlesAt <= now;

/** The sums of ledger rows at `now`. */
export const totalsOf = (rows: readonly Earning[], now: Timestamp): EarningTotals => ({
  balance: sum(rows.map((row) => row.amount)),
  settled: sum(rows.filter((row) => hasSettled(row, now)).map((row) => row.amount)),
});
