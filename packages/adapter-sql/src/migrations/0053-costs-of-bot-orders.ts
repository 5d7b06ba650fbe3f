/** The price that an order was planned with, and what its broker charged; null for the orders of before. */
export const costsOfBotOrders = `
ALTER TABLE bot_orders ADD COLUMN planned_price TEXT;
ALTER TABLE bot_orders ADD COLUMN fee TEXT;
`;
