import { DAY } from '@slipstream/domain';
import {
  type ChargeAnswer,
  type ChargeRequest,
  type ChargedMonth,
  type DoneAnswer,
  PaymentUnreachable,
  type RefundRequest,
} from '@slipstream/ports';
import type Stripe from 'stripe';
import { callOff } from './call-off.js';
import { CURRENCY, centsOf } from './cents.js';
import { nextCheck, refundsOf } from './standing.js';
import { declineOf, isForbidden, refusalOf, tellable, unreachable } from './stripe-errors.js';
import { readSource } from './stripe-source.js';

/**
 * Charges without the payer. What pays for the month already, or was made by this attempt, is first looked for at Stripe, which
 * forgets idempotency keys after a day; a restored database knows no charge, no invoice and no card from after its copy.
 * An attempt that is only looked up, was sent before and is not among them, is called off.
 */
export async function charge(
  stripe: Stripe,
  request: ChargeRequest,
  now: number,
): Promise<ChargeAnswer> {
  try {
    const source = readSource(request.sourceRef);
    const { key, isAgain, isLookup } = request;
    if (!source || !('paymentMethod' in source))
      return isLookup
        ? { kind: 'not_made' }
        : { kind: 'declined', reason: 'nothing is charged to it' };
    const made = await findIntent(stripe, source.customer, request);
    if (!made && isLookup && (!isAgain || (await callOff(stripe, key))))
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
  { key, amount, invoiceId, paysFor, description, product }: ChargeRequest,
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
      metadata: { key, invoice_id: invoiceId, product_id: product.id, month: monthOf(paysFor) },
    },
    { idempotencyKey: key },
  );

const monthOf = ({ subscriptionId, month }: ChargedMonth): string => `${subscriptionId}-${month}`;

/** A clock may be ahead of Stripe's, and the month of a first charge is anchored after it. */
const CLOCKS_APART = DAY;
/** Of these the payer has paid, or will have. */
const PAYING: readonly string[] = ['succeeded', 'processing', 'requires_capture'];

async function findIntent(
  stripe: Stripe,
  customer: string,
  request: ChargeRequest,
): Promise<Stripe.PaymentIntent | undefined> {
  const { key, paysFor } = request;
  const created = { gte: Math.floor((paysFor.since - CLOCKS_APART) / 1000) };
  const month = monthOf(paysFor);
  let own: Stripe.PaymentIntent | undefined;
  try {
    for await (const intent of stripe.paymentIntents.list({ customer, created, limit: 100 })) {
      if (pays(intent, month)) return intent;
      if (intent.metadata['key'] === key) own ??= intent;
    }
  } catch (error) {
    // Stripe does not know the customer: there is no charge to find, and none was declined.
    if (refusalOf(error) !== 'resource_missing') throw error;
  }
  return isFirst(request) ? own : ((await findElsewhere(stripe, month)) ?? own);
}

/** The first charge of a new subscription, for which a person waits: no earlier one can have paid for it. */
const isFirst = ({ isAgain, attemptsBefore, paysFor }: ChargeRequest): boolean =>
  !isAgain && attemptsBefore === 0 && paysFor.month === 1;

const pays = ({ metadata, status }: Stripe.PaymentIntent, month: string): boolean =>
  metadata['month'] === month && PAYING.includes(status);

/**
 * What pays for the month by another card: each is a customer of its own. Stripe's search shows a charge a minute after it was made,
 * or an hour, so it is no answer about the customer's own. Not every account and key may use it.
 */
async function findElsewhere(
  stripe: Stripe,
  month: string,
): Promise<Stripe.PaymentIntent | undefined> {
  const query = `metadata["month"]:"${month}"`;
  try {
    for await (const intent of stripe.paymentIntents.search({ query, limit: 100 }))
      if (pays(intent, month)) return intent;
  } catch (error) {
    if (!isForbidden(error) && refusalOf(error) === undefined) throw error;
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
