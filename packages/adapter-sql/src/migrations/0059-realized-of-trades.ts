/** Fills of before did not record what they realized. */
export const realizedOfTrades = `
ALTER TABLE trades ADD COLUMN realized TEXT;
`;
