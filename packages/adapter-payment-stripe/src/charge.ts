import {
  type ChargeAnswer,
  type ChargeRequest,
  type DoneAnswer,
  PaymentUnreachable,
  type RefundRequest,
} from '@slipstream/ports';
import type Stripe from 'stripe';
import { callOff } from './call-off.js';
import { CURRENCY, centsOf } from './cents.js';
import { nextCheck, refundsOf } from './standing.js';
import { declineOf, refusalOf, tellable, unreachable } from './stripe-errors.js';
import { readSource } from './stripe-source.js';

/**
 * Charges without the payer. Stripe forgets idempotency keys after a day, so a repeated attempt is first searched for among the
 * customer's charges; so is each after the first, which waits for days: a restored database may have it as not made yet. One that is
 * only looked up, and is not among them, is called off.
 */
export async function charge(
  stripe: Stripe,
  request: ChargeRequest,
  now: number,
): Promise<ChargeAnswer> {
  try {
    const source = readSource(request.sourceRef);
    if (!source || !('paymentMethod' in source))
      return { kind: 'declined', reason: 'nothing is charged to it' };
    const mayBeMade = request.isAgain || request.attemptsBefore > 0;
    const made = mayBeMade ? await findIntent(stripe, source.customer, request.key) : undefined;
    if (!made && request.isLookup && (await callOff(stripe, request.key)))
      return { kind: 'not_made' };
    return answerOf(
      await decided(stripe, made ?? (await makeIntent(stripe, request, source))),
      now,
    );
  } catch (error) {
    const reason = declineOf(error) ?? refusalOf(error);
    if (reason !== undefined) return { kind: 'declined', reason };
    throw unreachable(error);
  }
}

const makeIntent = (
  stripe: Stripe,
  { key, amount, invoiceId, description, product }: ChargeRequest,
  { customer, paymentMethod }: { readonly customer: string; readonly paymentMethod: string },
): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.create(
    {
      amount: centsOf(amount),
      currency: CURRENCY,
      customer,
      payment_method: paymentMethod,
      confirm: true,
      off_session: true,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      description,
      metadata: { key, invoice_id: invoiceId, product_id: product.id },
    },
    { idempotencyKey: key },
  );

async function findIntent(
  stripe: Stripe,
  customer: string,
  key: string,
): Promise<Stripe.PaymentIntent | undefined> {
  for await (const intent of stripe.paymentIntents.list({ customer, limit: 100 })) {
    if (intent.metadata['key'] === key) return intent;
  }
  return undefined;
}

/** Stripe repeats the first answer for a key, so an attempt that was undecided then is checked again. */
const decided = (stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> =>
  intent.status === 'succeeded'
    ? Promise.resolve(intent)
    : stripe.paymentIntents.retrieve(intent.id);

function answerOf(
  { id, status, created, last_payment_error: failure }: Stripe.PaymentIntent,
  now: number,
): ChargeAnswer {
  switch (status) {
    case 'succeeded':
      return { kind: 'paid', ref: id, checkAgainAt: nextCheck(created * 1000, now) };
    case 'processing':
    case 'requires_capture':
    case 'requires_confirmation':
      throw new PaymentUnreachable('Stripe has not decided yet');
    default:
      return {
        kind: 'declined',
        reason: tellable(failure?.decline_code ?? failure?.code ?? status),
      };
  }
}

/**
 * Refunds a charge up to a total of `amount`; earlier refunds count, also manual ones, but none that failed. The key at Stripe is the
 * number of this refund and holds no amount: of two servers that have seen the same refunds so far, one makes the next one. The other
 * one is told of another body under the key, and asks anew for what is left.
 */
export async function refund(stripe: Stripe, request: RefundRequest): Promise<DoneAnswer> {
  try {
    const { key, chargeRef } = request;
    const { given, own } = await refundsOf(stripe, chargeRef, key);
    const total = centsOf(request.amount);
    if (given >= total) return { kind: 'done' };
    const answer = await stripe.refunds.create(
      { payment_intent: chargeRef, amount: total - given, metadata: { key } },
      { idempotencyKey: `${key}-${own}` },
    );
    const refused = answer.status === 'failed' || answer.status === 'canceled';
    return refused
      ? { kind: 'refused', reason: answer.failure_reason ?? 'failed' }
      : { kind: 'done' };
  } catch (error) {
    const code = refusalOf(error);
    if (code !== undefined) return { kind: 'refused', reason: code };
    throw unreachable(error);
  }
}
