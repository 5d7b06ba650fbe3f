import { z } from 'zod';
import { amountOrNone, amountText, count, flag, isoTime, row, text } from './kinds.js';

/**
 * Fields of the answers of Coinbase's Advanced Trade API, with their kinds, as of 2026-11. Sources: its reference
 * (docs.cdp.coinbase.com/api-reference/advanced-trade-api, "List Accounts", "List Public Products", "Create Order", "Cancel Orders",
 * "List Orders", "Get Transaction Summary", "Get API Key Permissions"), and the answers that the parsers of ccxt 4.5.84 name.
 */
const product = row(
  {
    product_id: text,
    price: amountOrNone,
    base_currency_id: text,
    quote_currency_id: text,
    base_increment: amountText,
    price_increment: amountText,
    base_min_size: amountText,
    quote_min_size: amountText,
    status: text,
    is_disabled: flag,
    trading_disabled: flag,
    cancel_only: flag,
    post_only: flag,
    auction_mode: flag,
    view_only: flag,
  },
  {
    quote_increment: amountText,
    base_max_size: amountText,
    quote_max_size: amountText,
    limit_only: flag,
    new: flag,
    watched: flag,
    base_name: text,
    quote_name: text,
    display_name: text,
    alias: text,
    alias_to: z.array(text),
    base_display_symbol: text,
    quote_display_symbol: text,
    product_venue: text,
    mid_market_price: amountOrNone,
    volume_24h: amountOrNone,
    price_percentage_change_24h: amountOrNone,
    volume_percentage_change_24h: amountOrNone,
    product_type: z.enum(['SPOT', 'FUTURE']),
  },
);

const money = z.strictObject({ value: amountText, currency: text });
const account = row(
  {
    currency: text,
    available_balance: money,
    hold: money,
    type: z.enum(['ACCOUNT_TYPE_CRYPTO', 'ACCOUNT_TYPE_FIAT', 'ACCOUNT_TYPE_VAULT']),
  },
  {
    uuid: text,
    name: text,
    default: flag,
    active: flag,
    ready: flag,
    created_at: isoTime,
    updated_at: isoTime,
    deleted_at: isoTime.nullable(),
    retail_portfolio_id: text,
    platform: text,
  },
);

const configuration = z.union([
  z.strictObject({
    limit_limit_gtc: z.strictObject({
      base_size: amountText,
      limit_price: amountText,
      post_only: flag,
    }),
  }),
  z.strictObject({ market_market_ioc: z.strictObject({ base_size: amountText }) }),
]);

const STATUSES = [
  'PENDING',
  'OPEN',
  'FILLED',
  'CANCELLED',
  'EXPIRED',
  'FAILED',
  'QUEUED',
  'CANCEL_QUEUED',
] as const;

const order = row(
  {
    order_id: text,
    client_order_id: text,
    product_id: text,
    side: z.enum(['BUY', 'SELL']),
    status: z.enum(STATUSES),
    created_time: isoTime,
    order_configuration: configuration,
    filled_size: amountText,
    average_filled_price: amountOrNone,
    total_fees: amountOrNone,
    pending_cancel: flag,
    reject_message: text,
    cancel_message: text,
  },
  {
    user_id: text,
    filled_value: amountText,
    fee: amountOrNone,
    number_of_fills: amountText,
    completion_percentage: amountText,
    time_in_force: text,
    size_in_quote: flag,
    size_inclusive_of_fees: flag,
    total_value_after_fees: amountText,
    trigger_status: text,
    order_type: text,
    reject_reason: text,
    settled: flag,
    product_type: z.enum(['SPOT', 'FUTURE']),
  },
);

const placed = z.union([
  z.strictObject({
    success: z.literal(true),
    success_response: z.strictObject({
      order_id: text,
      product_id: text,
      side: z.enum(['BUY', 'SELL']),
      client_order_id: text,
    }),
    order_configuration: configuration.optional(),
  }),
  z.strictObject({
    success: z.literal(false),
    error_response: z.strictObject({
      error: text,
      message: text,
      error_details: text,
      preview_failure_reason: text,
      new_order_failure_reason: text.optional(),
    }),
    order_configuration: configuration.optional(),
  }),
]);

/** By method and path. */
export const COINBASE_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  'GET /api/v3/brokerage/market/products': row(
    { products: z.array(product) },
    { num_products: count },
  ),
  'GET /api/v3/brokerage/key_permissions': row(
    { can_view: flag, can_trade: flag, can_transfer: flag, portfolio_uuid: text },
    { portfolio_type: z.enum(['DEFAULT', 'CONSUMER', 'INTX', 'UNDEFINED']) },
  ),
  'GET /api/v3/brokerage/accounts': row(
    { accounts: z.array(account), has_next: flag, cursor: text },
    { size: count },
  ),
  'GET /api/v3/brokerage/transaction_summary': row(
    {
      fee_tier: row(
        { taker_fee_rate: amountText },
        { pricing_tier: text, usd_from: text, usd_to: text, maker_fee_rate: amountText },
      ),
    },
    { total_volume: z.number(), total_fees: z.number(), total_balance: text },
  ),
  'GET /api/v3/brokerage/orders/historical/batch': row(
    { orders: z.array(order), has_next: flag, cursor: text },
    { sequence: text },
  ),
  'POST /api/v3/brokerage/orders': placed,
  'POST /api/v3/brokerage/orders/batch_cancel': z.strictObject({
    results: z.array(z.strictObject({ success: flag, failure_reason: text, order_id: text })),
  }),
};
