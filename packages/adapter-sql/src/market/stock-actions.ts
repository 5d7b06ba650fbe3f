import type { StockActionId, StockId, StrategyId, Timestamp } from '@slipstream/domain';
import type { AdjustmentStore, StockActionStore } from '@slipstream/ports';
import { build, insert, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { pages } from '../storage/pages.js';
import { adjustmentColumns, stockActionColumns } from './columns.js';

const actionById = rowBy('stock_actions', 'id');
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
const newestAction = prepared<object>()(() =>
  build
    .selectFrom('stock_actions')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1),
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
  find: (id) => session.find(actionById(id), stockActionColumns.load),
  pending: () => session.list(pendingActions({}), stockActionColumns.load),
  lastSplits: async () => {
    const known = session.records.get('splits', '');
    if (known) return known.last;
    const splits = await session.list(allSplits({}), stockActionColumns.load);
    const last = [...new Map(splits.map((action) => [action.stockId, action])).values()];
    session.records.read('splits', '', { last });
    return last;
  },
  newest: async () => {
    const known = session.records.get('newestAction', '');
    if (known) return known.action;
    const action = await session.find(newestAction({}), stockActionColumns.load);
    session.records.read('newestAction', '', { action });
    return action;
  },
  ofStock: (stockId, from) =>
    session.list(actionsOfStock({ stockId, from }), stockActionColumns.load),
  save: async (action) => {
    session.write(saveAction(action));
    session.records.written('splits', '', undefined);
    session.records.written('newestAction', '', undefined);
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
  find: (actionId, strategyId) =>
    session.find(adjustmentOf({ actionId, strategyId }), adjustmentColumns.load),
  list: async (strategyId, page) => pageOfAdjustments(session, { strategy_id: strategyId }, page),
  ledger: (strategyId) => session.list(ledgerOf({ strategyId }), adjustmentColumns.load),
  save: async (adjustment) => void session.write(addAdjustment(adjustment)),
});
