import { type Decimal, type Stock, decimal } from '@slipstream/domain';
import { cryptoLots } from '../instruments.js';

const STOCK_PLACES = 2;
/** Of a coin whose venue's price step is not known. */
const COIN_PLACES = 4;

/** How many decimals the prices of a stock have: cents for stocks, the venue's price step for coins. */
export function placesOf({ symbol, security }: Pick<Stock, 'symbol' | 'security'>): number {
  if (security === 'stock') return STOCK_PLACES;
  const step = cryptoLots.get(symbol)?.priceStep.toFixed();
  return step === undefined ? COIN_PLACES : (step.split('.')[1]?.length ?? 0);
}

/** The price that is `steps` steps of the last of `places` decimals. */
export const priceOf = (steps: number, places: number): Decimal =>
  decimal((steps / 10 ** places).toFixed(places));

/** A simulated or replayed price as a binary float, which is good enough for what is no money. */
export const floatOf = (price: Decimal): number => Number(price.toFixed());
