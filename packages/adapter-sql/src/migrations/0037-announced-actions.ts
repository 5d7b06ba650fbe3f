/** Announced corporate actions, the feed that the stored quotes are from, and days that differ from the rules of the exchanges. */
export const announcedActions = `
CREATE TABLE announced_actions (
  id TEXT PRIMARY KEY,
  stock_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  new_shares TEXT,
  old_shares TEXT,
  amount TEXT,
  name TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  status TEXT NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX announced_actions_open ON announced_actions (status, due_at, id);
CREATE INDEX announced_actions_due ON announced_actions (due_at, id);
CREATE INDEX stock_actions_of_stock ON stock_actions (stock_id, created_at, id);
CREATE TABLE quote_feeds (name TEXT PRIMARY KEY, feed TEXT NOT NULL, since INTEGER NOT NULL) STRICT;
CREATE TABLE market_days (
  date TEXT PRIMARY KEY,
  session TEXT
) STRICT;
`;
