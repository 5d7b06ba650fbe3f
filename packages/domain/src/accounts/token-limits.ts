import { type Decimal, ZERO, decimalText, max } from '../numbers/decimal.js';
import { Refusal } from '../refusal.js';

/** How much a token may increase a strategy in a day (UTC, contract 13); null is no limit. Reductions never count. */
export interface TokenLimits {
  /** The notional of the orders that open or add, as a multiple of strategy_value. */
  readonly maxNotionalPerDay: Decimal | null;
  readonly maxOrdersPerDay: number | null;
}

/** The limits that a new token is given; those of its maker hold where one is absent. */
export type GivenTokenLimits = {
  readonly [Name in keyof TokenLimits]?: TokenLimits[Name] | undefined;
};

const more = (name: string, most: string): Refusal =>
  new Refusal(
    'invalid_field',
    `limits.${name} must not be more than ${most}, which the calling token has`,
  );

/**
 * The limits of a token made by one with those of `parent`; null if it has none.
 * @throws {Refusal} `invalid_field` for more than the parent has.
 */
export function limitsUnder(
  parent: TokenLimits | null,
  given: GivenTokenLimits = {},
): TokenLimits | null {
  const { maxNotionalPerDay: notional = null, maxOrdersPerDay: orders = null } = parent ?? {};
  const { maxNotionalPerDay = notional, maxOrdersPerDay = orders } = given;
  if (notional && !maxNotionalPerDay?.lte(notional))
    throw more('max_notional_per_day', decimalText(notional));
  if (orders !== null && (maxOrdersPerDay === null || maxOrdersPerDay > orders))
    throw more('max_orders_per_day', String(orders));
  if (maxNotionalPerDay === null && maxOrdersPerDay === null) return null;
  return { maxNotionalPerDay, maxOrdersPerDay };
}

/** Orders that open or add, with their notional as a multiple of strategy_value. */
export interface Increases {
  readonly orders: number;
  readonly notional: Decimal;
}

/** No increase. */
export const NO_INCREASES: Increases = { orders: 0, notional: ZERO };

/**
 * Refuses increases beyond the limits of a token, after those that it made on the same day.
 * @throws {Refusal} `token_limit`.
 */
export function requireWithinLimits(
  { maxNotionalPerDay, maxOrdersPerDay }: TokenLimits,
  before: Increases,
  asked: Increases,
): void {
  const hint = 'the count begins anew at 00:00 UTC; orders that only reduce are never limited';
  if (maxOrdersPerDay !== null && before.orders + asked.orders > maxOrdersPerDay) {
    throw new Refusal(
      'token_limit',
      `this token may place ${maxOrdersPerDay} orders a day that open or add in a strategy, and has placed ${before.orders}: ${hint}`,
    );
  }
  if (maxNotionalPerDay && before.notional.plus(asked.notional).gt(maxNotionalPerDay)) {
    const left = max(ZERO, maxNotionalPerDay.minus(before.notional));
    throw new Refusal(
      'token_limit',
      `this token may open and add ${decimalText(maxNotionalPerDay)} of strategy_value a day in a strategy; ${decimalText(left)} is left, and this needs ${decimalText(asked.notional)}: ${hint}`,
    );
  }
}
