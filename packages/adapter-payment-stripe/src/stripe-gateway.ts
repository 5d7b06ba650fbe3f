import type { Clock, PaymentGateway } from '@slipstream/ports';
import { charge, refund } from './charge.js';
import { confirmationOf, linkSource, unlinkSource } from './link-source.js';
import { type StripeAccess, newStripe } from './new-stripe.js';
import { payOut } from './pay-out.js';
import { readNotice } from './read-notice.js';
import { standingOf } from './standing.js';
import { refusalOf, unreachable } from './stripe-errors.js';

export interface StripeOptions extends StripeAccess {
  /** The secret with which Stripe signs notices; without it every notice is refused. */
  readonly webhookSecret: string;
  readonly clock: Clock;
  /** The address to which the bank's page returns after the payer has confirmed a card. */
  readonly returnUrl: string;
}

const LIVE_KEY = /^[sr]k_live_/;

/** Payments through Stripe, with its official library. Amounts in USD. */
export function stripeGateway({
  secretKey,
  webhookSecret,
  clock,
  returnUrl,
  api,
}: StripeOptions): PaymentGateway {
  const stripe = newStripe({ secretKey, api });
  const knownProducts = new Set<string>();

  /** Makes the product at its first charge; leaves an existing one unchanged. */
  const ensureProduct = async ({ id, name }: { id: string; name: string }): Promise<void> => {
    if (knownProducts.has(id)) return;
    try {
      await stripe.products.create({ id, name });
    } catch (error) {
      if (refusalOf(error) !== 'resource_already_exists') throw unreachable(error);
    }
    knownProducts.add(id);
  };

  return {
    name: 'stripe',
    money: LIVE_KEY.test(secretKey) ? 'live' : 'test',
    productId: (strategyId) => `strategy-${strategyId}`,
    link: (request) => linkSource(stripe, request, returnUrl),
    confirmation: (ref) => confirmationOf(stripe, ref),

    unlink: (ref) => unlinkSource(stripe, ref),

    async charge(request) {
      await ensureProduct(request.product);
      return charge(stripe, request, clock.now());
    },
    refund: (request) => refund(stripe, request),

    standing: (chargeRef) => standingOf(stripe, chargeRef, clock.now()),
    payOut: (request) => payOut(stripe, request),
    readNotice: (body, headers) => readNotice(stripe, webhookSecret, body, headers),
  };
}
