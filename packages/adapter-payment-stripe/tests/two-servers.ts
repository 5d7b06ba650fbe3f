import { decimal, id } from '@slipstream/domain';
import type { ChargeRequest, PaymentGateway } from '@slipstream/ports';
import { stripeGateway } from '../src/index.js';
import { type FakeStripe, SECRET_KEY, fakeStripe } from './fake-stripe.js';

export const NOW = Date.UTC(2026, 0, 5);

/** Two servers with one account at Stripe, and a card that was linked there. */
export interface TwoServers {
  readonly stripe: FakeStripe;
  readonly one: PaymentGateway;
  readonly other: PaymentGateway;
  /** A first charge of that card. */
  readonly month: ChargeRequest;
}

const owner = { sourceId: id<'payment_source'>('source-1'), userId: id<'user'>('user-1') };

/** Links an account or a card of the stand-in, by its token; its ref. */
export const linked = async (
  server: PaymentGateway,
  direction: 'in' | 'out',
  token: string,
): Promise<string> => (await server.link({ ...owner, direction, token })).ref;

export async function twoServers(now: () => number = () => NOW): Promise<TwoServers> {
  const stripe = await fakeStripe(now);
  const open = () =>
    stripeGateway({
      secretKey: SECRET_KEY,
      webhookSecret: 'whsec_local',
      clock: { now },
      returnUrl: 'https://slipstream.example/confirmed',
      api: stripe.api,
    });
  const [one, other] = [open(), open()];
  const sourceRef = await linked(one, 'in', 'pm_card_visa');
  const month = {
    ...{ key: 'invoice-1-1', amount: decimal('30'), sourceRef, isAgain: false, isLookup: false },
    ...{
      invoiceId: id<'invoice'>('invoice-1'),
      paysFor: { subscriptionId: id<'subscription'>('subscription-1'), month: 1, since: NOW },
      attemptsBefore: 0,
      description: 'Momentum, month 1',
    },
    product: { id: 'strategy-1', name: 'Momentum' },
  };
  return { stripe, one, other, month };
}

/** What kind of answer a request got, or the name of the error that it got instead. */
export const outcomeOf = (answer: Promise<{ readonly kind: string }>): Promise<string> =>
  answer.then(
    ({ kind }) => kind,
    (error: unknown) => (error as Error).name,
  );
