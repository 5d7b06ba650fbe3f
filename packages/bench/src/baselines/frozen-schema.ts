import type BetterSqlite from 'better-sqlite3';
import { openHandle } from '@slipstream/adapter-sql/testing';

/**
 * The tables that an alert touches as they were on 2026-11-24, with their indexes and triggers. It is never changed: the
 * baselines stay the same, whatever becomes of the product's schema.
 */
const FROZEN_SCHEMA = `
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
CREATE TABLE audit_archives (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;
CREATE TABLE audit_entries (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token_id TEXT,
  ip TEXT,
  action TEXT NOT NULL,
  objects TEXT NOT NULL,
  outcome TEXT NOT NULL,
  code TEXT,
  request_id TEXT,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TABLE books (
  strategy_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  cash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE positions (
  place INTEGER PRIMARY KEY,
  strategy_id TEXT NOT NULL REFERENCES books (strategy_id),
  stock_id TEXT NOT NULL,
  amount TEXT NOT NULL,
  average_price TEXT NOT NULL,
  realized TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  cost TEXT,
  dividends TEXT,
  UNIQUE (strategy_id, stock_id)
) STRICT;
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
  deleted_at INTEGER,
  below_zero_for INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  end_under_way TEXT,
  segments TEXT NOT NULL DEFAULT '[]',
  segment_opening TEXT,
  owner_trades TEXT,
  claimed TEXT) STRICT;
CREATE TABLE tokens (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  scope TEXT NOT NULL,
  strategy_ids TEXT,
  digest TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  parent_id TEXT,
  renewed_by_use INTEGER NOT NULL DEFAULT 0,
  last_used_at INTEGER) STRICT;
CREATE TABLE track_entries (
  place INTEGER PRIMARY KEY,
  strategy_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (strategy_id, seq)
) STRICT;
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
  created_at INTEGER NOT NULL,
  market TEXT NOT NULL DEFAULT 'unknown',
  provider TEXT,
  quote_bid TEXT,
  quote_ask TEXT,
  quote_at INTEGER,
  realized TEXT) STRICT;
CREATE TABLE user_storage (
  user_id TEXT PRIMARY KEY,
  octets INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE value_days (
  strategy_id TEXT PRIMARY KEY,
  last TEXT NOT NULL,
  last_at INTEGER NOT NULL,
  high TEXT NOT NULL,
  low TEXT NOT NULL,
  drawdown TEXT NOT NULL,
  gross TEXT NOT NULL,
  held_for INTEGER NOT NULL,
  is_recorded INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX alerts_by_age ON alerts (created_at, id);
CREATE INDEX alerts_by_alert_id ON alerts (strategy_id, alert_id) WHERE alert_id IS NOT NULL;
CREATE INDEX alerts_by_order ON alerts (order_id) WHERE answer IS NOT NULL;
CREATE INDEX alerts_of_strategy ON alerts (strategy_id, created_at, id);
CREATE INDEX alerts_of_user ON alerts (user_id, created_at, id);
CREATE INDEX refused_alerts ON alerts (user_id, created_at, id) WHERE verdict = 'refused';
CREATE INDEX orders_of_strategy ON orders (strategy_id, status, created_at, id);
CREATE INDEX ends_under_way ON strategies (id) WHERE end_under_way IS NOT NULL;
CREATE INDEX strategies_below_zero ON strategies (id) WHERE below_zero_for > 0 OR ended_at IS NOT NULL;
CREATE INDEX strategies_of_user ON strategies (user_id, created_at, id);
CREATE INDEX strategies_opening ON strategies (id) WHERE segment_opening IS NOT NULL;
CREATE INDEX tokens_by_end ON tokens (expires_at, id) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_of_user ON tokens (user_id);
CREATE INDEX trades_of_strategy ON trades (strategy_id, created_at, id);
CREATE INDEX value_days_unrecorded ON value_days (last_at) WHERE is_recorded = 0;
CREATE TRIGGER storage_alerts AFTER UPDATE OF user_id, body ON alerts
WHEN NEW.user_id IS NOT OLD.user_id OR ifnull(octet_length(NEW.body), 0) <> ifnull(octet_length(OLD.body), 0) BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.body), 0) WHERE user_id = OLD.user_id;
  INSERT INTO user_storage
    SELECT NEW.user_id, 1024 + ifnull(octet_length(NEW.body), 0) WHERE NEW.user_id IS NOT NULL
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_new_alerts AFTER INSERT ON alerts WHEN NEW.user_id IS NOT NULL BEGIN
  INSERT INTO user_storage VALUES (NEW.user_id, 1024 + ifnull(octet_length(NEW.body), 0))
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_old_alerts AFTER DELETE ON alerts WHEN OLD.user_id IS NOT NULL BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.body), 0) WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER audit_archives_follow BEFORE INSERT ON audit_archives
  WHEN NEW.seq <= ifnull((SELECT max(seq) FROM audit_archives), 0) OR NEW.seq = (SELECT max(seq) FROM audit_entries)
    OR NOT EXISTS (SELECT 1 FROM audit_entries WHERE seq = NEW.seq AND hash = NEW.hash)
  BEGIN SELECT RAISE(ABORT, 'audit archives follow one another'); END;
CREATE TRIGGER audit_archives_remain BEFORE DELETE ON audit_archives
  BEGIN SELECT RAISE(ABORT, 'audit archives are not removed'); END;
CREATE TRIGGER audit_archives_stay BEFORE UPDATE ON audit_archives
  BEGIN SELECT RAISE(ABORT, 'audit archives are not changed'); END;
CREATE TRIGGER audit_entries_follow BEFORE INSERT ON audit_entries
  WHEN NEW.seq <> 1 + (SELECT ifnull(max(seq), 0) FROM audit_entries)
  BEGIN SELECT RAISE(ABORT, 'audit entries follow one another'); END;
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries WHEN OLD.seq > ifnull((SELECT max(seq) FROM audit_archives), 0)
  BEGIN SELECT RAISE(ABORT, 'audit entries are not removed'); END;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
  BEGIN SELECT RAISE(ABORT, 'audit entries are not changed'); END;
CREATE TRIGGER track_entries_remain BEFORE DELETE ON track_entries
  BEGIN SELECT RAISE(ABORT, 'track entries are not removed'); END;
CREATE TRIGGER track_entries_stay BEFORE UPDATE ON track_entries
  BEGIN SELECT RAISE(ABORT, 'track entries are not changed'); END;
`;

/** Makes a new database of these tables. */
export function makeFrozenDatabase(file: string): BetterSqlite.Database {
  const handle = openHandle(file);
  handle.exec(FROZEN_SCHEMA);
  return handle;
}

/** A strategy of the baselines, by its id. */
export const ADD_FROZEN_STRATEGY = `INSERT INTO strategies
  (id, product_id, user_id, type, private, name, description, categories, price, invited_user_ids, created_at, updated_at)
  VALUES (?, 'p1', 'u1', 'stock', 0, 'bench', '', '[]', 0, '[]', 0, 0)`;
