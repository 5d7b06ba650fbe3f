/** Requests that were prepared, until they are committed or end. */
export const plans = `
CREATE TABLE plans (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  token_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  sealed_command TEXT NOT NULL,
  strategy_id TEXT,
  book_version INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  committed_at INTEGER
) STRICT;
CREATE INDEX plans_of_user ON plans (user_id, created_at, id);
CREATE INDEX plans_by_end ON plans (expires_at, id);
`;
