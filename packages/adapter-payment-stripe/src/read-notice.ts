import { id } from '@slipstream/domain';
import { NoticeRefused, type PaymentNotice } from '@slipstream/ports';
import type Stripe from 'stripe';

/** The events that a webhook must have: of these the service hears at once. */
export const NOTICED_EVENTS = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.canceled',
] as const satisfies readonly Stripe.Event['type'][];

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Checks the signature of an event that Stripe posted, and reads the event. */
export async function readNotice(
  stripe: Stripe,
  secret: string,
  body: string,
  headers: Headers,
): Promise<PaymentNotice | undefined> {
  return noticeOf(await signedEvent(stripe, secret, body, headers['stripe-signature']));
}

async function signedEvent(
  stripe: Stripe,
  secret: string,
  body: string,
  signature: Headers[string],
): Promise<Stripe.Event> {
  if (typeof signature !== 'string') throw new NoticeRefused('Stripe-Signature is missing');
  try {
    return await stripe.webhooks.constructEventAsync(body, signature, secret);
  } catch {
    throw new NoticeRefused('Stripe-Signature does not fit the body');
  }
}

function noticeOf(event: Stripe.Event): PaymentNotice | undefined {
  switch (event.type) {
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.refunded':
    case 'refund.updated':
    case 'refund.failed':
      return changed(event.data.object.payment_intent);
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed': {
      const invoiceId = event.data.object.metadata['invoice_id'];
      if (invoiceId === undefined) return undefined;
      return { kind: 'charge_decided', invoiceId: id<'invoice'>(invoiceId) };
    }
    case 'setup_intent.succeeded':
    case 'setup_intent.setup_failed':
    case 'setup_intent.canceled': {
      const sourceId = event.data.object.metadata?.['source_id'];
      if (sourceId === undefined) return undefined;
      return { kind: 'source_decided', sourceId: id<'payment_source'>(sourceId) };
    }
    default:
      return undefined;
  }
}

/** Notices come late, twice and in any order. They only say that something changed; `standing` reads the state. */
function changed(intent: string | Stripe.PaymentIntent | null): PaymentNotice | undefined {
  if (intent === null) return undefined;
  return { kind: 'charge_changed', chargeRef: typeof intent === 'string' ? intent : intent.id };
}
