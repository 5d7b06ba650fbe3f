import {
  type Decimal,
  type StrategyState,
  type Strategy,
  type Subscription,
  type Timestamp,
  belowZeroPhase,
  decimalText,
} from '@slipstream/domain';
import type { z } from 'zod';
import type {
  TIMEFRAMES,
  historyPointResource,
  strategyResource,
  strategyValueResource,
  subscriptionResource,
  timeframeResource,
} from '../resources/index.js';
import { orNull, timeOrNull, timeText } from './output.js';

/** How a strategy did over one span of time. */
export interface TimeframeFigures {
  readonly timeframe: (typeof TIMEFRAMES)[number];
  readonly rankPerformance: Decimal | null;
  readonly rankPopular: Decimal | null;
  readonly rankTrending: Decimal | null;
  readonly rankTop: Decimal | null;
  readonly maxDrawdown: Decimal;
  readonly pastValue: Decimal;
}

const presentTimeframe = (figures: TimeframeFigures): z.infer<typeof timeframeResource> => ({
  timeframe: figures.timeframe,
  rank_performance: orNull(figures.rankPerformance),
  rank_popular: orNull(figures.rankPopular),
  rank_trending: orNull(figures.rankTrending),
  rank_top: orNull(figures.rankTop),
  max_drawdown: decimalText(figures.maxDrawdown),
  past_value: decimalText(figures.pastValue),
});

/** Spec 2.4. */
export const presentStrategy = (view: {
  readonly strategy: Strategy;
  readonly subscriberCount: number;
  readonly timeframes: readonly TimeframeFigures[];
  readonly invitedUserIds?: readonly string[] | undefined;
}): z.infer<typeof strategyResource> => ({
  strategy_id: view.strategy.id,
  product_id: view.strategy.productId,
  user_id: view.strategy.userId,
  type: view.strategy.type,
  private: view.strategy.private,
  name: view.strategy.name,
  description: view.strategy.description,
  categories: [...view.strategy.categories],
  updated_at: timeText(view.strategy.updatedAt),
  created_at: timeText(view.strategy.createdAt),
  price: view.strategy.price,
  subscriber_count: String(view.subscriberCount),
  timeframes: view.timeframes.map(presentTimeframe),
  closing_only: belowZeroPhase(view.strategy.belowZeroFor) !== 'trades',
  ended_at: timeOrNull(view.strategy.endedAt),
  ...(view.invitedUserIds && { invited_user_ids: [...view.invitedUserIds] }),
});

/** A record of getStrategyValues; the value stream's data. */
export const presentStrategyValue = (view: {
  readonly strategyId: string;
  readonly strategyValue: Decimal | null;
  readonly state: StrategyState;
}): z.infer<typeof strategyValueResource> => ({
  strategy_id: view.strategyId,
  strategy_value: orNull(view.strategyValue),
  closing_only: view.state.closingOnly,
  ended_at: timeOrNull(view.state.endedAt),
});

/** One point of a value history; values are normalized. */
export const presentHistoryPoint = (point: {
  readonly at: Timestamp;
  readonly value: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
}): z.infer<typeof historyPointResource> => ({
  at: timeText(point.at),
  strategy_value: decimalText(point.value),
  high: decimalText(point.high),
  low: decimalText(point.low),
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
