import {
  DAY,
  type Decimal,
  type Invoice,
  MINUTE,
  ZERO,
  decimal,
  id,
  max,
  min,
  unusedPart,
} from '@slipstream/domain';
import type { InvoiceFields } from '../../src/billing/columns.js';

/*
 * How an invoice changed while it was one bag of columns, each change with the condition under which it was made (undefined
 * where it was not). Frozen: it says which rows an older database can hold, and how each of them went on.
 */

export const firstRow = (now: number): InvoiceFields => ({
  id: id('invoice'),
  userId: id('user'),
  subscriptionId: id('subscription'),
  strategyId: id('strategy'),
  description: 'Momentum, month 1',
  status: 'pending',
  reason: null,
  amount: decimal('15'),
  amountRefunded: ZERO,
  refundOwed: false,
  amountGiven: ZERO,
  amountDisputed: null,
  sourceId: id('card'),
  retryable: false,
  month: 1,
  anchorAt: null,
  tries: 0,
  asked: false,
  firstTriedAt: null,
  chargeRef: null,
  dueAt: now,
  createdAt: now,
  updatedAt: now,
});

export function taskBefore({ status, retryable, refundOwed, dueAt }: InvoiceFields) {
  if (status === 'pending') return 'charge';
  if (status === 'failed') return retryable ? 'charge' : null;
  if (refundOwed) return 'refund';
  return dueAt === null ? null : 'check';
}

const owed = (row: InvoiceFields, total: Decimal, now: number): InvoiceFields => ({
  ...row,
  amountRefunded: total,
  refundOwed: true,
  dueAt: now,
  updatedAt: now,
});

export function beginAttempt(row: InvoiceFields, now: number): InvoiceFields | undefined {
  if (taskBefore(row) !== 'charge') return undefined;
  const dueAt = now + MINUTE;
  if (row.asked) return { ...row, dueAt };
  return {
    ...row,
    status: 'pending',
    retryable: false,
    tries: row.tries + 1,
    asked: true,
    firstTriedAt: row.firstTriedAt ?? now,
    dueAt,
    updatedAt: now,
  };
}

/** Whatever was asked for: the answer to a charge was not told from one to a refund. */
export function paid(
  row: InvoiceFields,
  isOver: boolean,
  dueAt: number | null,
  now: number,
): InvoiceFields | undefined {
  if (!row.asked) return undefined;
  const next: InvoiceFields = {
    ...row,
    asked: false,
    status: 'paid',
    reason: null,
    retryable: false,
    anchorAt: row.anchorAt ?? now,
    chargeRef: 'charge',
    dueAt,
    updatedAt: now,
  };
  return isOver ? owed(next, next.amount, now) : next;
}

export function declined(
  row: InvoiceFields,
  isOver: boolean,
  now: number,
): InvoiceFields | undefined {
  if (!row.asked || row.status !== 'pending') return undefined;
  const answered = {
    ...row,
    asked: false,
    status: 'failed',
    reason: 'no',
    updatedAt: now,
  } as const;
  const pause = [3 * DAY, 7 * DAY][row.tries - 1];
  if (isOver || row.tries >= 3 || pause === undefined)
    return { ...answered, retryable: false, dueAt: null };
  const dueAt = Math.max((row.firstTriedAt ?? now) + pause, now + DAY);
  return { ...answered, retryable: true, dueAt };
}

export function retried(row: InvoiceFields, now: number): InvoiceFields | undefined {
  return row.status === 'failed' && row.retryable ? { ...row, dueAt: now } : undefined;
}

export function stopped(row: InvoiceFields, now: number): InvoiceFields {
  if (taskBefore(row) !== 'charge' || row.asked) return row;
  return { ...row, status: 'failed', retryable: false, dueAt: null, updatedAt: now };
}

export function refundUnused(row: InvoiceFields, now: number): InvoiceFields {
  if (row.status !== 'paid') return row;
  const state = { kind: 'paid', chargeRef: '', refunded: ZERO, checkAt: null } as const;
  const unused = unusedPart({ ...row, state } as unknown as Invoice, now);
  return unused.gt(row.amountRefunded) ? owed(row, unused, now) : row;
}

export function beginRefund(row: InvoiceFields, now: number): InvoiceFields | undefined {
  return taskBefore(row) === 'refund' ? { ...row, asked: true, dueAt: now + MINUTE } : undefined;
}

export function refunded(
  row: InvoiceFields,
  isDone: boolean,
  now: number,
): InvoiceFields | undefined {
  if (taskBefore(row) !== 'refund') return undefined;
  const lookNext = row.amountRefunded.lt(row.amount) ? now : null;
  const dueAt = isDone ? lookNext : now + DAY;
  return { ...row, refundOwed: !isDone, asked: false, dueAt, updatedAt: now };
}

export function beginCheck(row: InvoiceFields, now: number): InvoiceFields | undefined {
  return taskBefore(row) === 'check' ? { ...row, dueAt: now + MINUTE } : undefined;
}

export function checked(
  row: InvoiceFields,
  kind: 'paid' | 'charged_back',
  total: Decimal,
  dueAt: number | null,
  now: number,
): InvoiceFields | undefined {
  if (row.status !== 'paid' && row.status !== 'chargeback') return undefined;
  const amountRefunded = min(row.amount, max(row.amountRefunded, total));
  let next = row;
  if (!amountRefunded.eq(row.amountRefunded))
    next = { ...next, amountRefunded, refundOwed: false, updatedAt: now };
  if (kind === 'paid' && next.status === 'chargeback')
    next = { ...next, status: 'paid', updatedAt: now };
  if (kind === 'charged_back' && next.status === 'paid' && next.amountRefunded.lt(next.amount))
    next = { ...next, status: 'chargeback', refundOwed: false, dueAt: null, updatedAt: now };
  return taskBefore(next) === 'refund' ? next : { ...next, dueAt };
}
