/** What an account gained by what it does not hold of its target; null of readings from before it was kept. */
export const unheldGains = `
ALTER TABLE bot_history ADD COLUMN unheld TEXT;
`;
