import { ZERO } from '@slipstream/domain';
import { z } from 'zod';
import { figure, filled, ordered } from '../answers.js';

export const keyInfoAnswer = z.object({
  can_view: z.boolean(),
  can_trade: z.boolean(),
  can_transfer: z.boolean(),
  portfolio_uuid: z.string().min(1),
});

/** Nothing yet. */
const figureOrNone = z.union([figure, z.literal('').transform(() => ZERO)]);

const money = z.object({ value: figure });
export const accountsAnswer = z.object({
  accounts: z.array(
    z.object({
      currency: z.string().min(1),
      available_balance: money,
      hold: money,
      type: z.string(),
    }),
  ),
  has_next: z.boolean(),
  cursor: z.string(),
});
export type AccountRow = z.infer<typeof accountsAnswer>['accounts'][number];

/** Hundreds of them: those that are looked for are checked. */
export const productsAnswer = z.object({
  products: z.custom<readonly unknown[]>((answer) => Array.isArray(answer)),
});
export const productAnswer = z.object({
  base_increment: figure,
  price_increment: figure,
  base_min_size: figure,
  quote_min_size: figure,
  base_max_size: figureOrNone.optional(),
  quote_max_size: figureOrNone.optional(),
});

export const statesAnswer = z.object({
  products: z.array(
    z.object({
      product_id: z.string(),
      price: z.union([figure, z.literal('')]),
      status: z.string(),
      is_disabled: z.boolean(),
      trading_disabled: z.boolean(),
      cancel_only: z.boolean(),
      post_only: z.boolean(),
      auction_mode: z.boolean(),
      view_only: z.boolean(),
    }),
  ),
});
export type StateRow = z.infer<typeof statesAnswer>['products'][number];

export const summaryAnswer = z.object({ fee_tier: z.object({ taker_fee_rate: figure }) });

export const placedAnswer = z.object({
  success: z.literal(true),
  success_response: z.object({
    order_id: z.string().min(1),
    product_id: z.string(),
    side: z.string(),
    client_order_id: z.string(),
  }),
});

/** Of the owner's orders too: only those that are looked for are read in full. */
export const ordersAnswer = z.object({
  orders: z.array(
    z.looseObject({
      client_order_id: z.string().optional(),
      created_time: z.iso.datetime({ offset: true }),
    }),
  ),
  has_next: z.boolean(),
  cursor: z.string().default(''),
});

export const orderAnswer = z.object({
  order_id: z.string().min(1),
  product_id: z.string(),
  side: z.enum(['BUY', 'SELL']),
  status: z.string(),
  /** Ours are over amounts: one over a sum of money is somebody else's. */
  order_configuration: z.record(z.string(), z.looseObject({ base_size: ordered.optional() })),
  filled_size: filled,
  average_filled_price: figureOrNone,
  total_fees: figureOrNone,
  pending_cancel: z.boolean().optional(),
  reject_message: z.string().nullish(),
  cancel_message: z.string().nullish(),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;

export const cancelledAnswer = z.object({
  results: z.array(
    z.object({ success: z.boolean(), failure_reason: z.string(), order_id: z.string() }),
  ),
});
