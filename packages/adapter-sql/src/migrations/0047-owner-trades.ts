/** Computed anew within a day; null until then. */
export const ownerTrades = `
ALTER TABLE strategies ADD COLUMN owner_trades TEXT;
`;
