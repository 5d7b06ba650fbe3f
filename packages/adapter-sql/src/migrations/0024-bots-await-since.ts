export const botsAwaitSince = `
ALTER TABLE bots ADD COLUMN awaits_trade_since INTEGER;
UPDATE bots SET awaits_trade_since = updated_at WHERE awaits_trade = 1;
ALTER TABLE bots DROP COLUMN awaits_trade;
`;
