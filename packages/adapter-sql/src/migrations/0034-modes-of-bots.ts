/** Bots of before trade as they did. */
export const modesOfBots = `
ALTER TABLE bots ADD COLUMN mode TEXT NOT NULL DEFAULT 'normal';
ALTER TABLE bots ADD COLUMN allow_stocks TEXT;
ALTER TABLE bots ADD COLUMN deny_stocks TEXT NOT NULL DEFAULT '[]';
ALTER TABLE bots ADD COLUMN dry_run INTEGER NOT NULL DEFAULT 0;
`;
