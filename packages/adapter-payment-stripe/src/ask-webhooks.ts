import Stripe from 'stripe';
import { type StripeAccess, newStripe } from './new-stripe.js';
import { unreachable } from './stripe-errors.js';

/** A webhook of the account: Stripe posts these events to that address. */
export interface StripeWebhook {
  readonly url: string;
  /** Names of events; `*` is every event. */
  readonly events: readonly string[];
}

/** What Stripe answers to a key: its account's webhooks that are enabled, or why they are not known. `reason` holds no secret. */
export type WebhooksAnswer =
  | { readonly kind: 'told'; readonly webhooks: readonly StripeWebhook[] }
  | { readonly kind: 'key_refused' }
  /** The key is right, and restricted. */
  | { readonly kind: 'not_allowed' }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Asks for the webhooks of the account. Changes nothing. */
export async function askWebhooks(access: StripeAccess): Promise<WebhooksAnswer> {
  try {
    const { data } = await newStripe(access).webhookEndpoints.list({ limit: 100 });
    const webhooks = data
      .filter(({ status }) => status === 'enabled')
      .map(({ url, enabled_events: events }) => ({ url, events }));
    return { kind: 'told', webhooks };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return { kind: 'key_refused' };
    if (error instanceof Stripe.errors.StripePermissionError) return { kind: 'not_allowed' };
    return { kind: 'unreachable', reason: unreachable(error).message };
  }
}
