import {
  type AccountBucket,
  type Bot,
  type BotAccountView,
  type BotLimits,
  type BotOrderView,
  type Breach,
  type Decimal,
  type KeptHolding,
  type RebalanceOrder,
  decimalText,
  reasonOf,
} from '@slipstream/domain';
import type { z } from 'zod';
import type {
  botResource,
  botOrderResource,
  botAccountResource,
  botHistoryRowResource,
  botPreviewResource,
} from './resources.js';
import { presentRebalance } from './rebalance.js';
import { timeText, orNull, timeOrNull } from '../fields/output.js';

const presentLimits = (limits: BotLimits): z.infer<typeof botResource>['limits'] => ({
  max_capital: orNull(limits.maxCapital),
  max_order: orNull(limits.maxOrder),
  max_gross: orNull(limits.maxGross),
  max_per_stock: orNull(limits.maxPerStock),
  max_orders_per_day: limits.maxOrdersPerDay,
  max_turnover_per_day: orNull(limits.maxTurnoverPerDay),
  max_daily_loss: orNull(limits.maxDailyLoss),
  max_drawdown: orNull(limits.maxDrawdown),
});

const presentBreach = ({ limit, at, equity, from }: Breach) => ({
  limit,
  at: timeText(at),
  equity: decimalText(equity),
  from: decimalText(from),
});

/** Spec 2.7 with what contract 2 adds; the credentials stay inside. */
export const presentBot = (bot: Bot): z.infer<typeof botResource> => ({
  bot_id: bot.id,
  user_id: bot.userId,
  name: bot.name,
  leverage: decimalText(bot.leverage),
  slippage: decimalText(bot.slippage),
  price_collar: decimalText(bot.priceCollar),
  max_spread: orNull(bot.maxSpread),
  limits: presentLimits(bot.limits),
  on_breach: bot.onBreach,
  breach: bot.breach && presentBreach(bot.breach),
  rebalance: presentRebalance(bot.rebalance),
  rebalance_on_start: bot.rebalanceOnStart,
  close_on_stop: bot.closeOnStop,
  existing_positions: bot.existingPositions,
  mode: bot.mode,
  join: bot.join,
  allow_stocks: bot.allowStocks && [...bot.allowStocks],
  deny_stocks: [...bot.denyStocks],
  dry_run: bot.dryRun,
  broker: bot.broker,
  type: bot.type,
  live: bot.live,
  account_id: bot.accountId,
  status: bot.status,
  notifications: [...bot.notifications],
  updated_at: timeText(bot.updatedAt),
  created_at: timeText(bot.createdAt),
  condition: bot.condition,
  allocations: bot.allocations.map(({ strategyId, percent }) => ({
    strategy_id: strategyId,
    percent: decimalText(percent),
  })),
  drift: orNull(bot.drift),
  status_reason: reasonOf(bot),
  next_run_at: timeOrNull(bot.nextRunAt),
  last_rebalanced_at: timeOrNull(bot.lastRebalancedAt),
});

/** An order of a bot at its broker; amounts in units of the account. */
export const presentBotOrder = (order: BotOrderView): z.infer<typeof botOrderResource> => ({
  bot_order_id: order.id,
  bot_id: order.botId,
  cycle: order.cycle,
  stock_id: order.stockId,
  symbol: order.symbol,
  action: order.action,
  amount: decimalText(order.amount),
  limit_price: orNull(order.limitPrice),
  intent: order.intent,
  trade_ids: [...order.tradeIds],
  strategy_price: orNull(order.strategyPrice),
  slippage: orNull(order.slippage),
  planned_price: orNull(order.plannedPrice),
  status: order.status,
  filled_amount: decimalText(order.filledAmount),
  filled_price: orNull(order.filledPrice),
  fee: orNull(order.fee),
  reason: order.reason,
  updated_at: timeText(order.updatedAt),
  created_at: timeText(order.createdAt),
});

/** Contract 4 and 14, `getBotAccount`. */
export const presentBotAccount = (account: BotAccountView): z.infer<typeof botAccountResource> => ({
  equity: decimalText(account.equity),
  cash: decimalText(account.cash),
  managed_equity: decimalText(account.managedEquity),
  positions: account.positions.map(({ kept, against, ...holding }) => ({
    ...presentHolding(holding),
    kept: decimalText(kept),
    weight: orNull(against && against.weight),
    target_weight: orNull(against && against.target),
    difference: orNull(against && against.difference),
  })),
  missing: account.missing.map(({ stockId, symbol, target, difference }) => ({
    stock_id: stockId,
    symbol,
    target_weight: decimalText(target),
    difference: decimalText(difference),
  })),
  kept: account.kept.map(presentHolding),
  drift: orNull(account.drift),
});

const presentHolding = ({ stockId, symbol, amount, price, value }: KeptHolding) => ({
  stock_id: stockId,
  symbol,
  amount: decimalText(amount),
  price: decimalText(price),
  value: decimalText(value),
});

/** Contract 17, `getBotHistory`. */
export const presentBotHistoryRow = ({
  at,
  equity,
  cash,
  flow,
  target,
}: AccountBucket): z.infer<typeof botHistoryRowResource> => ({
  at: timeText(at),
  equity: decimalText(equity),
  cash: decimalText(cash),
  flow: orNull(flow),
  target: orNull(target),
});

/** Contract 10, `previewBot`. */
export const presentBotPreview = (preview: {
  readonly account: {
    readonly label: string;
    readonly live: boolean;
    readonly equity: Decimal;
    readonly cash: Decimal;
  };
  readonly kept: readonly { readonly stockId: string; readonly amount: Decimal }[];
  readonly orders: readonly RebalanceOrder[];
  readonly limits: BotLimits;
  readonly warnings: readonly string[];
}): z.infer<typeof botPreviewResource> => ({
  account: {
    label: preview.account.label,
    live: preview.account.live,
    equity: decimalText(preview.account.equity),
    cash: decimalText(preview.account.cash),
  },
  kept: preview.kept.map(({ stockId, amount }) => ({
    stock_id: stockId,
    amount: decimalText(amount),
  })),
  orders: preview.orders.map(({ stockId, action, amount, limit, intent }) => ({
    stock_id: stockId,
    action,
    amount: decimalText(amount),
    limit: orNull(limit),
    intent,
  })),
  limits: presentLimits(preview.limits),
  warnings: [...preview.warnings],
});
