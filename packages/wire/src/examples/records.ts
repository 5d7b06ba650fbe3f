import type { z } from 'zod';
import type {
  alertResource,
  botAccountResource,
  botOrderResource,
  botResource,
  maxOrderSizeResource,
  orderResource,
  planPreviewResource,
  positionsResource,
  privateUserResource,
  sessionResource,
  stockResource,
  strategyResource,
  subscriptionResource,
  tokenResource,
  tradeResource,
} from '../resources/index.js';
import { AT, ids } from './ids.js';

export const aToken: z.infer<typeof tokenResource> = {
  token_id: ids.token,
  user_id: ids.user,
  holder: ids.user,
  type: 'api',
  name: 'My alerts',
  scope: ['newOrder'],
  strategy_ids: [ids.strategy],
  parent_id: null,
  created_at: AT,
  expires_at: '2027-01-30T14:30:00.000Z',
  renewed_by_use: true,
  last_used_at: null,
};

export const aSession: z.infer<typeof sessionResource> = {
  token: 'the token, shown once',
  token_id: ids.token,
  user_id: ids.user,
  expires_at: '2026-03-01T14:30:00.000Z',
};

export const aPrivateUser: z.infer<typeof privateUserResource> = {
  user_id: ids.user,
  email: 'ada@example.com',
  info: { bio: '', x: '', website: '', youtube: '', telegram: '' },
  commission: 20,
  notifications: ['subscription'],
  payments_enabled: false,
  verified: false,
  second_factor: false,
  ref_id: 'ada-4f7c',
  updated_at: AT,
  created_at: AT,
};

export const aStrategy: z.infer<typeof strategyResource> = {
  strategy_id: ids.strategy,
  product_id: 'strategy-4f7c',
  user_id: ids.user,
  type: 'stock',
  private: false,
  name: 'Momentum',
  description: 'Follows the strongest of the large ones.',
  categories: ['momentum'],
  updated_at: AT,
  created_at: AT,
  price: 15,
  subscriber_count: '3',
  timeframes: [
    {
      timeframe: 'month',
      rank_performance: '2',
      rank_popular: '1',
      rank_trending: '4',
      rank_top: null,
      max_drawdown: '0.031',
      past_value: '1.12',
    },
  ],
  closing_only: false,
  ended_at: null,
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

export const aStock: z.infer<typeof stockResource> = {
  stock_id: ids.stock,
  figi_composite: 'BBG000B9XRY4',
  symbol: 'AAPL',
  name: 'Apple Inc.',
  sector: 'Technology',
  security: 'stock',
  exchange: 'NASDAQ',
  stock: 'AAPL',
  peg: 'USD',
  provider: 'demo',
  slippage: '0.0005',
  fee: '0',
  links: { yahoo_finance: 'https://finance.yahoo.com/quote/AAPL' },
  stock_status: 'active',
  bid: '199.98',
  ask: '200.02',
  last: '200',
};

export const anOrder: z.infer<typeof orderResource> = {
  ...aStock,
  order_id: ids.order,
  strategy_id: ids.strategy,
  type: 'limit',
  action: 'buy',
  stop_price: null,
  price: '195',
  amount: '0.0025',
  total: null,
  created_at: AT,
  order_dependencies: [],
  order_status: 'open',
  waiting_reason: 'price',
  order_reason: null,
  reduce_only: false,
  triggered_at: null,
  closed_at: null,
  filled_price: null,
  filled_amount: null,
  filled_total: null,
  fee_total: null,
};

export const aMarketOrder: z.infer<typeof orderResource> = {
  ...anOrder,
  type: 'market',
  price: null,
  waiting_reason: null,
};

export const somePositions: z.infer<typeof positionsResource> = {
  strategy_id: ids.strategy,
  strategy_value: '1.2',
  cash: '0.70005',
  version: 7,
  positions: [
    {
      ...aStock,
      strategy_id: ids.strategy,
      amount: '0.0025',
      value: '0.49995',
      percent: '0.416625',
      average_price: '180',
      realized: '0',
      dividends: '0',
      unrealized: '0.04995',
      updated_at: AT,
      created_at: AT,
    },
  ],
};

export const aTrade: z.infer<typeof tradeResource> = {
  trade_id: ids.trade,
  order_id: ids.order,
  strategy_id: ids.strategy,
  stock_id: ids.stock,
  action: 'buy',
  price: '195',
  amount: '0.0025',
  total: '0.4875',
  fee_total: '0',
  rounding: '0',
  strategy_value: '1.2',
  created_at: AT,
};

export const aMaxOrderSize: z.infer<typeof maxOrderSizeResource> = {
  strategy_id: ids.strategy,
  stock_id: ids.stock,
  action: 'buy',
  slippage: '0.002',
  price: '200.02',
  amount: '0.009859014098590141',
  total: '1.972',
};

export const aPlanPreview: z.infer<typeof planPreviewResource> = {
  strategy_value: '1',
  orders: [aMarketOrder],
  skipped: [{ stock_id: ids.stock, reason: 'the change is too small' }],
  buffers: [
    {
      stock_id: ids.stock,
      buying_power: '2',
      max_order_total: '4',
      conservative_fee_total: '0.02',
      conservative_slippage_total: '0.008',
      final_buying_power: '1.972',
    },
  ],
};

export const aBot: z.infer<typeof botResource> = {
  bot_id: ids.bot,
  user_id: ids.user,
  leverage: '1',
  slippage: '0.002',
  rebalance_on_start: true,
  close_on_stop: false,
  broker: 'simulated',
  type: 'stock',
  live: false,
  account_id: 'sim-1',
  status: 'running',
  notifications: ['warning', 'error'],
  updated_at: AT,
  created_at: AT,
  condition: 'active',
  allocations: [{ strategy_id: ids.strategy, percent: '1' }],
  drift: '0.004',
  status_reason: null,
  next_run_at: '2026-01-30T14:31:00.000Z',
  last_rebalanced_at: AT,
};

export const aBotOrder: z.infer<typeof botOrderResource> = {
  bot_order_id: 'mzxw6ytboi2gk3tbnzsgk3tfnzsgk3tf',
  bot_id: ids.bot,
  cycle: 3,
  stock_id: ids.stock,
  action: 'buy',
  amount: '12.5',
  intent: 'increase to 12.5 from 0',
  status: 'filled',
  filled_amount: '12.5',
  filled_price: '200.02',
  reason: null,
  updated_at: AT,
  created_at: AT,
};

export const aBotAccount: z.infer<typeof botAccountResource> = {
  equity: '10012.5',
  cash: '7512.25',
  positions: [{ stock_id: ids.stock, amount: '12.5', price: '200.02', value: '2500.25' }],
  drift: '0.004',
};

export const anAlert: z.infer<typeof alertResource> = {
  inbox_id: '01988f4e-0a18-7d64-95c7-5d7c9b1a3e09',
  alert_id: '01988f4e-0a18-7d64-95c7-5d7c9b1a3e09',
  strategy_id: ids.strategy,
  stock_id: ids.stock,
  token_id: ids.token,
  verdict: 'accepted',
  reason: null,
  order_id: ids.order,
  body: '{"strategy_id":"…","stock_id":"AAPL:NASDAQ","action":"buy"}',
  received_at: AT,
};
