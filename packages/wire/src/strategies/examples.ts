import type { z } from 'zod';
import type { strategyResource, subscriptionResource } from './resources.js';
import { ids, AT } from '../example-ids.js';

export const aStrategy: z.infer<typeof strategyResource> = {
  strategy_id: ids.strategy,
  product_id: 'strategy-4f7c',
  user_id: ids.user,
  owner: { user_id: ids.user, name: 'Ada' },
  type: 'stock',
  private: false,
  name: 'Momentum',
  description: 'Follows the strongest of the large ones.',
  categories: ['momentum'],
  updated_at: AT,
  created_at: AT,
  price: 15,
  subscriber_count: '3',
  strategy_value: '1.2',
  age_days: 41,
  timeframes: [
    {
      timeframe: 'month',
      rank_performance: '2',
      rank_popular: '1',
      rank_trending: '4',
      rank_top: null,
      max_drawdown: '0.031',
      past_value: '1.12',
      return: '0.071428571428571429',
    },
  ],
  closing_only: false,
  ended_at: null,
  basis: 'hypothetical',
  segment_since: AT,
  segments: [
    {
      start: AT,
      end: null,
      basis: 'hypothetical',
      reason: 'created',
      start_value: '1',
      jump: null,
      return: '0.2',
      max_drawdown: '0.031',
      earlier_max_drawdown: null,
    },
  ],
  claimed: { start: AT, end: AT, imported_at: AT },
  owner_trades: { share: '0.98', since: AT, bots: 1 },
};

export const aSubscription: z.infer<typeof subscriptionResource> = {
  subscription_id: ids.subscription,
  strategy_id: ids.strategy,
  user_id: ids.user,
  relation: 'subscriber',
  status: 'active',
  status_reason: null,
  price: 15,
  input_value: '4000',
  input_date: AT,
  input_multiplier: '4000',
  renews_at: null,
  ends_at: null,
  updated_at: AT,
  created_at: AT,
};
