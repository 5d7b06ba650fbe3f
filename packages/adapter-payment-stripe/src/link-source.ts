import {
  type ConfirmationAnswer,
  type LinkAnswer,
  type LinkedSource,
  type PaymentLink,
  PaymentSourceRefused,
} from '@slipstream/ports';
import type Stripe from 'stripe';
import { accountRefusalOf, declineOf, refusalOf, tellable, unreachable } from './stripe-errors.js';
import { readSource, sourceRef } from './stripe-source.js';

/**
 * Checks a payment method with its bank for charges without the payer, and attaches it to a new customer; or checks
 * whether a connected account can receive transfers. Names and addresses are not sent. A payment method has a ref before it is
 * attached: Stripe lists nobody's by what we know of them.
 */
export async function linkSource(
  stripe: Stripe,
  request: PaymentLink,
  returnUrl: string,
): Promise<LinkAnswer> {
  try {
    return await (request.direction === 'in'
      ? linkMethod(stripe, request, returnUrl)
      : linkAccount(stripe, request));
  } catch (error) {
    if (error instanceof PaymentSourceRefused) throw error;
    const declined = declineOf(error);
    if (declined !== undefined)
      throw new PaymentSourceRefused(`the card was declined: ${declined}`);
    if (accountRefusalOf(error) !== undefined) {
      throw new PaymentSourceRefused('token is nothing that Stripe knows or can use here');
    }
    throw unreachable(error);
  }
}

async function linkMethod(
  stripe: Stripe,
  { userId, sourceId, token, begun }: PaymentLink,
  returnUrl: string,
): Promise<LinkAnswer> {
  const customer = await stripe.customers.create({ metadata: { user_id: userId } });
  const { id } = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: token,
    usage: 'off_session',
    automatic_payment_methods: { enabled: true },
    metadata: { source_id: sourceId },
  });
  const ref = sourceRef({ customer: customer.id, setup: id });
  await begun?.(ref);
  const setup = await stripe.setupIntents.confirm(id, {
    // The address to which the bank's page returns after the payer's confirmation.
    return_url: returnUrl,
    expand: ['payment_method'],
  });
  const linked = linkedBy(setup, customer.id);
  if (setup.status === 'succeeded' && linked) return { kind: 'linked', ...linked };
  if (!isUndecided(setup) || !linked) throw new PaymentSourceRefused(refusalBy(setup));
  const nextAction = {
    url: setup.next_action?.redirect_to_url?.url ?? null,
    clientSecret: setup.client_secret,
  };
  return { ...linked, kind: 'to_confirm', ref, nextAction };
}

const isUndecided = ({ status }: Stripe.SetupIntent): boolean =>
  status === 'requires_action' || status === 'processing';

const refusalBy = ({ last_setup_error }: Stripe.SetupIntent): string =>
  `the card was declined: ${tellable(last_setup_error?.decline_code ?? last_setup_error?.code ?? 'it was not confirmed')}`;

function linkedBy(
  { payment_method: method }: Stripe.SetupIntent,
  customer: string,
): LinkedSource | undefined {
  if (method === null || typeof method === 'string') return undefined;
  const ref = sourceRef({ customer, paymentMethod: method.id });
  return { ref, type: method.type, description: describe(method) };
}

/** The state of the confirmation of a payment method. */
export async function confirmationOf(stripe: Stripe, ref: string): Promise<ConfirmationAnswer> {
  const source = readSource(ref);
  if (!source || !('setup' in source)) {
    return { kind: 'refused', reason: 'Stripe confirms nothing of it' };
  }
  try {
    const setup = await stripe.setupIntents.retrieve(source.setup, { expand: ['payment_method'] });
    if (isUndecided(setup)) return { kind: 'waiting' };
    const linked = linkedBy(setup, source.customer);
    if (setup.status === 'succeeded' && linked) return { kind: 'linked', ...linked };
    return { kind: 'refused', reason: refusalBy(setup) };
  } catch (error) {
    if (refusalOf(error) === undefined) throw unreachable(error);
    return { kind: 'refused', reason: 'Stripe does not know it any more' };
  }
}

const capitalized = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

function describe({ type, card }: Stripe.PaymentMethod): string {
  if (!card) return capitalized(type.replaceAll('_', ' '));
  return `${capitalized(card.brand)} ending in ${card.last4}`;
}

async function linkAccount(stripe: Stripe, { token }: PaymentLink): Promise<LinkAnswer> {
  const account = await stripe.accounts.retrieve(token);
  if (account.capabilities?.transfers !== 'active') {
    throw new PaymentSourceRefused('the connected account cannot be paid to yet');
  }
  return {
    kind: 'linked',
    ref: sourceRef({ account: account.id }),
    type: 'account',
    description: `Stripe account ending in ${account.id.slice(-4)}`,
  };
}

/** Removes a payment method. One that waits for its confirmation cannot be confirmed any more; if it just was, it is removed. */
export async function unlinkSource(stripe: Stripe, ref: string): Promise<void> {
  const source = readSource(ref);
  if (!source || 'account' in source) return;
  try {
    const method =
      'setup' in source ? await confirmedBefore(stripe, source.setup) : source.paymentMethod;
    if (method !== undefined) await stripe.paymentMethods.detach(method);
  } catch (error) {
    if (refusalOf(error) === undefined) throw unreachable(error);
  }
}

/** Ends the confirmation. The payment method if it came too late for that. */
async function confirmedBefore(stripe: Stripe, setupId: string): Promise<string | undefined> {
  try {
    await stripe.setupIntents.cancel(setupId);
    return undefined;
  } catch (error) {
    if (refusalOf(error) === undefined) throw error;
  }
  const { payment_method: method } = await stripe.setupIntents.retrieve(setupId);
  return typeof method === 'string' ? method : method?.id;
}
