import type { StockActionId, StockId, StrategyId, Timestamp } from '@slipstream/domain';
import type { AdjustmentStore, StockActionStore } from '@slipstream/ports';
import { build, insert, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { adjustmentColumns, stockActionColumns } from './columns.js';

const actionById = prepared<{ id: StockActionId }>()((param) =>
  build.selectFrom('stock_actions').selectAll().where('id', '=', param('id')),
);
const pendingActions = prepared<object>()(() =>
  build
    .selectFrom('stock_actions')
    .selectAll()
    .where('status', '=', 'pending')
    .orderBy('created_at')
    .orderBy('id'),
);
const allSplits = prepared<object>()(() =>
  build
    .selectFrom('stock_actions')
    .selectAll()
    .where('kind', '=', 'split')
    .orderBy('created_at')
    .orderBy('id'),
);
const actionsOfStock = prepared<{ stockId: StockId; from: Timestamp }>()((param) =>
  build
    .selectFrom('stock_actions')
    .selectAll()
    .where('stock_id', '=', param('stockId'))
    .where('created_at', '>=', param('from'))
    .orderBy('created_at')
    .orderBy('id'),
);
const saveAction = upsert('stock_actions', stockActionColumns, 'id');

export const sqlStockActions = (session: Session): StockActionStore => ({
  find: async (id) => {
    const row = await session.row(actionById({ id }));
    return row && stockActionColumns.load(row);
  },
  pending: async () => (await session.rows(pendingActions({}))).map(stockActionColumns.load),
  lastSplits: async () => {
    const known = session.records.get('splits', '');
    if (known) return known.last;
    const splits = (await session.rows(allSplits({}))).map(stockActionColumns.load);
    const last = [...new Map(splits.map((action) => [action.stockId, action])).values()];
    session.records.read('splits', '', { last });
    return last;
  },
  ofStock: async (stockId, from) =>
    (await session.rows(actionsOfStock({ stockId, from }))).map(stockActionColumns.load),
  save: async (action) => {
    session.write(saveAction(action));
    session.records.written('splits', '', undefined);
  },
});

const adjustmentOf = prepared<{ actionId: StockActionId; strategyId: StrategyId }>()((param) =>
  build
    .selectFrom('adjustments')
    .selectAll()
    .where('action_id', '=', param('actionId'))
    .where('strategy_id', '=', param('strategyId')),
);
const pageOfAdjustments = pages('adjustments', adjustmentColumns.load, 'strategy_id');
const ledgerOf = prepared<{ strategyId: StrategyId }>()((param) =>
  build
    .selectFrom('adjustments')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .orderBy('created_at')
    .orderBy('id'),
);
const addAdjustment = insert('adjustments', adjustmentColumns, 'id');

export const sqlAdjustments = (session: Session): AdjustmentStore => ({
  find: async (actionId, strategyId) => {
    const row = await session.row(adjustmentOf({ actionId, strategyId }));
    return row && adjustmentColumns.load(row);
  },
  list: async (strategyId, page) => pageOfAdjustments(session, { strategy_id: strategyId }, page),
  ledger: async (strategyId) =>
    (await session.rows(ledgerOf({ strategyId }))).map(adjustmentColumns.load),
  save: async (adjustment) => void session.write(addAdjustment(adjustment)),
});
