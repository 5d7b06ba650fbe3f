/** Connections to brokers that users began, until a bot takes their access or they end. */
export const connections = `
CREATE TABLE connections (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  broker TEXT NOT NULL,
  kind TEXT NOT NULL,
  state_digest TEXT,
  account_id TEXT,
  label TEXT,
  sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX connections_by_state ON connections (state_digest) WHERE state_digest IS NOT NULL;
CREATE INDEX connections_of_user ON connections (user_id, created_at, id);
CREATE INDEX connections_by_end ON connections (expires_at, id);
`;
