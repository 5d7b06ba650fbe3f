import { RELATIONS, SECURITIES, SUBSCRIPTION_STATUSES } from '@slipstream/domain';
import { z } from 'zod';
import { decimalOut, idOut, timestampOut } from './output.js';

/** Spans that performance is told over (spec 2.4). */
export const TIMEFRAMES = ['day', 'week', 'month', 'year', 'five_year'] as const;

/** How a strategy did over one span of time (spec 2.4). */
export const timeframeResource = z
  .object({
    timeframe: z.enum(TIMEFRAMES),
    rank_performance: decimalOut.nullable(),
    rank_popular: decimalOut.nullable(),
    rank_trending: decimalOut.nullable(),
    rank_top: decimalOut.nullable(),
    max_drawdown: decimalOut,
    past_value: decimalOut,
  })
  .meta({ id: 'Timeframe' });
/** Spec 2.4. */
export const strategyResource = z
  .object({
    strategy_id: idOut,
    product_id: idOut,
    user_id: idOut,
    type: z.enum(SECURITIES),
    private: z.boolean(),
    name: z.string(),
    description: z.string(),
    categories: z.array(z.string()),
    updated_at: timestampOut,
    created_at: timestampOut,
    price: z.int(),
    subscriber_count: decimalOut,
    timeframes: z.array(timeframeResource),
    closing_only: z.boolean(),
    ended_at: timestampOut.nullable(),
    invited_user_ids: z
      .array(idOut)
      .optional()
      .meta({ description: 'Who may see it while it is private; told to its owner alone.' }),
  })
  .meta({ id: 'Strategy' });
/** Null while a quote is missing. */
export const strategyValueResource = z
  .object({
    strategy_id: idOut,
    strategy_value: decimalOut.nullable(),
    closing_only: z.boolean(),
    ended_at: timestampOut.nullable(),
  })
  .meta({ id: 'StrategyValue' });
/** One point of a value history. */
export const historyPointResource = z
  .object({ at: timestampOut, strategy_value: decimalOut, high: decimalOut, low: decimalOut })
  .meta({ id: 'HistoryPoint' });
/** Contract 2, "Subscription". */
export const subscriptionResource = z
  .object({
    subscription_id: idOut,
    strategy_id: idOut,
    user_id: idOut,
    relation: z.enum(RELATIONS),
    status: z.enum(SUBSCRIPTION_STATUSES),
    status_reason: z.string().nullable(),
    price: z.int(),
    input_value: decimalOut.nullable(),
    input_date: timestampOut.nullable(),
    input_multiplier: decimalOut.nullable(),
    renews_at: timestampOut.nullable(),
    ends_at: timestampOut.nullable(),
    updated_at: timestampOut,
    created_at: timestampOut,
  })
  .meta({ id: 'Subscription' });
