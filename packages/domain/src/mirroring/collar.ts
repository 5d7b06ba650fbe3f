import { type Decimal, ONE, TWO, ZERO, decimal, decimalText, divide } from '../numbers/decimal.js';
import type { Quote, Security } from '../market/stock.js';
import type { Action } from '../trading/order.js';
import type { TradingRules } from './bot-account.js';
import { isSamePrice } from './holdings/kept.js';

/** Default distance of an order's limit from the quote, as a fraction of it (contract 10). */
export const DEFAULT_PRICE_COLLAR = {
  stock: decimal('0.01'),
  cryptocurrency: decimal('0.02'),
} as const satisfies Record<Security, Decimal>;

/** Widest spread at which bots trade, unless a bot or the operator says otherwise (contract 10). */
export const DEFAULT_MAX_SPREAD = {
  stock: decimal('0.02'),
  cryptocurrency: decimal('0.03'),
} as const satisfies Record<Security, Decimal>;

type Prices = Pick<Quote, 'bid' | 'ask'>;

/** The distance of bid and ask as a fraction of the price in their middle; 2 when nobody bids. */
export const spreadOf = ({ bid, ask }: Prices): Decimal =>
  divide(ask.minus(bid).times(TWO), ask.plus(bid));

/** Whether the spread is above `maxSpread`, without a rounded quotient. */
export const isTooWide = ({ bid, ask }: Prices, maxSpread: Decimal): boolean =>
  ask.minus(bid).times(TWO).gt(ask.plus(bid).times(maxSpread));

/** How far a limit may be from the quote, and the venue's steps of prices. */
type Within = Pick<TradingRules, 'priceStep' | 'priceStepBelowOne'> & { readonly collar: Decimal };

/**
 * The worst price that an order may be filled at: the quote's far side, worse by `collar`, rounded toward the quote to a price step of
 * the venue. Null where the venue has no limit orders (`priceStep` null). Zero when not even one step is within the collar.
 */
export function collarPrice(
  { bid, ask }: Prices,
  action: Action,
  { collar, priceStep, priceStepBelowOne }: Within,
): Decimal | null {
  if (priceStep === null) return null;
  const isBuy = action === 'buy';
  const worst = isBuy ? ask.times(ONE.plus(collar)) : bid.times(ONE.minus(collar));
  const step = (worst.lt(ONE) && priceStepBelowOne) || priceStep;
  const below = divide(worst, step, 'down', 0).times(step);
  return isBuy || below.eq(worst) ? below : below.plus(step);
}

/** What decides whether a stock's prices are good enough for an order. */
export interface SeenPrices {
  /** The latest quote however old; undefined when there is none. */
  readonly quote: Prices | undefined;
  readonly isFresh: boolean;
  /** The broker's price of what is held; undefined when nothing is. */
  readonly brokerPrice: Decimal | undefined;
  readonly maxSpread: Decimal;
}

const HUNDRED = decimal('100');

/** Why no order may be sent at these prices, in a few words; null when one may (contract 10). */
export function priceDoubt({ quote, isFresh, brokerPrice, maxSpread }: SeenPrices): string | null {
  if (!quote || !isFresh) return 'no fresh quote';
  if (brokerPrice && !isSamePrice(brokerPrice, quote)) {
    const [theirs, ours] = [decimalText(brokerPrice), decimalText(quote.bid)];
    return `the broker's price ${theirs} and ours, ${ours}, differ by more than 10%`;
  }
  if (!quote.bid.gt(ZERO) || isTooWide(quote, maxSpread)) {
    const percent = decimalText(spreadOf(quote).times(HUNDRED).round(2, 3));
    return `the spread of ${percent}% is wider than ${decimalText(maxSpread.times(HUNDRED))}%`;
  }
  return null;
}
