import { STOCK_ACTION_KINDS } from '@slipstream/domain';
import { z } from 'zod';
import { decimalOut, idOut, timestampOut } from './output.js';

const figures = {
  stock_id: idOut,
  kind: z.enum(STOCK_ACTION_KINDS),
  ratio: decimalOut.nullable().meta({ description: 'Of a split: new shares for an old one.' }),
  amount: decimalOut.nullable().meta({
    description: 'Cash a share, market price: a dividend, or what a delisting settled at.',
  }),
};

/** Contract 3, "Corporate actions". */
export const stockActionResource = z
  .object({
    stock_action_id: idOut,
    ...figures,
    new_shares: decimalOut.nullable().meta({ description: 'Of a split, with old_shares: exact.' }),
    old_shares: decimalOut.nullable(),
    created_at: timestampOut,
  })
  .meta({ id: 'StockAction' });

/** What an action did to a strategy: part of its ledger. */
export const adjustmentResource = z
  .object({
    stock_action_id: idOut,
    strategy_id: idOut,
    ...figures,
    amount_before: decimalOut,
    amount_after: decimalOut,
    total: decimalOut.meta({
      description: 'Booked to cash, normalized; negative when owed. The dividends of the ledger.',
    }),
    created_at: timestampOut,
    adjustment_id: idOut,
  })
  .meta({ id: 'StockActionEntry' });
