import type Stripe from 'stripe';
import { isOfUsedKey } from './stripe-errors.js';

/**
 * Has Stripe refuse a charge or a transfer under the key that may still be on its way from a slow server: a key is for one kind of
 * request only, and Stripe keeps it for a day. False if such a request has taken the key already: repeated, it gets its answer.
 */
export async function callOff(stripe: Stripe, key: string): Promise<boolean> {
  const description = `${key} was called off. Nobody pays with this customer.`;
  try {
    await stripe.customers.create({ description }, { idempotencyKey: key });
    return true;
  } catch (error) {
    if (isOfUsedKey(error)) return false;
    throw error;
  }
}
