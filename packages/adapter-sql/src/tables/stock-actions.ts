import type { Adjustment, StockAction } from '@slipstream/domain';
import { type RowOf, columnsOf, exact, integer, nullable, text } from '../storage/codec.js';

export const stockActionColumns = columnsOf<StockAction>()({
  id: text(),
  stockId: text(),
  kind: text(),
  figure: exact,
  newShares: nullable(exact),
  oldShares: nullable(exact),
  status: text(),
  createdAt: integer,
});

export const adjustmentColumns = columnsOf<Adjustment>()({
  id: text(),
  actionId: text(),
  strategyId: text(),
  stockId: text(),
  kind: text(),
  figure: exact,
  amountBefore: exact,
  amountAfter: exact,
  cash: exact,
  createdAt: integer,
});

/** The tables of corporate actions. */
export interface StockActionTables {
  readonly stock_actions: RowOf<typeof stockActionColumns>;
  readonly adjustments: RowOf<typeof adjustmentColumns>;
}

export const stockActionSchema = `
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

/** Of splits from before only the quotient is known. */
export const sharesOfSplits = `
ALTER TABLE stock_actions ADD COLUMN new_shares TEXT;
ALTER TABLE stock_actions ADD COLUMN old_shares TEXT;
`;
