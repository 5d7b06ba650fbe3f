import {
  type Decimal,
  ONE,
  type Security,
  type TradedInstrument,
  TWO,
  type TradingRules,
  ZERO,
  decimal,
} from '@slipstream/domain';

/** How the simulated broker differs from its defaults. */
export interface SimulatedOptions {
  /** Its name; `simulated` by default. */
  readonly name?: string;
  /** Stocks only in whole shares; by default in ten-thousandths. */
  readonly wholeShares?: boolean;
  /** Shorts only in whole multiples of it; as other amounts by default. */
  readonly shortStep?: Decimal;
  /** Accepts an order first and fills it at a later moment of the market; at once by default. */
  readonly acceptsFirst?: boolean;
  /** A cancelled order stays open, and may fill, until a later moment of the market; ends at once by default. */
  readonly slowCancel?: boolean;
  /** Takes the fee of a buy out of what is bought; in cash by default. */
  readonly feeInAsset?: boolean;
  /** The fraction that it adds to an increase when it compares its value with the buying power; zero by default. */
  readonly checkReserve?: Decimal;
  /** One order may turn a long position into a short one; true by default. */
  readonly crossesZero?: boolean;
  /** Smallest order in USD; 1 by default. */
  readonly minTotal?: Decimal;
  /** At most one order a client order id; true by default. */
  readonly dedupes?: boolean;
}

const STOCK_STEP = decimal('0.0001');
const COIN_STEP = decimal('0.00000001');

/** Margin for stocks, cash for coins. */
export const maxGrossOf = (type: Security): Decimal => (type === 'stock' ? TWO : ONE);

/** How `stock` may be traded, its session apart. */
export function rulesFor(
  stock: TradedInstrument,
  options: SimulatedOptions,
): Omit<TradingRules, 'session'> & { readonly priceStep: Decimal } {
  const isStock = stock.security === 'stock';
  const amountStep = isStock ? (options.wholeShares ? ONE : STOCK_STEP) : COIN_STEP;
  return {
    minTotal: options.minTotal ?? ONE,
    minAmount: ZERO,
    amountStep,
    shortStep: options.shortStep ?? amountStep,
    priceStep: isStock ? STOCK_STEP : COIN_STEP,
    checkReserve: options.checkReserve ?? ZERO,
    allowsShort: isStock,
    crossesZero: options.crossesZero ?? true,
  };
}
