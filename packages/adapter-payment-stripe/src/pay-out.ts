import type { PayOutAnswer, PayOutRequest } from '@slipstream/ports';
import type Stripe from 'stripe';
import { callOff } from './call-off.js';
import { CURRENCY, centsOf } from './cents.js';
import { accountRefusalOf, isForbidden, isOfUsedKey, unreachable } from './stripe-errors.js';
import { readSource } from './stripe-source.js';

/**
 * True if the balance that transfers are taken from is known to be smaller. Stripe keeps its refusal of a transfer under the key for
 * a day, so that one which was asked for too early comes a day late. A restricted key may not be allowed to read the balance.
 */
async function isMissing(stripe: Stripe, cents: number): Promise<boolean> {
  try {
    const { available } = await stripe.balance.retrieve();
    const dollars = available.find(({ currency }) => currency === CURRENCY);
    return (dollars?.source_types?.card ?? dollars?.amount ?? 0) < cents;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

/**
 * Whether it was made, at any earlier time: a restored database may have it as not asked for yet. If not, whether there is money for
 * it.
 */
async function stateOf(
  stripe: Stripe,
  { key, amount }: PayOutRequest,
): Promise<'made' | 'missing' | 'payable'> {
  const { data } = await stripe.transfers.list({ transfer_group: key, limit: 1 });
  if (data.length > 0) return 'made';
  return (await isMissing(stripe, centsOf(amount))) ? 'missing' : 'payable';
}

async function transfer(
  stripe: Stripe,
  { key, amount }: PayOutRequest,
  destination: string,
): Promise<PayOutAnswer> {
  try {
    await stripe.transfers.create(
      { amount: centsOf(amount), currency: CURRENCY, destination, transfer_group: key },
      { idempotencyKey: key },
    );
    return { kind: 'done' };
  } catch (error) {
    // Each transfer under the key is the same, so something else has it: it was called off.
    if (isOfUsedKey(error)) return { kind: 'not_made' };
    throw error;
  }
}

/**
 * Moves earnings to a connected account, which pays them out by its own schedule. If the balance is too small, or it is only asked what
 * came of an earlier request, that request is called off; of one that has come to Stripe the outcome is repeated.
 */
export async function payOut(stripe: Stripe, request: PayOutRequest): Promise<PayOutAnswer> {
  const { key, isAgain, isLookup, sourceRef } = request;
  try {
    const source = readSource(sourceRef);
    if (!source || !('account' in source))
      return { kind: 'refused', reason: 'nothing is paid out to it' };
    const state = await stateOf(stripe, request).catch((error: unknown) => {
      if (isAgain) throw error;
      // Of the first request nothing was sent yet.
      return 'missing' as const;
    });
    if (state === 'made') return { kind: 'done' };
    const isLeft = isLookup || state === 'missing';
    if (isLeft && (!isAgain || (await callOff(stripe, key)))) return { kind: 'not_made' };
    return await transfer(stripe, request, source.account);
  } catch (error) {
    const code = accountRefusalOf(error);
    if (code === undefined) throw unreachable(error);
    // The money is still on its way from the charges, and the owner is owed it all the same.
    if (code === 'balance_insufficient') return { kind: 'not_made' };
    return { kind: 'refused', reason: code };
  }
}
