import { z } from 'zod';
import {
  ACTIONS,
  FILL_MARKETS,
  ORDER_STATUSES,
  ORDER_TYPES,
  WAITING_REASONS,
} from '@slipstream/domain';
import { stockResource } from '../market/resources.js';
import { idOut, decimalOut, timestampOut } from '../fields/output.js';

/** Spec 2.6 with the additions of contract 2. */
export const orderResource = z
  .object({
    ...stockResource.shape,
    order_id: idOut,
    strategy_id: idOut,
    type: z.enum(ORDER_TYPES),
    action: z.enum(ACTIONS),
    stop_price: decimalOut.nullable(),
    price: decimalOut.nullable(),
    amount: decimalOut.nullable(),
    total: decimalOut.nullable(),
    created_at: timestampOut,
    order_dependencies: z.array(idOut),
    order_status: z.enum(ORDER_STATUSES),
    waiting_reason: z.enum(WAITING_REASONS).nullable(),
    order_reason: z.string().nullable(),
    reduce_only: z.boolean(),
    triggered_at: timestampOut.nullable(),
    closed_at: timestampOut.nullable(),
    filled_price: decimalOut.nullable(),
    filled_amount: decimalOut.nullable(),
    filled_total: decimalOut.nullable(),
    fee_total: decimalOut.nullable(),
  })
  .meta({ id: 'Order' });
/** Contract 2, "Position". */
export const positionResource = z
  .object({
    ...stockResource.shape,
    strategy_id: idOut,
    amount: decimalOut,
    value: decimalOut.nullable(),
    percent: decimalOut.nullable(),
    average_price: decimalOut,
    realized: decimalOut,
    unrealized: decimalOut.nullable(),
    dividends: decimalOut.meta({
      description:
        'Booked to cash while the position is open: dividends, and fractions of shares from splits.',
    }),
    updated_at: timestampOut,
    created_at: timestampOut,
  })
  .meta({ id: 'Position' });
/** The positions of a strategy with its cash and version. */
export const positionsResource = z
  .object({
    strategy_id: idOut,
    strategy_value: decimalOut.nullable(),
    cash: decimalOut,
    version: z.int(),
    positions: z.array(positionResource),
  })
  .meta({ id: 'Positions' });
/** What prices change in the positions of a strategy: the event `valued` of wsPositions. */
export const positionValuesResource = positionsResource
  .pick({ strategy_id: true, strategy_value: true, version: true })
  .extend({
    positions: z.array(
      positionResource.pick({
        ...{ stock_id: true, bid: true, ask: true, last: true },
        ...{ value: true, percent: true, unrealized: true },
      }),
    ),
  })
  .meta({ id: 'PositionValues' });
/** Contract 2, "Trade". */
export const tradeResource = z
  .object({
    trade_id: idOut,
    order_id: idOut,
    strategy_id: idOut,
    stock_id: idOut,
    symbol: z.string(),
    action: z.enum(ACTIONS),
    price: decimalOut,
    amount: decimalOut,
    total: decimalOut,
    fee_total: decimalOut,
    rounding: decimalOut,
    realized: decimalOut.nullable().meta({
      description:
        'What the fill added to the realized profit of its position, its fee included. Null if it opened or added, or filled before this was recorded.',
    }),
    strategy_value: decimalOut.nullable(),
    created_at: timestampOut,
    market: z.enum(FILL_MARKETS).meta({
      description:
        'The kind of market of the quote: demo and replay are simulated, push is supplied by the operator. unknown: the fill did not record it.',
    }),
    provider: z.string().nullable().meta({ description: 'The source of the quote.' }),
    quote_bid: decimalOut.nullable().meta({
      description: 'The quote at which it filled; null for a delisting or when not recorded.',
    }),
    quote_ask: decimalOut.nullable(),
    quote_at: timestampOut.nullable(),
  })
  .meta({ id: 'Trade' });
/** Contract 2, "Max order size". */
export const maxOrderSizeResource = z
  .object({
    strategy_id: idOut,
    stock_id: idOut,
    action: z.enum(ACTIONS),
    slippage: decimalOut,
    price: decimalOut,
    amount: decimalOut,
    total: decimalOut,
  })
  .meta({ id: 'MaxOrderSize' });

/** The buffer that sized a target (spec 4.4, "Sizing buffer"), normalized cash. */
const bufferResource = z
  .object({
    stock_id: idOut,
    buying_power: decimalOut,
    max_order_total: decimalOut,
    conservative_fee_total: decimalOut,
    conservative_slippage_total: decimalOut,
    final_buying_power: decimalOut,
  })
  .meta({ id: 'Buffer' });
/** Contract 3, "Previews". */
export const planPreviewResource = z
  .object({
    strategy_value: decimalOut.nullable(),
    orders: z.array(orderResource),
    skipped: z.array(z.object({ stock_id: idOut, reason: z.string() })),
    buffers: z.array(bufferResource),
  })
  .meta({ id: 'PlanPreview' });
