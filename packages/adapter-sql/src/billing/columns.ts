import type { Decimal } from '@slipstream/domain';
import {
  type Earning,
  type Invoice,
  type InvoiceStatus,
  type PaymentSource,
  type Timestamp,
  type Withdrawal,
  decimal,
} from '@slipstream/domain';
import {
  type Codec,
  type RowOf,
  columnsOf,
  flag,
  integer,
  nullable,
  text,
} from '../storage/codec.js';

const HUNDRED = decimal('100');

const HUNDREDTH = decimal('0.01');

/** Whole cents, so that SQLite can add them exactly. Throws on anything finer. */
export const cents: Codec<Decimal, number> = {
  store: (value) => {
    const kept = Number(value.times(HUNDRED).toFixed());
    if (!Number.isSafeInteger(kept)) throw new Error(`${value.toFixed()} is no amount of cents`);
    return kept;
  },
  load: (kept) => decimal(String(kept)).times(HUNDREDTH),
};

export const paymentSourceColumns = columnsOf<PaymentSource>()({
  id: text(),
  userId: text(),
  type: text(),
  direction: text(),
  primary: flag,
  description: text(),
  sealedDetails: nullable(text()),
  status: text(),
  gatewayRef: text(),
  dueAt: nullable(integer),
  createdAt: integer,
  updatedAt: integer,
});

/** The columns of an invoice; `invoiceRows` says which state they are. */
export interface InvoiceFields extends Omit<Invoice, 'attempts' | 'firstAttemptAt' | 'state'> {
  readonly status: InvoiceStatus;
  readonly reason: string | null;
  /** Given back in all, or to be given back where a refund is owed. */
  readonly amountRefunded: Decimal;
  readonly refundOwed: boolean;
  /** Given back so far where a refund is owed. */
  readonly amountGiven: Decimal;
  /** What the payer's bank took back; null of a chargeback of before parts were told: all that was not given back. */
  readonly amountDisputed: Decimal | null;
  readonly retryable: boolean;
  readonly tries: number;
  /** The gateway was asked for the charge or the refund, and has not answered. */
  readonly asked: boolean;
  readonly firstTriedAt: Timestamp | null;
  readonly chargeRef: string | null;
  readonly dueAt: Timestamp | null;
}

export const invoiceColumns = columnsOf<InvoiceFields>()({
  id: text(),
  userId: text(),
  subscriptionId: text(),
  strategyId: text(),
  description: text(),
  status: text(),
  reason: nullable(text()),
  amount: cents,
  amountRefunded: cents,
  refundOwed: flag,
  amountGiven: cents,
  amountDisputed: nullable(cents),
  sourceId: text(),
  retryable: flag,
  month: integer,
  anchorAt: nullable(integer),
  tries: integer,
  asked: flag,
  firstTriedAt: nullable(integer),
  chargeRef: nullable(text()),
  dueAt: nullable(integer),
  createdAt: integer,
  updatedAt: integer,
});

export const earningColumns = columnsOf<Earning>()({
  id: text(),
  userId: text(),
  kind: text(),
  invoiceId: nullable(text()),
  withdrawalId: nullable(text()),
  money: text(),
  amount: cents,
  commission: cents,
  settlesAt: integer,
  createdAt: integer,
});

export const withdrawalColumns = columnsOf<Withdrawal>()({
  id: text(),
  userId: text(),
  money: text(),
  amount: cents,
  status: text(),
  sourceId: nullable(text()),
  reason: nullable(text()),
  dueAt: nullable(integer),
  createdAt: integer,
  updatedAt: integer,
});

export interface BillingTables {
  readonly payment_sources: RowOf<typeof paymentSourceColumns>;
  readonly invoices: RowOf<typeof invoiceColumns>;
  readonly earnings: RowOf<typeof earningColumns>;
  readonly withdrawals: RowOf<typeof withdrawalColumns>;
}
