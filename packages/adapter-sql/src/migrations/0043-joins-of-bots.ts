/** Bots of before take what their strategies hold. */
export const joinsOfBots = `
ALTER TABLE bots ADD COLUMN "join" TEXT NOT NULL DEFAULT 'all';
`;
