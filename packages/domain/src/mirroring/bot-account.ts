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
  /** The value that increases may have now, by the broker's own check; `checkReserve` is added to each order there. */
  readonly buyingPower: Decimal;
  /** Largest gross exposure as a multiple of equity. */
  readonly maxGross: Decimal;
  readonly positions: readonly BrokerPosition[];
  /** What is held as well of instruments that its broker has no price of, in neither `equity` nor `positions`. */
  readonly unpriced?: readonly Pick<BrokerPosition, 'stockId' | 'amount'>[];
  /** `closing`: only orders that reduce are taken. `nothing`: the account is blocked. */
  readonly allows: 'all' | 'closing' | 'nothing';
  /** Why not everything is allowed, in the broker's words; null when it is, or when the broker does not say. */
  readonly because: string | null;
}

/** How a broker lets a stock be traded. */
export interface TradingRules {
  /** Smallest order by value, in the account's currency. */
  readonly minTotal: Decimal;
  /** Smallest order by amount. */
  readonly minAmount: Decimal;
  /** Largest order by value at its limit, where the broker names one. The rest of a move comes by the next plans. */
  readonly maxTotal?: Decimal;
  /** Largest order by amount, likewise. */
  readonly maxAmount?: Decimal;
  /** Amounts are whole multiples of it. */
  readonly amountStep: Decimal;
  /** Short positions are whole multiples of it: a broker may sell fractions, but lend whole shares only. */
  readonly shortStep: Decimal;
  /** Limit prices are whole multiples of it; null when the venue has no limit orders. */
  readonly priceStep: Decimal | null;
  /** Those below one dollar are whole multiples of this one, where the venue has finer steps for them; else absent. */
  readonly priceStepBelowOne?: Decimal;
  /** The fraction of an order's value that the broker adds when it compares the order with `buyingPower`. */
  readonly checkReserve: Decimal;
  readonly allowsShort: boolean;
  /** False when one order may not turn a long position into a short one. */
  readonly crossesZero: boolean;
  /** `open` while orders in this stock can execute; `halted` when only this stock cannot. */
  readonly session: 'open' | 'closed' | 'halted';
}

/** A stock as a bot's plan sees it: what it costs and how this broker lets it be traded. */
export interface TradedStock {
  /** For people. */
  readonly symbol: string;
  /** Fraction. */
  readonly fee: Decimal;
  readonly bid: Decimal;
  readonly ask: Decimal;
  /** How much worse than the quote an order may be filled, as a fraction. */
  readonly collar: Decimal;
  /** Why no order may be sent at these prices, in a few words; null when one may. */
  readonly doubt: string | null;
  readonly rules: TradingRules;
}

type Held = Pick<BrokerAccount, 'positions'>;

/** Lists of positions never change, and a plan asks one for each of hundreds of stocks. */
const byStock = new WeakMap<Held['positions'], ReadonlyMap<StockId, BrokerPosition>>();

/** The holding of that stock; undefined when none. */
export function positionOf({ positions }: Held, stockId: StockId): BrokerPosition | undefined {
  let found = byStock.get(positions);
  if (!found) {
    found = new Map(positions.map((position) => [position.stockId, position]));
    byStock.set(positions, found);
  }
  return found.get(stockId);
}

/** The signed value held, zero when none. */
export const heldValue = (account: Held, stockId: StockId): Decimal =>
  positionOf(account, stockId)?.value ?? ZERO;

/** The signed amount held, zero when none. */
export const heldAmount = (account: Held, stockId: StockId): Decimal =>
  positionOf(account, stockId)?.amount ?? ZERO;
