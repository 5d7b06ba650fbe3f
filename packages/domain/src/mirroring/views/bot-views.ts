import type { StockId } from '../../ids.js';
import { type Decimal, ZERO, divide } from '../../numbers/decimal.js';
import type { StockWeight } from '../rebalance/target.js';
import type { BotOrder } from '../bot.js';
import type { BrokerPosition } from '../bot-account.js';

/** An order of a bot with the symbol of its stock, and its fills against the strategy's. */
export interface BotOrderView extends BotOrder {
  readonly symbol: string;
  /** Fraction of the strategy's price, positive when the account traded at a worse price; null without fills or without trades that it follows. */
  readonly slippage: Decimal | null;
}

/** A holding of a brokerage account: all of it, the owner's part included. */
export interface BotHolding extends BrokerPosition {
  /** Null for an instrument that the service does not list. */
  readonly symbol: string | null;
  /** The owner's part of the amount, which the bot does not trade. */
  readonly kept: Decimal;
  /** The bot's part against its target; null while there is no target, or the bot has no equity. */
  readonly against: Omit<StockWeight, 'stockId'> | null;
}

/** A stock of the target that the bot does not hold. */
export interface MissingHolding extends Omit<StockWeight, 'stockId'> {
  readonly stockId: StockId;
  readonly symbol: string;
}

/** The owner's part of a holding. */
export interface KeptHolding extends BrokerPosition {
  readonly symbol: string | null;
}

/** getBotAccount's answer (contract 4 and 14), in the account's own units. */
export interface BotAccountView {
  readonly equity: Decimal;
  readonly cash: Decimal;
  /** Equity without kept holdings: weights are fractions of it. */
  readonly managedEquity: Decimal;
  readonly positions: readonly BotHolding[];
  readonly missing: readonly MissingHolding[];
  readonly kept: readonly KeptHolding[];
  /** Null while a mirrored value is unavailable. */
  readonly drift: Decimal | null;
}

/** How much worse the order was filled than the trades that it follows, as a fraction of their price; null if one of both has no price. */
export function slippageOf({
  action,
  strategyPrice,
  filledPrice,
}: Pick<BotOrder, 'action' | 'strategyPrice' | 'filledPrice'>): Decimal | null {
  if (!strategyPrice?.gt(ZERO) || !filledPrice) return null;
  const worse =
    action === 'buy' ? filledPrice.minus(strategyPrice) : strategyPrice.minus(filledPrice);
  return divide(worse, strategyPrice);
}
