import { type Decimal, type Stock, decimal } from '@slipstream/domain';
import { cryptoLots } from '../instruments.js';

const STOCK_PLACES = 2;
/** Of a coin whose venue has no known price step. */
const COIN_PLACES = 4;

/** The decimals of a stock's prices: cents for stocks, the venue's price step for coins. */
export function placesOf({ symbol, security }: Pick<Stock, 'symbol' | 'security'>): number {
  if (security === 'stock') return STOCK_PLACES;
  const step = cryptoLots.get(symbol)?.priceStep.toFixed();
  return step === undefined ? COIN_PLACES : (step.split('.')[1]?.length ?? 0);
}

/** The price of that many steps of the last of `places` decimals. */
export const priceOf = (steps: number, places: number): Decimal =>
  decimal((steps / 10 ** places).toFixed(places));

/** A simulated or replayed price as a binary float, which is exact enough because it is not money. */
export const floatOf = (price: Decimal): number => Number(price.toFixed());
