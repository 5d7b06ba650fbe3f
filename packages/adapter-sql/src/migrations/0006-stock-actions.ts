export const stockActions = `
CREATE TABLE stock_actions (
  id TEXT PRIMARY KEY,
  stock_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  figure TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX stock_actions_pending ON stock_actions (created_at, id) WHERE status = 'pending';

CREATE TABLE adjustments (
  id TEXT PRIMARY KEY,
  action_id TEXT NOT NULL,
  strategy_id TEXT NOT NULL,
  stock_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  figure TEXT NOT NULL,
  amount_before TEXT NOT NULL,
  amount_after TEXT NOT NULL,
  cash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (action_id, strategy_id)
) STRICT;
CREATE INDEX adjustments_of_strategy ON adjustments (strategy_id, created_at, id);
`;
