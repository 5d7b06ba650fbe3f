export const declinesAndConfirmations = `
ALTER TABLE payment_sources ADD COLUMN due_at INTEGER;
CREATE INDEX payment_sources_due ON payment_sources (due_at, id) WHERE due_at IS NOT NULL;
ALTER TABLE invoices ADD COLUMN reason TEXT;
ALTER TABLE subscriptions ADD COLUMN status_reason TEXT;
`;
