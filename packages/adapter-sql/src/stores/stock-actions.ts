import type { StockActionId, StrategyId } from '@slipstream/domain';
import type { AdjustmentStore, StockActionStore } from '@slipstream/ports';
import { build, insert, prepared, upsert } from '../queries.js';
import type { Session } from '../session.js';
import { adjustmentColumns, stockActionColumns } from '../stock-action-tables.js';
import { NEWEST, type Place } from './lists.js';

const actionById = prepared<{ id: StockActionId }>()((slot) =>
  build.selectFrom('stock_actions').selectAll().where('id', '=', slot('id')),
);
const pendingActions = prepared<object>()(() =>
  build
    .selectFrom('stock_actions')
    .selectAll()
    .where('status', '=', 'pending')
    .orderBy('created_at')
    .orderBy('id'),
);
const saveAction = upsert('stock_actions', stockActionColumns, 'id');

export const sqlStockActions = (session: Session): StockActionStore => ({
  find: async (id) => {
    const row = session.row(actionById({ id }));
    return row && stockActionColumns.load(row);
  },
  pending: async () => session.rows(pendingActions({})).map(stockActionColumns.load),
  save: async (action) => void session.write(saveAction(action)),
});

const adjustmentOf = prepared<{ actionId: StockActionId; strategyId: StrategyId }>()((slot) =>
  build
    .selectFrom('adjustments')
    .selectAll()
    .where('action_id', '=', slot('actionId'))
    .where('strategy_id', '=', slot('strategyId')),
);
const placeOfCursor = prepared<{ strategyId: StrategyId; cursor: string }>()((slot) =>
  build
    .selectFrom('adjustments')
    .select(['created_at', 'id'])
    .where('id', '=', slot('cursor'))
    .where('strategy_id', '=', slot('strategyId')),
);
const pageOfAdjustments = prepared<{ strategyId: StrategyId; limit: number } & Place>()((slot) =>
  build
    .selectFrom('adjustments')
    .selectAll()
    .where('strategy_id', '=', slot('strategyId'))
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(slot('created_at'), slot('id'))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(slot('limit')),
);
const ledgerOf = prepared<{ strategyId: StrategyId }>()((slot) =>
  build
    .selectFrom('adjustments')
    .selectAll()
    .where('strategy_id', '=', slot('strategyId'))
    .orderBy('created_at')
    .orderBy('id'),
);
const addAdjustment = insert('adjustments', adjustmentColumns);

export const sqlAdjustments = (session: Session): AdjustmentStore => ({
  find: async (actionId, strategyId) => {
    const row = session.row(adjustmentOf({ actionId, strategyId }));
    return row && adjustmentColumns.load(row);
  },
  list: async (strategyId, { limit, cursor }) => {
    const after =
      cursor === undefined ? NEWEST : session.row(placeOfCursor({ strategyId, cursor }));
    if (!after) return [];
    return session
      .rows(pageOfAdjustments({ strategyId, limit, ...after }))
      .map(adjustmentColumns.load);
  },
  ledger: async (strategyId) => session.rows(ledgerOf({ strategyId })).map(adjustmentColumns.load),
  save: async (adjustment) => void session.write(addAdjustment(adjustment)),
});
