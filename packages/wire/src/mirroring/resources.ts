import { z } from 'zod';
import {
  SECURITIES,
  BOT_STATUSES,
  BOT_MODES,
  JOINS,
  BOT_NOTIFICATIONS,
  BOT_CONDITIONS,
  ACTIONS,
  BOT_ORDER_STATUSES,
  EXISTING_POSITIONS,
  LOSS_LIMITS,
  ON_BREACH,
} from '@slipstream/domain';
import { rebalanceOut } from './rebalance.js';
import { idOut, decimalOut, timestampOut } from '../fields/output.js';

/** Spec 2.7 with what contract 2 adds. */
export const botResource = z
  .object({
    bot_id: idOut,
    user_id: idOut,
    name: z.string().nullable(),
    leverage: decimalOut,
    slippage: decimalOut,
    price_collar: decimalOut,
    max_spread: decimalOut.nullable(),
    limits: z.object({
      max_capital: decimalOut.nullable(),
      max_order: decimalOut.nullable(),
      max_gross: decimalOut.nullable(),
      max_per_stock: decimalOut.nullable(),
      max_orders_per_day: z.int().nullable(),
      max_turnover_per_day: decimalOut.nullable(),
      max_daily_loss: decimalOut.nullable(),
      max_drawdown: decimalOut.nullable(),
    }),
    on_breach: z.enum(ON_BREACH),
    breach: z
      .object({
        limit: z.enum(LOSS_LIMITS),
        at: timestampOut,
        equity: decimalOut,
        from: decimalOut,
      })
      .nullable(),
    rebalance: rebalanceOut,
    rebalance_on_start: z.boolean(),
    close_on_stop: z.boolean(),
    existing_positions: z.enum(EXISTING_POSITIONS),
    mode: z.enum(BOT_MODES),
    join: z.enum(JOINS),
    allow_stocks: z.array(idOut).nullable(),
    deny_stocks: z.array(idOut),
    dry_run: z.boolean(),
    broker: z.string(),
    type: z.enum(SECURITIES),
    live: z.boolean(),
    account_id: z.string(),
    status: z.enum(BOT_STATUSES),
    notifications: z.array(z.enum(BOT_NOTIFICATIONS)),
    updated_at: timestampOut,
    created_at: timestampOut,
    condition: z.enum(BOT_CONDITIONS),
    allocations: z.array(z.object({ strategy_id: idOut, percent: decimalOut })),
    drift: decimalOut.nullable(),
    status_reason: z.string().nullable(),
    next_run_at: timestampOut.nullable(),
    last_rebalanced_at: timestampOut.nullable(),
  })
  .meta({ id: 'Bot' });
/** An order of a bot; amounts in shares or coins. */
export const botOrderResource = z
  .object({
    bot_order_id: idOut,
    bot_id: idOut,
    cycle: z.int(),
    stock_id: idOut,
    symbol: z.string(),
    action: z.enum(ACTIONS),
    amount: decimalOut,
    limit_price: decimalOut.nullable(),
    intent: z.string(),
    trade_ids: z.array(idOut).meta({
      description:
        'The trades of the mirrored strategies that the order follows, newest first, at most 100; empty when it follows none.',
    }),
    strategy_price: decimalOut.nullable().meta({
      description: 'Volume-weighted price of those trades; null when there are none.',
    }),
    slippage: decimalOut.nullable().meta({
      description:
        'filled_price against strategy_price, as a fraction of strategy_price: positive when the account traded at a worse price. Null when one of both is null.',
    }),
    planned_price: decimalOut.nullable().meta({
      description: 'The ask of a buy or the bid of a sell when the bot decided on it.',
    }),
    status: z.enum(BOT_ORDER_STATUSES),
    filled_amount: decimalOut,
    filled_price: decimalOut.nullable(),
    fee: decimalOut.nullable().meta({
      description: 'What the broker charged, in USD; null when it does not tell it with the order.',
    }),
    reason: z.string().nullable(),
    updated_at: timestampOut,
    created_at: timestampOut,
  })
  .meta({ id: 'BotOrder' });
const symbol = z.string().nullable().meta({
  description: 'Null for an instrument that the service does not list.',
});
const targetWeight = decimalOut.meta({
  description:
    'What the bot wants now, within its limits and lists, as a fraction of managed_equity.',
});
const difference = decimalOut.meta({
  description: 'weight less target_weight: positive when more is held than wanted.',
});
/** Contract 4 and 14, `getBotAccount`. */
export const botAccountResource = z
  .object({
    equity: decimalOut,
    cash: decimalOut,
    managed_equity: decimalOut.meta({
      description: 'Equity without kept holdings, in USD; weights are fractions of it.',
    }),
    positions: z
      .array(
        z.object({
          stock_id: idOut,
          symbol,
          amount: decimalOut,
          price: decimalOut,
          value: decimalOut,
          kept: decimalOut,
          weight: decimalOut.nullable().meta({
            description: 'Of the part that the bot manages; null while there is no target.',
          }),
          target_weight: targetWeight.nullable(),
          difference: difference.nullable(),
        }),
      )
      .meta({ description: 'Whole holdings of the account; kept is the part of the owner.' }),
    missing: z
      .array(
        z.object({
          stock_id: idOut,
          symbol: z.string(),
          target_weight: targetWeight,
          difference,
        }),
      )
      .meta({ description: 'Stocks of the target that the account does not hold.' }),
    kept: z
      .array(
        z.object({
          stock_id: idOut,
          symbol,
          amount: decimalOut,
          price: decimalOut,
          value: decimalOut,
        }),
      )
      .meta({ description: 'Holdings, or parts of them, that the bot does not manage.' }),
    drift: decimalOut.nullable(),
  })
  .meta({ id: 'BotAccount' });
/** Contract 17, `getBotHistory`. */
export const botHistoryRowResource = z
  .object({
    at: timestampOut,
    equity: decimalOut.meta({ description: 'USD, without kept positions.' }),
    cash: decimalOut,
    flow: decimalOut.nullable().meta({
      description:
        'What came in less what went out since the row before, in USD; null when it is not known.',
    }),
    target: decimalOut.nullable().meta({
      description:
        "The target's value, 1 at the first start; null while a strategy has no value, or is not followed any more.",
    }),
  })
  .meta({ id: 'BotHistoryRow' });
/** Contract 10, `previewBot`. */
export const botPreviewResource = z
  .object({
    account: z.object({
      label: z.string(),
      live: z.boolean(),
      equity: decimalOut,
      cash: decimalOut,
    }),
    kept: z.array(z.object({ stock_id: idOut, amount: decimalOut })),
    orders: z.array(
      z.object({
        stock_id: idOut,
        action: z.enum(ACTIONS),
        amount: decimalOut,
        limit: decimalOut.nullable(),
        intent: z.string(),
      }),
    ),
    limits: botResource.shape.limits,
    warnings: z.array(z.string()),
  })
  .meta({ id: 'BotPreview' });
