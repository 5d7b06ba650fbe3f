/** What a bank took back of an invoice; null where it is not known: all that was not given back. */
export const partsOfDisputes = `
ALTER TABLE invoices ADD COLUMN amount_disputed INTEGER;
`;
