export const payments = `
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
