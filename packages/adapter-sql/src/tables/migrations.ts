import type BetterSqlite from 'better-sqlite3';
import { auditArchives, auditSchema } from './audit.js';
import { figuresSchema } from './figures.js';
import { inboxSchema } from './inbox.js';
import { APPLICATION_ID, UnusableDatabase } from '../storage/own-file.js';
import { sharesOfSplits, stockActionSchema } from './stock-actions.js';
import { declinesAndConfirmations, paymentSchema } from './payments.js';
import { trackInOrder, trackSchema } from './track.js';
import { mailsInOrder, socialSchema } from './social.js';
import { costsOfPositions } from './tables.js';
import { keyProofSchema } from './key-proof.js';
import { storageSchema } from './user-storage.js';
import { tallySchema } from './tallies.js';

const initial = `
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

const tokensInFamilies = `
ALTER TABLE tokens ADD COLUMN parent_id TEXT;
ALTER TABLE tokens ADD COLUMN renewed_by_use INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN last_used_at INTEGER;
CREATE INDEX tokens_by_end ON tokens (expires_at, id) WHERE expires_at IS NOT NULL;
`;

const confirmedAddresses = `
ALTER TABLE users ADD COLUMN confirm_by INTEGER;
CREATE INDEX users_to_confirm ON users (confirm_by, id) WHERE confirm_by IS NOT NULL;
ALTER TABLE account_codes ADD COLUMN email TEXT;
`;

const secondFactors = `
ALTER TABLE users ADD COLUMN second_factor TEXT;
ALTER TABLE users ADD COLUMN devices TEXT NOT NULL DEFAULT '[]';
`;

const strategiesBelowZero = `
ALTER TABLE strategies ADD COLUMN below_zero_for INTEGER NOT NULL DEFAULT 0;
ALTER TABLE strategies ADD COLUMN ended_at INTEGER;
CREATE INDEX strategies_below_zero ON strategies (id) WHERE below_zero_for > 0 OR ended_at IS NOT NULL;
`;

/** Since when, where it was only said that: a trade that came since the last look is not missed. */
const botsAwaitSince = `
ALTER TABLE bots ADD COLUMN awaits_trade_since INTEGER;
UPDATE bots SET awaits_trade_since = updated_at WHERE awaits_trade = 1;
ALTER TABLE bots DROP COLUMN awaits_trade;
`;

const endsUnderWay = `
ALTER TABLE strategies ADD COLUMN end_under_way TEXT;
CREATE INDEX ends_under_way ON strategies (id) WHERE end_under_way IS NOT NULL;
`;

/** By name, in the order in which they are applied. One that was released is never changed: a new one is added. */
export const migrations: Readonly<Record<string, string>> = {
  '0001-initial': initial,
  '0003-inbox': inboxSchema,
  '0004-social': socialSchema,
  '0005-payments': paymentSchema,
  '0006-stock-actions': stockActionSchema,
  '0007-track-record': trackSchema,
  '0008-audit': auditSchema,
  // Of those who send too much the oldest refused ones go first.
  '0018-refused-alerts':
    "CREATE INDEX refused_alerts ON alerts (user_id, created_at, id) WHERE verdict = 'refused'",
  // Which alerts may be repeated is known in memory.
  '0009-alerts-by-fingerprint': 'DROP INDEX alerts_by_fingerprint',
  '0010-track-in-order': trackInOrder,
  '0011-tokens-in-families': tokensInFamilies,
  '0012-shares-of-splits': sharesOfSplits,
  '0013-user-figures': figuresSchema,
  '0014-declines-and-confirmations': declinesAndConfirmations,
  '0015-confirmed-addresses': confirmedAddresses,
  '0016-costs-of-positions': costsOfPositions,
  '0016-key-proof': keyProofSchema,
  '0017-second-factors': secondFactors,
  '0019-reasons-of-stops': 'ALTER TABLE bots ADD COLUMN stop_reason TEXT',
  '0020-tallies': tallySchema,
  '0021-mails-in-order': mailsInOrder,
  '0022-followers-in-order':
    'CREATE INDEX followers_in_order ON subscriptions (strategy_id, created_at, id)',
  '0023-below-zero': strategiesBelowZero,
  '0024-bots-await-since': botsAwaitSince,
  '0025-user-storage': storageSchema,
  '0026-ends-under-way': endsUnderWay,
  '0027-audit-archives': auditArchives,
};

/**
 * Brings the schema up to date, all or nothing, and answers the names of what was applied. Throws when the database
 * knows a migration that this release does not: it was used by a later one (`UnusableDatabase`).
 */
export function migrate(
  handle: BetterSqlite.Database,
  known: Readonly<Record<string, string>> = migrations,
): string[] {
  const apply = handle.transaction(() => {
    handle.exec('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT');
    const applied = handle.prepare('SELECT name FROM migrations').pluck().all() as string[];
    const later = applied.find((name) => !(name in known));
    if (later) {
      throw new UnusableDatabase(
        `the database is of a later release: it has migration ${later}. Use that release, or a backup from before`,
      );
    }

    const missing = Object.entries(known).filter(([name]) => !applied.includes(name));
    const remember = handle.prepare('INSERT INTO migrations (name) VALUES (?)');
    for (const [name, sql] of missing) {
      handle.exec(sql);
      remember.run(name);
    }
    if (missing.length > 0) handle.pragma(`application_id = ${APPLICATION_ID}`);
    return missing.map(([name]) => name);
  });
  return apply.immediate();
}
