export const inbox = `
CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  token_id TEXT NOT NULL,
  strategy_id TEXT,
  stock_id TEXT,
  alert_id TEXT,
  verdict TEXT NOT NULL,
  reason TEXT,
  order_id TEXT,
  body TEXT,
  fingerprint TEXT,
  answer TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX alerts_of_strategy ON alerts (strategy_id, created_at, id);
CREATE INDEX alerts_of_user ON alerts (user_id, created_at, id);
CREATE INDEX alerts_by_alert_id ON alerts (strategy_id, alert_id) WHERE alert_id IS NOT NULL;
CREATE INDEX alerts_by_order ON alerts (order_id) WHERE answer IS NOT NULL;
CREATE INDEX alerts_by_fingerprint ON alerts (strategy_id, fingerprint, created_at, id) WHERE answer IS NOT NULL;
CREATE INDEX alerts_by_age ON alerts (created_at, id);

CREATE TABLE kept_answers (
  name TEXT PRIMARY KEY,
  body_mac TEXT NOT NULL,
  sealed_answer TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_answers_by_age ON kept_answers (created_at);
`;
