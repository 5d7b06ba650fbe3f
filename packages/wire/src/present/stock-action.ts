import { type Adjustment, type StockAction, decimalText } from '@slipstream/domain';
import type { z } from 'zod';
import type { adjustmentResource, stockActionResource } from '../resources/index.js';
import { timeText } from './output.js';

const figures = ({ stockId, kind, figure }: Pick<StockAction, 'stockId' | 'kind' | 'figure'>) => ({
  stock_id: stockId,
  kind,
  ratio: kind === 'split' ? decimalText(figure) : null,
  amount: kind === 'split' ? null : decimalText(figure),
});

/** Contract 3, "Corporate actions". */
export const presentStockAction = (action: StockAction): z.infer<typeof stockActionResource> => ({
  stock_action_id: action.id,
  ...figures(action),
  new_shares: action.newShares && decimalText(action.newShares),
  old_shares: action.oldShares && decimalText(action.oldShares),
  created_at: timeText(action.createdAt),
});

/** What a corporate action did to one holding. */
export const presentAdjustment = (row: Adjustment): z.infer<typeof adjustmentResource> => ({
  stock_action_id: row.actionId,
  strategy_id: row.strategyId,
  ...figures(row),
  amount_before: decimalText(row.amountBefore),
  amount_after: decimalText(row.amountAfter),
  total: decimalText(row.cash),
  created_at: timeText(row.createdAt),
  adjustment_id: row.id,
});
