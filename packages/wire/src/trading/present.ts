import {
  type MaxOrderSizeView,
  type OrderView,
  type PlanPreviewView,
  type PositionView,
  type PositionsView,
  type TradeView,
  decimalText,
} from '@slipstream/domain';
import type { z } from 'zod';
import { presentStock } from '../market/present.js';
import type {
  orderResource,
  positionResource,
  positionsResource,
  positionValuesResource,
  tradeResource,
  maxOrderSizeResource,
  planPreviewResource,
} from './resources.js';
import { timeText, timeOrNull, orNull } from '../fields/output.js';

/**
 * Spec 2.6 with the additions of contract 2: the stock's record and the order's. All fields are written out, because
 * spreading the stock's record into forty fields would cost more than all the rest.
 */
export function presentOrder(view: OrderView): z.infer<typeof orderResource> {
  const { order } = view;
  const stock = presentStock(view);
  const { pricing, size } = order;
  const filled = order.status === 'filled' ? order : undefined;
  const closed = order.status === 'open' ? undefined : order;
  return {
    stock_id: stock.stock_id,
    figi_composite: stock.figi_composite,
    symbol: stock.symbol,
    name: stock.name,
    sector: stock.sector,
    security: stock.security,
    exchange: stock.exchange,
    stock: stock.stock,
    peg: stock.peg,
    provider: stock.provider,
    slippage: stock.slippage,
    fee: stock.fee,
    links: stock.links,
    stock_status: stock.stock_status,
    bid: stock.bid,
    ask: stock.ask,
    last: stock.last,
    order_id: order.id,
    strategy_id: order.strategyId,
    type: pricing.type,
    action: order.action,
    stop_price: 'stopPrice' in pricing ? decimalText(pricing.stopPrice) : null,
    price: 'price' in pricing ? decimalText(pricing.price) : null,
    amount: size.by === 'amount' ? decimalText(size.amount) : null,
    total: size.by === 'total' ? decimalText(size.total) : null,
    created_at: timeText(order.createdAt),
    order_dependencies: [...order.dependsOn],
    order_status: order.status,
    waiting_reason: view.waitingReason,
    order_reason: closed?.reason ?? null,
    reduce_only: order.reduceOnly,
    triggered_at: timeOrNull(order.triggeredAt),
    closed_at: timeOrNull(closed?.closedAt ?? null),
    filled_price: orNull(filled?.filledPrice),
    filled_amount: orNull(filled?.filledAmount),
    filled_total: orNull(filled?.filledTotal),
    fee_total: orNull(filled?.feeTotal),
  };
}

const presentPosition = (
  view: PositionView,
  strategyId: string,
): z.infer<typeof positionResource> => ({
  ...presentStock(view),
  strategy_id: strategyId,
  amount: decimalText(view.position.amount),
  value: orNull(view.value),
  percent: orNull(view.percent),
  average_price: decimalText(view.position.averagePrice),
  realized: decimalText(view.position.realized),
  dividends: decimalText(view.position.dividends),
  unrealized: orNull(view.unrealized),
  updated_at: timeText(view.position.updatedAt),
  created_at: timeText(view.position.createdAt),
});

/** getPositions' answer (contract 2). */
export const presentPositions = (view: PositionsView): z.infer<typeof positionsResource> => ({
  strategy_id: view.strategyId,
  strategy_value: orNull(view.strategyValue),
  cash: decimalText(view.cash),
  version: view.version,
  positions: view.positions.map((position) => presentPosition(position, view.strategyId)),
});

/** Of the positions only what prices change (`valued` of wsPositions). */
export const presentPositionValues = (
  view: PositionsView,
): z.infer<typeof positionValuesResource> => ({
  strategy_id: view.strategyId,
  strategy_value: orNull(view.strategyValue),
  version: view.version,
  positions: view.positions.map(({ stock, quote, value, percent, unrealized }) => ({
    stock_id: stock.id,
    bid: orNull(quote?.bid),
    ask: orNull(quote?.ask),
    last: orNull(quote?.last),
    value: orNull(value),
    percent: orNull(percent),
    unrealized: orNull(unrealized),
  })),
});

/** Contract 2, "Trade". */
export const presentTrade = (trade: TradeView): z.infer<typeof tradeResource> => ({
  trade_id: trade.id,
  order_id: trade.orderId,
  strategy_id: trade.strategyId,
  stock_id: trade.stockId,
  symbol: trade.symbol,
  action: trade.action,
  price: decimalText(trade.price),
  amount: decimalText(trade.amount),
  total: decimalText(trade.total),
  fee_total: decimalText(trade.feeTotal),
  rounding: decimalText(trade.rounding),
  realized: orNull(trade.realized),
  strategy_value: orNull(trade.strategyValue),
  created_at: timeText(trade.createdAt),
  market: trade.market,
  provider: trade.provider,
  quote_bid: orNull(trade.quoteBid),
  quote_ask: orNull(trade.quoteAsk),
  quote_at: timeOrNull(trade.quoteAt),
});

/** getMaxOrderSize's answer: `price` is a market price, `amount` and `total` are normalized. */
export const presentMaxOrderSize = (
  view: MaxOrderSizeView,
): z.infer<typeof maxOrderSizeResource> => ({
  strategy_id: view.strategyId,
  stock_id: view.stockId,
  action: view.action,
  slippage: decimalText(view.slippage),
  price: decimalText(view.price),
  amount: decimalText(view.amount),
  total: decimalText(view.total),
});

/** Contract 3, "Previews". */
export const presentPlanPreview = (view: PlanPreviewView): z.infer<typeof planPreviewResource> => ({
  strategy_value: orNull(view.strategyValue),
  orders: view.orders.map(presentOrder),
  skipped: view.skipped.map(({ stockId, reason }) => ({ stock_id: stockId, reason })),
  buffers: view.buffers.map(({ stockId, buffer }) => ({
    stock_id: stockId,
    buying_power: decimalText(buffer.buyingPower),
    max_order_total: decimalText(buffer.maxOrderTotal),
    conservative_fee_total: decimalText(buffer.conservativeFeeTotal),
    conservative_slippage_total: decimalText(buffer.conservativeSlippageTotal),
    final_buying_power: decimalText(buffer.finalBuyingPower),
  })),
});
