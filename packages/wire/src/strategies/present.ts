import {
  type CalculationView,
  type ClaimedHistory,
  type OwnerTrades,
  type StrategyView,
  type Subscription,
  type SegmentView,
  basisOfKind,
  belowZeroPhase,
  currentSegment,
  decimalText,
  kindNow,
} from '@slipstream/domain';
import type { z } from 'zod';
import { presentTimeframe } from '../performance/present.js';
import type {
  claimedResource,
  ownerTradesResource,
  strategyResource,
  subscriptionResource,
  calculationResource,
  segmentResource,
} from './resources.js';
import { timeText, timeOrNull, orNull } from '../fields/output.js';

const presentSegment = (view: SegmentView): z.infer<typeof segmentResource> => ({
  start: timeText(view.start),
  end: timeOrNull(view.end),
  basis: view.basis,
  reason: view.reason,
  start_value: decimalText(view.startValue),
  jump: orNull(view.jump),
  return: orNull(view.return),
  max_drawdown: decimalText(view.maxDrawdown),
  earlier_max_drawdown: orNull(view.earlierMaxDrawdown),
});

const presentOwnerTrades = ({
  share,
  since,
  bots,
}: OwnerTrades): z.infer<typeof ownerTradesResource> => ({
  share: decimalText(share),
  since: timeText(since),
  bots,
});

const presentClaimed = (claimed: ClaimedHistory): z.infer<typeof claimedResource> => ({
  start: timeText(claimed.start),
  end: timeText(claimed.end),
  imported_at: timeText(claimed.importedAt),
});

/** Spec 2.4. */
export const presentStrategy = (view: StrategyView): z.infer<typeof strategyResource> => ({
  strategy_id: view.strategy.id,
  product_id: view.strategy.productId,
  user_id: view.strategy.userId,
  owner: { user_id: view.strategy.userId, name: view.ownerName },
  type: view.strategy.type,
  private: view.strategy.private,
  name: view.strategy.name,
  description: view.strategy.description,
  categories: [...view.strategy.categories],
  updated_at: timeText(view.strategy.updatedAt),
  created_at: timeText(view.strategy.createdAt),
  price: view.strategy.price,
  subscriber_count: String(view.subscriberCount),
  strategy_value: orNull(view.value),
  age_days: view.ageDays,
  timeframes: view.timeframes.map(presentTimeframe),
  closing_only: belowZeroPhase(view.strategy.belowZeroFor) !== 'trades',
  ended_at: timeOrNull(view.strategy.endedAt),
  basis: basisOfKind(kindNow(view.strategy)),
  segment_since: timeOrNull(currentSegment(view.strategy)?.startedAt ?? null),
  segments: view.segments.map(presentSegment),
  owner_trades: view.ownerTrades && presentOwnerTrades(view.ownerTrades),
  claimed: view.strategy.claimed && presentClaimed(view.strategy.claimed),
  ...(view.invitedUserIds && {
    invited_user_ids: [...view.invitedUserIds],
    alert_watch: view.strategy.alertWatch,
  }),
});

/** Contract 2, "Subscription". */
export const presentSubscription = (
  subscription: Subscription,
): z.infer<typeof subscriptionResource> => ({
  subscription_id: subscription.id,
  strategy_id: subscription.strategyId,
  user_id: subscription.userId,
  relation: subscription.relation,
  status: subscription.status,
  status_reason: subscription.statusReason,
  price: subscription.price,
  input_value: orNull(subscription.inputValue),
  input_date: timeOrNull(subscription.inputDate),
  input_multiplier: orNull(subscription.inputMultiplier),
  renews_at: timeOrNull(subscription.renewsAt),
  ends_at: timeOrNull(subscription.endsAt),
  updated_at: timeText(subscription.updatedAt),
  created_at: timeText(subscription.createdAt),
});

/** Contract 2, "Calculation". */
export const presentCalculation = (view: CalculationView): z.infer<typeof calculationResource> => ({
  strategy_id: view.strategyId,
  input_value: decimalText(view.inputValue),
  input_date: timeText(view.inputDate),
  input_multiplier: decimalText(view.inputMultiplier),
  strategy_value: decimalText(view.strategyValue),
  value: decimalText(view.value),
  percent_change: decimalText(view.percentChange),
  positions:
    view.positions &&
    view.positions.map(({ stockId, amount, value }) => ({
      stock_id: stockId,
      amount: decimalText(amount),
      value: orNull(value),
    })),
});
