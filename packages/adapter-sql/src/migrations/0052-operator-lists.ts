/** Reads of the operator: users by the time they signed up, and what failed. */
export const operatorLists = `
CREATE INDEX users_in_order ON users (created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX mails_failed ON mails (created_at, id) WHERE failure IS NOT NULL;
CREATE INDEX invoices_failed ON invoices (created_at, id) WHERE status = 'failed';
CREATE INDEX withdrawals_failed ON withdrawals (created_at, id) WHERE status = 'failed';
`;
