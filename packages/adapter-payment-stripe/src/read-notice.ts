import { id } from '@slipstream/domain';
import { NoticeRefused, type PaymentNotice } from '@slipstream/ports';
import type Stripe from 'stripe';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads an event that Stripe posted, once its signature fits. */
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
    case 'charge.dispute.funds_withdrawn':
      return disputeNotice(event.data.object);
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed': {
      const invoiceId = event.data.object.metadata['invoice_id'];
      if (invoiceId === undefined) return undefined;
      return { kind: 'charge_decided', invoiceId: id<'invoice'>(invoiceId) };
    }
    default:
      return undefined;
  }
}

/** An inquiry (`warning_…`) takes no money back. */
function disputeNotice({ status, payment_intent }: Stripe.Dispute): PaymentNotice | undefined {
  if (status.startsWith('warning_') || payment_intent === null) return undefined;
  const chargeRef = typeof payment_intent === 'string' ? payment_intent : payment_intent.id;
  return { kind: 'charged_back', chargeRef };
}
