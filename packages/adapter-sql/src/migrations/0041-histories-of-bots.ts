/** The history of each bot's account, from its next reading on. */
export const historiesOfBots = `
CREATE TABLE bot_history (
  bot_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  at INTEGER NOT NULL,
  equity TEXT NOT NULL,
  cash TEXT NOT NULL,
  flow TEXT,
  target TEXT,
  PRIMARY KEY (bot_id, start)
) STRICT, WITHOUT ROWID;
ALTER TABLE bots ADD COLUMN target_mark TEXT NOT NULL DEFAULT '{"level":"1","values":[]}';
`;
