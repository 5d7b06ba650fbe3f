/** The orders of before were market orders, and their brokers were not told which of them only close. */
export const limitsOfBotOrders = `
ALTER TABLE bot_orders ADD COLUMN limit_price TEXT;
ALTER TABLE bot_orders ADD COLUMN closes INTEGER NOT NULL DEFAULT 0;
`;
