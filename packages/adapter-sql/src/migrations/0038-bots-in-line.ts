/** Whether the owner of a bot knows that it is in line. Those of bots that were in line before were notified of it. */
export const botsInLine = `
ALTER TABLE bots ADD COLUMN is_known_in_line INTEGER NOT NULL DEFAULT 0;
UPDATE bots SET is_known_in_line = 1 WHERE status IN ('running', 'rebalancing');
`;
