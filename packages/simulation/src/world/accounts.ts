import { type Decimal, ONE, type Stock, divide } from '@slipstream/domain';
import type { Manner } from '../story/story.js';
import type { BotRow } from './rows.js';

/** The name of the simulated broker for bots that trade real money. */
export const REAL_MONEY = 'simulated_live';

/** An order in the broker's records. */
export interface KeptOrder {
  readonly clientOrderId: string;
  readonly stockId: string;
  readonly action: 'buy' | 'sell';
  readonly amount: string;
  readonly status: 'open' | 'filled' | 'cancelled' | 'rejected';
  readonly filledAmount: string;
}

/** An account in the broker's records. */
export interface KeptAccount {
  readonly cash: string;
  readonly amounts: Readonly<Record<string, string>>;
  readonly orders: readonly KeptOrder[];
}

/** A trade of an account's owner, at the market. */
export interface TradeByHand {
  readonly stock: Stock;
  /** A sale if negative. */
  readonly dollars: number;
  /** Of one. */
  readonly price: Decimal;
  /** How often the owners have traded. */
  readonly count: number;
}

/** The broker's own world, which continues when the core's process ends. */
export interface Accounts {
  account(accountId: string): KeptAccount | undefined;
  accounts(): ReadonlyMap<string, KeptAccount>;
  tradeByHand(bot: BotRow, trade: TradeByHand): Promise<void>;
}

export interface SideOptions {
  readonly strict: boolean;
  readonly dedupes: boolean;
  readonly manners: readonly Manner[];
}

/** How much a trade by hand is over. */
export const amountByHand = ({ dollars, price }: TradeByHand): Decimal =>
  divide(ONE.times(String(Math.abs(dollars))), price).round(0, 3);
