import type { z } from 'zod';
import type {
  botResource,
  botOrderResource,
  botAccountResource,
  botHistoryRowResource,
  botPreviewResource,
} from './resources.js';
import { ids, AT } from '../example-ids.js';

export const aBot: z.infer<typeof botResource> = {
  bot_id: ids.bot,
  user_id: ids.user,
  name: 'My paper bot',
  leverage: '1',
  slippage: '0.002',
  price_collar: '0.01',
  max_spread: null,
  limits: {
    max_capital: '10000',
    max_order: null,
    max_gross: null,
    max_per_stock: '0.25',
    max_orders_per_day: null,
    max_turnover_per_day: null,
    max_daily_loss: '0.05',
    max_drawdown: null,
  },
  on_breach: 'reduce_only',
  breach: null,
  rebalance: 'every_trade',
  rebalance_on_start: true,
  close_on_stop: false,
  existing_positions: 'take_over',
  mode: 'normal',
  join: 'all',
  allow_stocks: null,
  deny_stocks: [],
  dry_run: false,
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
  symbol: 'AAPL',
  action: 'buy',
  amount: '12.5',
  limit_price: '202.02',
  intent: 'increase to 12.5 from 0',
  trade_ids: [ids.trade],
  strategy_price: '200.01',
  slippage: '0.000049997500124994',
  planned_price: '200.01',
  status: 'filled',
  filled_amount: '12.5',
  filled_price: '200.02',
  fee: '0.5',
  reason: null,
  updated_at: AT,
  created_at: AT,
};

export const aBotAccount: z.infer<typeof botAccountResource> = {
  equity: '10012.5',
  cash: '7512.25',
  managed_equity: '10012.5',
  positions: [
    {
      stock_id: ids.stock,
      symbol: 'AAPL',
      amount: '12.5',
      price: '200.02',
      value: '2500.25',
      kept: '0',
      weight: '0.249712858926342072',
      target_weight: '0.25',
      difference: '-0.000287141073657928',
    },
  ],
  missing: [],
  kept: [],
  drift: '0.004',
};

export const aBotHistoryRow: z.infer<typeof botHistoryRowResource> = {
  at: AT,
  equity: '10012.5',
  cash: '7512.25',
  flow: '0',
  target: '1.0125',
};

export const aBotPreview: z.infer<typeof botPreviewResource> = {
  account: { label: 'simulated account sim-1', live: false, equity: '10012.5', cash: '7512.25' },
  kept: [{ stock_id: ids.stock, amount: '2' }],
  orders: [
    {
      stock_id: ids.stock,
      action: 'buy',
      amount: '12.5',
      limit: '202.02',
      intent: 'Bring AAPL from 0% to 25% of equity.',
    },
  ],
  limits: aBot.limits,
  warnings: [],
};
