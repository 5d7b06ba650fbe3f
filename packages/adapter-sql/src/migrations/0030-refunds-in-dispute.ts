/** What was given back of an invoice so far, where a refund is owed: a dispute does not forget the rest any more. */
export const refundsInDispute = `
ALTER TABLE invoices ADD COLUMN amount_given INTEGER NOT NULL DEFAULT 0;
`;
