import {
  type BotAccountView,
  type BotHolding,
  type BotOrder,
  type BotOrderView,
  type BrokerAccount,
  type KeptHolding,
  type Market,
  type MissingHolding,
  type Stock,
  type StockId,
  type StockWeight,
  ZERO,
  slippageOf,
  weightsAgainst,
} from '@slipstream/domain';
import { knownStock } from '../trading/order-views.js';
import type { Comparison } from './compare-account.js';

/** An order of a bot as its owner sees it. */
export const viewBotOrder = (order: BotOrder, market: Market<Stock>): BotOrderView => ({
  ...order,
  symbol: knownStock(market, order.stockId).symbol,
  slippage: slippageOf(order),
});

export const viewBotOrders = (orders: readonly BotOrder[], market: Market<Stock>): BotOrderView[] =>
  orders.map((order) => viewBotOrder(order, market));

const NOTHING: Omit<StockWeight, 'stockId'> = { weight: ZERO, target: ZERO, difference: ZERO };

/** A brokerage account as the bot's owner sees it: whole, the bot's part against its target, and the owner's part. */
export function viewBotAccount(
  whole: BrokerAccount,
  managed: BrokerAccount,
  compared: Comparison,
  market: Market<Stock>,
): BotAccountView {
  const symbolOf = (stockId: StockId): string | null => market.stock(stockId)?.symbol ?? null;
  const own = new Map(managed.positions.map((position) => [position.stockId, position]));
  const weights =
    compared.kind === 'compared' ? weightsAgainst(managed, compared.weights) : undefined;
  const against = new Map(weights?.map(({ stockId, ...weight }) => [stockId, weight]));
  const positions = whole.positions.map((position): BotHolding => ({
    ...position,
    symbol: symbolOf(position.stockId),
    kept: position.amount.minus(own.get(position.stockId)?.amount ?? ZERO),
    against: weights ? (against.get(position.stockId) ?? NOTHING) : null,
  }));
  const held = new Set(positions.map(({ stockId }) => stockId));
  const missing = (weights ?? [])
    .filter(({ stockId }) => !held.has(stockId))
    .map((weight): MissingHolding => ({
      ...weight,
      symbol: knownStock(market, weight.stockId).symbol,
    }));
  const kept = positions.flatMap(({ stockId, symbol, kept: amount, price, value }): KeptHolding[] =>
    amount.eq(ZERO)
      ? []
      : [{ stockId, symbol, amount, price, value: value.minus(own.get(stockId)?.value ?? ZERO) }],
  );
  return {
    equity: whole.equity,
    cash: whole.cash,
    managedEquity: managed.equity,
    positions,
    missing,
    kept,
    drift: compared.kind === 'compared' ? compared.drift : null,
  };
}
