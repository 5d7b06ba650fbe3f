import { type Decimal, decimal } from '@slipstream/domain';

const HUNDRED = decimal('100');
/** All amounts are in it. */
export const CURRENCY = 'usd';

/** Stripe counts in cents. */
export const centsOf = (amount: Decimal): number => Number(amount.times(HUNDRED).toFixed(0));
