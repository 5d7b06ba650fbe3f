export const sharesOfSplits = `
ALTER TABLE stock_actions ADD COLUMN new_shares TEXT;
ALTER TABLE stock_actions ADD COLUMN old_shares TEXT;
`;
