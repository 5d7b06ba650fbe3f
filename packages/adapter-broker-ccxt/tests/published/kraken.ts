import { z } from 'zod';
import { amountText, count, flag, row, seconds, text } from './kinds.js';

/**
 * Fields of the answers of Kraken's REST API for spot trading, with their kinds, as of 2026-11. Sources: its reference
 * (docs.kraken.com/api-reference, "Get Tradable Asset Pairs", "Get Ticker Information", "Get API Key Info", "Get Extended Balance",
 * "Get Open Orders", "Get Closed Orders", "Get Ledgers Info", "Add Order", "Cancel Order"), and the answers that the parsers of ccxt
 * 4.5.84 name.
 */
const answerOf = (result: z.ZodType) =>
  z.union([
    z.strictObject({ error: z.tuple([]), result }),
    z.strictObject({ error: z.array(z.string().regex(/^E[A-Z][A-Za-z]+:./)).min(1) }),
  ]);

const tiers = z.array(z.tuple([z.number(), z.number()]));
const pair = row(
  {
    altname: text,
    base: text,
    quote: text,
    pair_decimals: count,
    lot_decimals: count,
    ordermin: amountText,
    costmin: amountText,
    tick_size: amountText,
    fees: tiers,
    status: z.enum(['online', 'cancel_only', 'post_only', 'limit_only', 'reduce_only']),
  },
  {
    wsname: text,
    aclass_base: text,
    aclass_quote: text,
    lot: text,
    cost_decimals: count,
    lot_multiplier: count,
    leverage_buy: z.array(count),
    leverage_sell: z.array(count),
    fees_maker: tiers,
    fee_volume_currency: text,
    margin_call: count,
    margin_stop: count,
    long_position_limit: count,
    short_position_limit: count,
    execution_venue: text,
  },
);

const level = z.tuple([amountText, amountText, amountText]);
const ofDays = z.tuple([amountText, amountText]);
const ticker = row(
  { b: level, c: ofDays },
  {
    a: level,
    v: ofDays,
    p: ofDays,
    t: z.tuple([count, count]),
    l: ofDays,
    h: ofDays,
    o: amountText,
  },
);

const order = row(
  {
    cl_ord_id: text.nullable(),
    status: z.enum(['pending', 'open', 'closed', 'canceled', 'expired']),
    descr: row(
      { pair: text, type: z.enum(['buy', 'sell']) },
      {
        ordertype: text,
        price: amountText,
        price2: amountText,
        leverage: text,
        order: text,
        close: text,
        aclass: text,
      },
    ),
    vol: amountText,
    vol_exec: amountText,
    price: amountText,
    fee: amountText,
    oflags: text,
  },
  {
    reason: text.nullable(),
    refid: text.nullable(),
    userref: count.nullable(),
    opentm: seconds,
    closetm: seconds,
    starttm: z.number(),
    expiretm: z.number(),
    cost: amountText,
    stopprice: amountText,
    limitprice: amountText,
    trigger: text,
    margin: flag,
    misc: text,
    trades: z.array(text),
  },
);
const ORDER_ID = z.string().regex(/^O[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{6}$/);
const LEDGER_ID = z.string().regex(/^L[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{6}$/);
const orders = z.record(ORDER_ID, order);

const PRIVATE = 'POST /0/private/';

/** By method and path. */
export const KRAKEN_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  'GET /0/public/AssetPairs': answerOf(z.record(z.string(), pair)),
  'GET /0/public/Ticker': answerOf(z.record(z.string(), ticker)),
  [`${PRIVATE}GetApiKeyInfo`]: answerOf(
    row(
      { permissions: z.array(text), iban: z.string().regex(/^[A-Z]{2}\d{2}( [A-Z0-9]{1,4})+$/) },
      {
        apiKeyName: text,
        apiKey: text,
        nonce: text,
        nonceWindow: count,
        validUntil: text,
        queryFrom: text,
        queryTo: text,
        createdTime: text,
        modifiedTime: text,
        ipAllowlist: z.array(text),
        lastUsed: text,
      },
    ),
  ),
  [`${PRIVATE}BalanceEx`]: answerOf(
    z.record(
      z.string(),
      row(
        { balance: amountText, hold_trade: amountText },
        { credit: amountText, credit_used: amountText },
      ),
    ),
  ),
  [`${PRIVATE}OpenOrders`]: answerOf(z.strictObject({ open: orders })),
  [`${PRIVATE}ClosedOrders`]: answerOf(row({ closed: orders }, { count })),
  [`${PRIVATE}Ledgers`]: answerOf(
    row(
      {
        ledger: z.record(
          LEDGER_ID,
          row(
            { time: seconds, type: text, asset: text, amount: amountText, fee: amountText },
            { refid: text, subtype: text, aclass: text, balance: amountText, wallet: text },
          ),
        ),
      },
      { count },
    ),
  ),
  [`${PRIVATE}AddOrder`]: answerOf(
    z.strictObject({ txid: z.tuple([ORDER_ID]), descr: row({ order: text }, { close: text }) }),
  ),
  [`${PRIVATE}CancelOrder`]: answerOf(row({ count }, { pending: flag })),
};
