/** The first cycle of a bot's present account; that of before is not known of bots that had another one. */
export const accountsOfBots = `
ALTER TABLE bots ADD COLUMN first_cycle INTEGER NOT NULL DEFAULT 0;
`;
