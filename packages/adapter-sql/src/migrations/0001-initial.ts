export const initial = `
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  profile TEXT NOT NULL,
  commission INTEGER NOT NULL,
  notifications TEXT NOT NULL,
  payments_enabled INTEGER NOT NULL,
  verified INTEGER NOT NULL,
  ref_id TEXT NOT NULL,
  referred_by TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  scope TEXT NOT NULL,
  strategy_ids TEXT,
  digest TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;
CREATE INDEX tokens_of_user ON tokens (user_id);

CREATE TABLE strategies (
  id TEXT PRIMARY KEY,
  product_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  private INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  categories TEXT NOT NULL,
  price INTEGER NOT NULL,
  invited_user_ids TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;

CREATE TABLE subscriptions (
  id TEXT PRIMARY KEY,
  strategy_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  relation TEXT NOT NULL,
  status TEXT NOT NULL,
  price INTEGER NOT NULL,
  input_value TEXT,
  input_date INTEGER,
  input_multiplier TEXT,
  renews_at INTEGER,
  ends_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX subscriptions_of_strategy ON subscriptions (strategy_id, user_id);
CREATE INDEX subscriptions_of_user ON subscriptions (user_id);
CREATE UNIQUE INDEX current_subscription ON subscriptions (strategy_id, user_id)
  WHERE status <> 'cancelled';

CREATE TABLE books (
  strategy_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  cash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE positions (
  place INTEGER PRIMARY KEY,
  strategy_id TEXT NOT NULL REFERENCES books (strategy_id),
  stock_id TEXT NOT NULL,
  amount TEXT NOT NULL,
  average_price TEXT NOT NULL,
  realized TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (strategy_id, stock_id)
) STRICT;

CREATE TABLE orders (
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  strategy_id TEXT NOT NULL,
  stock_id TEXT NOT NULL,
  action TEXT NOT NULL,
  type TEXT NOT NULL,
  price TEXT,
  stop_price TEXT,
  amount TEXT,
  total TEXT,
  depends_on TEXT NOT NULL,
  reduce_only INTEGER NOT NULL,
  origin TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  triggered_at INTEGER,
  status TEXT NOT NULL,
  resting_since INTEGER,
  closed_at INTEGER,
  filled_price TEXT,
  filled_amount TEXT,
  filled_total TEXT,
  fee_total TEXT,
  reason TEXT,
  CHECK ((amount IS NULL) <> (total IS NULL))
) STRICT;
CREATE INDEX orders_of_strategy ON orders (strategy_id, status, created_at, id);

CREATE TABLE trades (
  id TEXT PRIMARY KEY,
  order_id TEXT NOT NULL UNIQUE,
  strategy_id TEXT NOT NULL,
  stock_id TEXT NOT NULL,
  action TEXT NOT NULL,
  price TEXT NOT NULL,
  amount TEXT NOT NULL,
  total TEXT NOT NULL,
  fee_total TEXT NOT NULL,
  rounding TEXT NOT NULL,
  strategy_value TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX trades_of_strategy ON trades (strategy_id, created_at, id);

CREATE TABLE value_buckets (
  strategy_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  last TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  high TEXT NOT NULL,
  low TEXT NOT NULL,
  drawdown TEXT NOT NULL,
  PRIMARY KEY (strategy_id, start)
) STRICT, WITHOUT ROWID;

CREATE TABLE stocks (
  id TEXT PRIMARY KEY,
  figi_composite TEXT,
  symbol TEXT NOT NULL,
  stock TEXT NOT NULL,
  name TEXT NOT NULL,
  sector TEXT NOT NULL,
  security TEXT NOT NULL,
  exchange TEXT NOT NULL,
  peg TEXT NOT NULL,
  provider TEXT NOT NULL,
  slippage TEXT NOT NULL,
  fee TEXT NOT NULL,
  links TEXT NOT NULL,
  status TEXT NOT NULL
) STRICT;

CREATE TABLE quotes (
  stock_id TEXT PRIMARY KEY,
  bid TEXT NOT NULL,
  ask TEXT NOT NULL,
  last TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bots (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  broker TEXT NOT NULL,
  account_id TEXT NOT NULL,
  live INTEGER NOT NULL,
  leverage TEXT NOT NULL,
  slippage TEXT NOT NULL,
  rebalance_on_start INTEGER NOT NULL,
  close_on_stop INTEGER NOT NULL,
  notifications TEXT NOT NULL,
  allocations TEXT NOT NULL,
  sealed_credentials TEXT NOT NULL,
  status TEXT NOT NULL,
  condition TEXT NOT NULL,
  status_reason TEXT,
  next_run_at INTEGER,
  awaits_trade INTEGER NOT NULL,
  closes_positions INTEGER NOT NULL,
  cycle INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  drift TEXT,
  last_rebalanced_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bots_of_user ON bots (user_id);
CREATE INDEX bots_due ON bots (next_run_at, id);
CREATE INDEX bots_of_account ON bots (broker, account_id);

CREATE TABLE bot_strategies (
  strategy_id TEXT NOT NULL,
  bot_id TEXT NOT NULL REFERENCES bots (id) ON DELETE CASCADE,
  PRIMARY KEY (strategy_id, bot_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX strategies_of_bot ON bot_strategies (bot_id);

CREATE TABLE bot_orders (
  id TEXT PRIMARY KEY,
  bot_id TEXT NOT NULL,
  cycle INTEGER NOT NULL,
  stock_id TEXT NOT NULL,
  action TEXT NOT NULL,
  amount TEXT NOT NULL,
  intent TEXT NOT NULL,
  status TEXT NOT NULL,
  filled_amount TEXT NOT NULL,
  filled_price TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bot_orders_of_bot ON bot_orders (bot_id, created_at, id);
CREATE INDEX bot_orders_by_status ON bot_orders (bot_id, status);

CREATE TABLE broker_accounts (
  account_id TEXT PRIMARY KEY,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
