/** The quote that a fill traded at. Fills of before did not keep it. */
export const sourcesOfFills = `
ALTER TABLE trades ADD COLUMN market TEXT NOT NULL DEFAULT 'unknown';
ALTER TABLE trades ADD COLUMN provider TEXT;
ALTER TABLE trades ADD COLUMN quote_bid TEXT;
ALTER TABLE trades ADD COLUMN quote_ask TEXT;
ALTER TABLE trades ADD COLUMN quote_at INTEGER;
`;
