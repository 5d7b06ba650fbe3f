import { type Decimal, ZERO } from '../numbers/decimal.js';
import type { StockId } from '../ids.js';

/** A holding in a brokerage account. */
export interface BrokerPosition {
  readonly stockId: StockId;
  /** Signed, in shares or coins. */
  readonly amount: Decimal;
  /** Market price the broker values it at. */
  readonly price: Decimal;
  /** Signed, in the account's currency. */
  readonly value: Decimal;
}

/** The account as the broker now reports it. Never from memory: a position that cannot be read is not flat. */
export interface BrokerAccount {
  readonly equity: Decimal;
  readonly cash: Decimal;
  /** Largest gross exposure as a multiple of equity. */
  readonly maxGross: Decimal;
  readonly positions: readonly BrokerPosition[];
}

/** How a broker lets a stock be traded. */
export interface TradingRules {
  /** Smallest order by value, in the account's currency. */
  readonly minTotal: Decimal;
  /** Smallest order by amount. */
  readonly minAmount: Decimal;
  /** Amounts are whole multiples of it. */
  readonly amountStep: Decimal;
  readonly allowsShort: boolean;
  /** False when one order may not turn a long position into a short one. */
  readonly crossesZero: boolean;
  /** True while orders in this stock can execute. */
  readonly open: boolean;
}

/** A stock as a bot's plan sees it: what it costs and how this broker lets it be traded. */
export interface TradedStock {
  /** For people. */
  readonly symbol: string;
  /** Fraction. */
  readonly fee: Decimal;
  readonly bid: Decimal;
  readonly ask: Decimal;
  readonly rules: TradingRules;
}

/** The signed value held, zero when none. */
export const heldValue = (account: BrokerAccount, stockId: StockId): Decimal =>
  account.positions.find((position) => position.stockId === stockId)?.value ?? ZERO;

/** The signed amount held, zero when none. */
export const heldAmount = (account: BrokerAccount, stockId: StockId): Decimal =>
  account.positions.find((position) => position.stockId === stockId)?.amount ?? ZERO;
