/** The limits that a follower sets, the breach that stands, and what losses are measured against. Bots of before have no limits. */
export const limitsOfBots = `
ALTER TABLE bots ADD COLUMN limits TEXT NOT NULL DEFAULT '{}';
ALTER TABLE bots ADD COLUMN on_breach TEXT NOT NULL DEFAULT 'reduce_only';
ALTER TABLE bots ADD COLUMN breach TEXT;
ALTER TABLE bots ADD COLUMN loss_watch TEXT;
ALTER TABLE bots ADD COLUMN notices_of_day TEXT NOT NULL DEFAULT '[]';
`;
