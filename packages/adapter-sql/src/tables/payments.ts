import {
  type Decimal,
  type Earning,
  type Invoice,
  type PaymentSource,
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

export const invoiceColumns = columnsOf<Invoice>()({
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
  amount: cents,
  commission: cents,
  settlesAt: integer,
  createdAt: integer,
});

export const withdrawalColumns = columnsOf<Withdrawal>()({
  id: text(),
  userId: text(),
  amount: cents,
  status: text(),
  sourceId: nullable(text()),
  reason: nullable(text()),
  dueAt: nullable(integer),
  createdAt: integer,
  updatedAt: integer,
});

/** The tables of what is paid, earned and withdrawn. */
export interface PaymentTables {
  readonly payment_sources: RowOf<typeof paymentSourceColumns>;
  readonly invoices: RowOf<typeof invoiceColumns>;
  readonly earnings: RowOf<typeof earningColumns>;
  readonly withdrawals: RowOf<typeof withdrawalColumns>;
}

export const paymentSchema = `
CREATE INDEX subscriptions_renewing ON subscriptions (renews_at) WHERE renews_at IS NOT NULL;
CREATE INDEX subscriptions_ending ON subscriptions (ends_at) WHERE status <> 'cancelled';

CREATE TABLE payment_sources (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  direction TEXT NOT NULL,
  "primary" INTEGER NOT NULL,
  description TEXT NOT NULL,
  sealed_details TEXT,
  status TEXT NOT NULL,
  gateway_ref TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX payment_sources_of_user ON payment_sources (user_id, created_at, id);

CREATE TABLE invoices (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  strategy_id TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  amount INTEGER NOT NULL,
  amount_refunded INTEGER NOT NULL,
  refund_owed INTEGER NOT NULL,
  source_id TEXT NOT NULL,
  retryable INTEGER NOT NULL,
  month INTEGER NOT NULL,
  anchor_at INTEGER,
  tries INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  first_tried_at INTEGER,
  charge_ref TEXT,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invoices_of_user ON invoices (user_id, created_at, id);
CREATE INDEX invoices_of_subscription ON invoices (subscription_id, created_at, id);
CREATE INDEX invoices_by_charge ON invoices (charge_ref) WHERE charge_ref IS NOT NULL;
CREATE INDEX invoices_due ON invoices (due_at, id) WHERE due_at IS NOT NULL;

CREATE TABLE earnings (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  invoice_id TEXT,
  withdrawal_id TEXT,
  amount INTEGER NOT NULL,
  commission INTEGER NOT NULL,
  settles_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX earnings_of_user ON earnings (user_id, created_at, id);
CREATE INDEX earnings_of_invoice ON earnings (invoice_id) WHERE invoice_id IS NOT NULL;

CREATE TABLE withdrawals (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  status TEXT NOT NULL,
  source_id TEXT,
  reason TEXT,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX withdrawals_of_user ON withdrawals (user_id, created_at, id);
CREATE INDEX withdrawals_due ON withdrawals (due_at, id) WHERE due_at IS NOT NULL;
`;

/** Cards that wait to be confirmed, why a charge was declined, and why a subscription is as it is. */
export const declinesAndConfirmations = `
ALTER TABLE payment_sources ADD COLUMN due_at INTEGER;
CREATE INDEX payment_sources_due ON payment_sources (due_at, id) WHERE due_at IS NOT NULL;
ALTER TABLE invoices ADD COLUMN reason TEXT;
ALTER TABLE subscriptions ADD COLUMN status_reason TEXT;
`;
