import type { StockAction } from '@slipstream/domain';
import type { AdjustmentStore, StockActionStore } from '@slipstream/ports';
import { byAge, page } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryStockActions = ({ stockActions }: Tables): StockActionStore => ({
  find: async (actionId) => stockActions.get(actionId),
  pending: async () =>
    stockActions
      .values()
      .filter(({ status }) => status === 'pending')
      .toSorted(byAge),
  lastSplits: async () => {
    const splits = stockActions
      .values()
      .filter(({ kind }) => kind === 'split')
      .toSorted(byAge);
    return [...new Map(splits.map((action) => [action.stockId, action])).values()];
  },
  newest: async () => {
    let newest: StockAction | undefined;
    for (const action of stockActions.values())
      if (!newest || byAge(newest, action) < 0) newest = action;
    return newest;
  },
  ofStock: async (stockId, from) =>
    stockActions
      .values()
      .filter((action) => action.stockId === stockId && action.createdAt >= from)
      .toSorted(byAge),
  save: async (action) => stockActions.set(action.id, action),
});

export const memoryAdjustments = ({ adjustments, refuse }: Tables): AdjustmentStore => {
  const find: AdjustmentStore['find'] = async (actionId, strategyId) =>
    adjustments.values().find((row) => row.actionId === actionId && row.strategyId === strategyId);

  return {
    find,
    list: async (strategyId, wanted) => {
      const ofStrategy = adjustments.values().filter((row) => row.strategyId === strategyId);
      return page(ofStrategy, wanted, (cursor) => ofStrategy.find((row) => row.id === cursor));
    },
    ledger: async (strategyId) =>
      adjustments
        .values()
        .filter((row) => row.strategyId === strategyId)
        .toSorted(byAge),
    save: async (adjustment) => {
      const { actionId, strategyId } = adjustment;
      if (await find(actionId, strategyId))
        refuse(`action ${actionId} was applied to strategy ${strategyId} before`);
      adjustments.set(adjustment.id, adjustment);
    },
  };
};
