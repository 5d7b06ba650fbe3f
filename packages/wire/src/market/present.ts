import {
  type Adjustment,
  type QuotedStock,
  type StockAction,
  decimalText,
} from '@slipstream/domain';
import type { z } from 'zod';
import type {
  stockResource,
  acceptedQuotesResource,
  stockActionResource,
  adjustmentResource,
} from './resources.js';
import { orNull, timeText } from '../fields/output.js';

/** Spec 2.5. */
export const presentStock = ({ stock, quote }: QuotedStock): z.infer<typeof stockResource> => ({
  stock_id: stock.id,
  figi_composite: stock.figiComposite,
  symbol: stock.symbol,
  name: stock.name,
  sector: stock.sector,
  security: stock.security,
  exchange: stock.exchange,
  stock: stock.stock,
  peg: stock.peg,
  provider: stock.provider,
  slippage: decimalText(stock.slippage),
  fee: decimalText(stock.fee),
  links: { ...stock.links },
  stock_status: stock.status,
  bid: orNull(quote?.bid),
  ask: orNull(quote?.ask),
  last: orNull(quote?.last),
});

/** newQuotes' answer (contract 7). */
export const presentQuoteReport = (report: {
  readonly accepted: number;
  readonly rejected: readonly { readonly index: number; readonly reason: string }[];
}): z.infer<typeof acceptedQuotesResource> => ({
  accepted: report.accepted,
  rejected: report.rejected.map(({ index, reason }) => ({ index, reason })),
});

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

/** The effect of a corporate action on one holding. */
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
