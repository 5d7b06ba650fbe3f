import { type LinkedSource, type PaymentLink, PaymentSourceRefused } from '@slipstream/ports';
import type Stripe from 'stripe';
import { declineOf, refusalOf, unreachable } from './stripe-errors.js';
import { sourceRef } from './stripe-source.js';

/**
 * Checks a payment method with its bank for charges without the payer, and keeps it with a customer of its own; or looks
 * whether a connected account can be paid to. Names and addresses stay where they are.
 */
export async function linkSource(stripe: Stripe, request: PaymentLink): Promise<LinkedSource> {
  try {
    return await (request.direction === 'in'
      ? linkMethod(stripe, request)
      : linkAccount(stripe, request));
  } catch (error) {
    if (error instanceof PaymentSourceRefused) throw error;
    const declined = declineOf(error);
    if (declined !== undefined)
      throw new PaymentSourceRefused(`the card was declined: ${declined}`);
    if (refusalOf(error) !== undefined) {
      throw new PaymentSourceRefused('token is nothing that Stripe knows or can use here');
    }
    throw unreachable(error);
  }
}

async function linkMethod(stripe: Stripe, { userId, token }: PaymentLink): Promise<LinkedSource> {
  const customer = await stripe.customers.create({ metadata: { user_id: userId } });
  const setup = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: token,
    confirm: true,
    usage: 'off_session',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    expand: ['payment_method'],
  });
  const method = setup.payment_method;
  if (setup.status !== 'succeeded' || method === null || typeof method === 'string') {
    throw new PaymentSourceRefused('the bank asks the payer to confirm this payment method first');
  }
  return {
    ref: sourceRef({ customer: customer.id, paymentMethod: method.id }),
    type: method.type,
    description: describe(method),
  };
}

const capitalized = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

function describe({ type, card }: Stripe.PaymentMethod): string {
  if (!card) return capitalized(type.replaceAll('_', ' '));
  return `${capitalized(card.brand)} ending in ${card.last4}`;
}

async function linkAccount(stripe: Stripe, { token }: PaymentLink): Promise<LinkedSource> {
  const account = await stripe.accounts.retrieve(token);
  if (account.capabilities?.transfers !== 'active') {
    throw new PaymentSourceRefused('the connected account cannot be paid to yet');
  }
  return {
    ref: sourceRef({ account: account.id }),
    type: 'account',
    description: `Stripe account ending in ${account.id.slice(-4)}`,
  };
}
