import { type Decimal, ZERO, decimal, max, min, sum } from './decimal.js';
import type { EarningId, Timestamp, UserId } from './ids.js';
import type { Earning, EarningTotals, Invoice, Withdrawal } from './payment.js';

/** How long a sale stays unsettled (contract 5, "Billing"). */
export const SETTLES_AFTER = 7 * 86_400_000;
const HUNDREDTH = decimal('0.01');
const CENTS = 2;
const HALF_EVEN = 2;

/**
 * What of an amount the service keeps and what the owner earns. The commission is rounded to the cent (half-even; a whole
 * price and a whole percentage never need it), the earning is the rest: together they are the amount.
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
  /** Whole percent that the service keeps. */
  readonly commission: number;
}

/** What the owner of a strategy earns by a paid invoice. */
export function saleOf(invoice: Invoice, owner: Owner, id: EarningId, now: Timestamp): Earning {
  const { commission, earned } = splitCommission(invoice.amount, owner.commission);
  return {
    id,
    userId: owner.id,
    kind: 'sale',
    invoiceId: invoice.id,
    withdrawalId: null,
    amount: earned,
    commission,
    settlesAt: now + SETTLES_AFTER,
    createdAt: now,
  };
}

/**
 * Takes back what the rows of one invoice have left, both parts; undefined when nothing is left. It settles no earlier than
 * what it takes back: an unsettled sale that is refunded does not lower the settled balance.
 */
export function reversalOf(
  rows: readonly Earning[],
  kind: 'refund' | 'chargeback',
  id: EarningId,
  now: Timestamp,
): Earning | undefined {
  const [sale] = rows;
  const [amount, commission] = [
    sum(rows.map((row) => row.amount)),
    sum(rows.map((row) => row.commission)),
  ];
  if (!sale || (amount.eq(ZERO) && commission.eq(ZERO))) return undefined;
  return {
    ...sale,
    id,
    kind,
    amount: ZERO.minus(amount),
    commission: ZERO.minus(commission),
    settlesAt: Math.max(now, ...rows.map((row) => row.settlesAt)),
    createdAt: now,
  };
}

/** Reserves what is withdrawn, or gives it back when it was not paid out. */
export const withdrawalRow = (
  { userId, id: withdrawalId, amount }: Withdrawal,
  kind: 'withdrawal' | 'withdrawal_returned',
  id: EarningId,
  now: Timestamp,
): Earning => ({
  id,
  userId,
  kind,
  invoiceId: null,
  withdrawalId,
  amount: kind === 'withdrawal' ? ZERO.minus(amount) : amount,
  commission: ZERO,
  settlesAt: now,
  createdAt: now,
});

/** What may be withdrawn: never more than has settled, nothing while the balance is negative. */
export const withdrawable = ({ balance, settled }: EarningTotals): Decimal =>
  max(ZERO, min(balance, settled));

/** The sums of ledger rows at `now`. */
export const totalsOf = (rows: readonly Earning[], now: Timestamp): EarningTotals => ({
  balance: sum(rows.map((row) => row.amount)),
  settled: sum(rows.filter((row) => row.settlesAt <= now).map((row) => row.amount)),
});
