import { ZERO, decimal } from '@slipstream/domain';
import { z } from 'zod';

const FIGURE = /^-?\d{1,30}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i;

/** Alpaca writes figures as text, in some answers as JSON numbers. */
const figure = z
  .union([z.string(), z.number().transform(String)])
  .refine((text) => FIGURE.test(text), 'must be a number')
  .transform((text) => decimal(text));

/** What is ordered is something, and what is filled of it is not less than nothing. */
const ordered = figure.refine((amount) => amount.gt(ZERO), 'must be positive');
const filled = figure.refine((amount) => amount.gte(ZERO), 'must not be negative');

/** Placeholders of documents are no symbols. */
const symbol = z.string().regex(/^[\w./+^=-]{1,40}$/);

export const accessToken = z.string().regex(/^[\w.~+/=-]{16,4096}$/);

/** What the exchange of a code answers (RFC 6749, 5.1). */
export const tokenAnswer = z.object({
  access_token: accessToken,
  token_type: z.string().regex(/^bearer$/i),
  scope: z.string(),
});

export const accountAnswer = z.object({
  account_number: z.string().min(1),
  status: z.string().min(1),
  crypto_status: z.string().optional(),
  currency: z.string(),
  cash: figure,
  long_market_value: figure,
  short_market_value: figure,
  buying_power: figure,
  non_marginable_buying_power: figure,
  multiplier: figure,
  shorting_enabled: z.boolean(),
  account_blocked: z.boolean(),
  trading_blocked: z.boolean(),
  trade_suspended_by_user: z.boolean(),
});
export type AccountAnswer = z.infer<typeof accountAnswer>;

const positionAnswer = z.object({
  symbol,
  exchange: z.string().optional(),
  asset_class: z.string(),
  qty: figure,
  side: z.enum(['long', 'short']),
  market_value: figure.nullish(),
  current_price: figure.nullish(),
  lastday_price: figure.nullish(),
});
export const positionsAnswer = z.array(positionAnswer);
export type PositionAnswer = z.infer<typeof positionAnswer>;

/** Our orders are over amounts: one over a sum of money (`notional`) is somebody else's. */
export const orderAnswer = z.object({
  id: z.string().min(1),
  client_order_id: z.string().min(1),
  asset_id: z.string().min(1),
  symbol,
  asset_class: z.string(),
  side: z.enum(['buy', 'sell']),
  qty: ordered,
  filled_qty: filled,
  filled_avg_price: figure.nullable(),
  status: z.string().min(1),
  replaced_by: z.string().nullish(),
  commission: figure.nullish(),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;

/** A list of the owner's orders too: only those that are looked for are read in full. */
export const ordersAnswer = z.array(z.looseObject({ client_order_id: z.string() }));

export const clockAnswer = z.object({ is_open: z.boolean(), next_close: z.string().nullish() });

/** An activity beside trades. Deposits have no symbol, and transfers of shares may have no sum of money. */
const activityAnswer = z.object({
  id: z.string().min(1),
  activity_type: z.string().min(1),
  activity_sub_type: z.string().nullish(),
  created_at: z.string().nullish(),
  date: z.string().nullish(),
  net_amount: figure.nullish(),
  qty: figure.nullish(),
  symbol: symbol.nullish(),
  currency: z.string().nullish(),
  status: z.string().nullish(),
});
export const activitiesAnswer = z.array(activityAnswer);
export type ActivityAnswer = z.infer<typeof activityAnswer>;

export const assetAnswer = z.object({
  id: z.string().min(1),
  class: z.string(),
  exchange: z.string(),
  symbol,
  status: z.string(),
  tradable: z.boolean(),
  shortable: z.boolean(),
  /** Of stocks. `easy_to_borrow`, which said it before, is left out since September 2026. */
  borrow_status: z.string().nullish(),
  fractionable: z.boolean(),
  min_order_size: figure.nullish(),
  min_trade_increment: figure.nullish(),
  price_increment: figure.nullish(),
});
export type AssetAnswer = z.infer<typeof assetAnswer>;

/** Over ten thousand of them: checking each would take longer than reading them. Those that are looked for are checked. */
export const assetsAnswer = z.custom<readonly unknown[]>((answer) => Array.isArray(answer));

export const errorAnswer = z.object({ code: z.number(), message: z.string().min(1) });
