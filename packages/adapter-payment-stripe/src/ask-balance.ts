import { CURRENCY } from './cents.js';
import { type StripeAccess, newStripe } from './new-stripe.js';

/**
 * Whether the account keeps a balance in USD, from which payouts are made: one that turns all it gets into another currency has none.
 * Undefined if that is not known, for example because the key is restricted. Changes nothing.
 */
export async function keepsDollars(access: StripeAccess): Promise<boolean | undefined> {
  try {
    const { available, pending } = await newStripe(access).balance.retrieve();
    return [...available, ...pending].some(({ currency }) => currency === CURRENCY);
  } catch {
    return undefined;
  }
}
