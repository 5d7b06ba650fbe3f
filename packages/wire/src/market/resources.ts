import { z } from 'zod';
import { SECURITIES, STOCK_STATUSES, STOCK_ACTION_KINDS } from '@slipstream/domain';
import { idOut, decimalOut, timestampOut } from '../fields/output.js';

const stockFields = {
  stock_id: idOut,
  figi_composite: z.string().nullable(),
  symbol: z.string(),
  name: z.string(),
  sector: z.string(),
  security: z.enum(SECURITIES),
  exchange: z.string(),
  stock: z.string(),
  peg: z.string(),
  provider: z.string(),
  slippage: decimalOut,
  fee: decimalOut,
  links: z.record(z.string(), z.string()),
  stock_status: z.enum(STOCK_STATUSES),
  bid: decimalOut.nullable(),
  ask: decimalOut.nullable(),
  last: decimalOut.nullable(),
};
/** Spec 2.5; the prices are null before the first quote. */
export const stockResource = z.object(stockFields).meta({ id: 'Stock' });
/** Contract 7, `newQuotes`. */
export const acceptedQuotesResource = z
  .object({
    accepted: z.int(),
    rejected: z.array(z.object({ index: z.int(), reason: z.string() })),
  })
  .meta({ id: 'AcceptedQuotes' });

const figures = {
  stock_id: idOut,
  kind: z.enum(STOCK_ACTION_KINDS),
  ratio: decimalOut.nullable().meta({ description: 'Of a split: new shares for an old one.' }),
  amount: decimalOut.nullable().meta({
    description: 'Market price: a dividend per share, or the final price of a delisting.',
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

/** The effect of an action on a strategy: part of its ledger. */
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
