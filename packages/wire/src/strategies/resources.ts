import { z } from 'zod';
import {
  BASES,
  SECURITIES,
  SEGMENT_REASONS,
  RELATIONS,
  SUBSCRIPTION_STATUSES,
} from '@slipstream/domain';
import { idOut, timestampOut, decimalOut } from '../fields/output.js';
import { timeframeResource } from '../performance/resources.js';

const basis = z.enum(BASES).meta({
  description:
    "The prices that the figures rest on. simulated: simulated, recorded or unknown ones; supplied: sent by the operator of this service; hypothetical: of real markets, but filled in the strategy's own book.",
});

/** A part of a record on prices of one kind (contract 8). */
export const segmentResource = z
  .object({
    start: timestampOut,
    end: timestampOut.nullable().meta({ description: 'Null while it goes on.' }),
    basis,
    reason: z.enum(SEGMENT_REASONS).meta({
      description:
        'created: with the strategy; market: another kind of prices; gap: the service did not run for more than seven days while positions were open.',
    }),
    start_value: decimalOut,
    jump: decimalOut.nullable().meta({
      description:
        'The change of the value between the segment before and start_value. It counts in no figure.',
    }),
    return: decimalOut.nullable(),
    max_drawdown: decimalOut,
    earlier_max_drawdown: decimalOut.nullable().meta({
      description: 'The worst max_drawdown of earlier segments on the same kind of prices.',
    }),
  })
  .meta({ id: 'Segment' });

/** How much of a strategy its owner trades (contract 8). */
export const ownerTradesResource = z
  .object({
    share: decimalOut.meta({ description: 'From 0.9 to 1, of the notional of the fills.' }),
    since: timestampOut.meta({ description: 'The oldest of these fills.' }),
    bots: z.int(),
  })
  .meta({ id: 'OwnerTrades' });

/** An imported history beside the record (contract 12). */
export const claimedResource = z
  .object({ start: timestampOut, end: timestampOut, imported_at: timestampOut })
  .meta({
    id: 'ClaimedHistory',
    description:
      'The span of a history that the owner imported (getStrategyHistory with claimed). Nobody checked it, and it counts in no figure.',
  });

/** Spec 2.4. */
export const strategyResource = z
  .object({
    strategy_id: idOut,
    product_id: idOut,
    user_id: idOut,
    owner: z.object({ user_id: idOut, name: z.string().nullable() }).meta({ id: 'Owner' }),
    type: z.enum(SECURITIES),
    private: z.boolean(),
    name: z.string(),
    description: z.string(),
    categories: z.array(z.string()),
    updated_at: timestampOut,
    created_at: timestampOut,
    price: z.int(),
    subscriber_count: decimalOut,
    strategy_value: decimalOut.nullable().meta({
      description: 'Now, normalized. Null while a quote is missing.',
    }),
    age_days: z.int().meta({
      description: 'Whole days since segment_since, so min_age_days of findStrategies finds it.',
    }),
    timeframes: z.array(timeframeResource),
    closing_only: z.boolean(),
    ended_at: timestampOut.nullable(),
    basis,
    segment_since: timestampOut.nullable().meta({
      description:
        'No figure of the timeframes reaches back before it. Null while no value of the segment is known yet.',
    }),
    segments: z.array(segmentResource).meta({ description: 'The whole record, oldest first.' }),
    owner_trades: ownerTradesResource.nullable().meta({
      description:
        "The part of the fills of the last 90 days, in the present segment, that the owner's own bots mirrored with real money. Computed once a day; null below 0.9 and while it is not known.",
    }),
    claimed: claimedResource.nullable(),
    invited_user_ids: z
      .array(idOut)
      .optional()
      .meta({ description: 'Users who may see it while it is private; shown only to its owner.' }),
    alert_watch: z.int().nullable().optional().meta({
      description:
        'Trading hours without an alert after which its owner is notified, null for never; shown only to its owner.',
    }),
  })
  .meta({ id: 'Strategy' });
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

/** Contract 2, "Calculation". Positions are null for users who may not see them. */
export const calculationResource = z
  .object({
    strategy_id: idOut,
    input_value: decimalOut,
    input_date: timestampOut,
    input_multiplier: decimalOut,
    strategy_value: decimalOut,
    value: decimalOut,
    percent_change: decimalOut,
    positions: z
      .array(z.object({ stock_id: idOut, amount: decimalOut, value: decimalOut.nullable() }))
      .nullable(),
  })
  .meta({ id: 'Calculation' });
