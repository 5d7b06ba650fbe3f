/** The trades that an order of a bot follows. Orders of before name none; bots of before begin to read trades at their next check. */
export const tradesThatOrdersFollow = `
ALTER TABLE bot_orders ADD COLUMN trade_ids TEXT NOT NULL DEFAULT '[]';
ALTER TABLE bot_orders ADD COLUMN strategy_price TEXT;
ALTER TABLE bots ADD COLUMN following TEXT NOT NULL DEFAULT '{"seen":[],"open":[]}';
`;
