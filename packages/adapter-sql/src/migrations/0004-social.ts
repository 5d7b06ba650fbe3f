export const social = `
ALTER TABLE users ADD COLUMN deleted_at INTEGER;

CREATE TABLE notifications (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  strategy_id TEXT,
  bot_id TEXT,
  post_id TEXT,
  actor_id TEXT,
  created_at INTEGER NOT NULL,
  read_at INTEGER
) STRICT;
CREATE INDEX notifications_of_user ON notifications (user_id, created_at, id);
CREATE INDEX unread_notifications ON notifications (user_id, created_at, id) WHERE read_at IS NULL;
CREATE INDEX notifications_by_actor ON notifications (user_id, actor_id, type, created_at)
  WHERE actor_id IS NOT NULL;

CREATE TABLE posts (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  strategy_id TEXT,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX posts_of_user ON posts (user_id, created_at, id);

CREATE TABLE likes (
  post_id TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (post_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX likes_of_user ON likes (user_id, created_at, post_id);

CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  "to" TEXT NOT NULL,
  subject TEXT NOT NULL,
  sealed_text TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mails_due ON mails (due_at, id);
CREATE INDEX mails_of_user ON mails (user_id);

CREATE TABLE account_codes (
  user_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, purpose)
) STRICT, WITHOUT ROWID;
`;
