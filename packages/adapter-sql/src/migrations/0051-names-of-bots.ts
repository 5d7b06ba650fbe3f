/** Bots of before have no name. */
export const namesOfBots = `
ALTER TABLE bots ADD COLUMN name TEXT;
`;
