import { type Decimal, decimal } from '@slipstream/domain';
import {
  type ChargeAnswer,
  type ChargeRequest,
  type DoneAnswer,
  type PayOutAnswer,
  type PayOutRequest,
  PaymentUnreachable,
  type RefundRequest,
} from '@slipstream/ports';
import type Stripe from 'stripe';
import { nextCheck, refundsOf } from './standing.js';
import {
  accountRefusalOf,
  declineOf,
  isForbidden,
  refusalOf,
  tellable,
  unreachable,
} from './stripe-errors.js';
import { readSource } from './stripe-source.js';

const HUNDRED = decimal('100');
const CURRENCY = 'usd';

/** Stripe counts in cents. */
const centsOf = (amount: Decimal): number => Number(amount.times(HUNDRED).toFixed(0));

/**
 * Charges without the payer. Stripe forgets idempotency keys after a day, so a repeated attempt is first searched for among the
 * customer's charges.
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
    const made = request.isAgain
      ? await findIntent(stripe, source.customer, request.key)
      : undefined;
    if (!made && request.isLookup) return { kind: 'not_made' };
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
 * Has Stripe refuse a transfer under the key that may still be on its way from a slow server: a key is for one kind of request only. Of
 * a key that a transfer has taken already, Stripe refuses this in turn. It keeps keys for a day.
 */
async function close(stripe: Stripe, key: string): Promise<void> {
  const description = `Payout ${key} was called off. Nobody pays with this customer.`;
  await stripe.customers.create({ description }, { idempotencyKey: key });
}

/**
 * Moves earnings to a connected account, which pays them out by its own schedule. If the balance is too small nothing is sent; whether
 * that is all is not known while an earlier request has no answer.
 */
export async function payOut(stripe: Stripe, request: PayOutRequest): Promise<PayOutAnswer> {
  const { key, amount, isAgain, isLookup, sourceRef } = request;
  try {
    const source = readSource(sourceRef);
    if (!source || !('account' in source))
      return { kind: 'refused', reason: 'nothing is paid out to it' };
    if (isAgain) {
      const { data } = await stripe.transfers.list({ transfer_group: key, limit: 1 });
      if (data.length > 0) return { kind: 'done' };
    }
    if (isLookup) {
      await close(stripe, key);
      return { kind: 'not_made' };
    }
    const missing = isMissing(stripe, centsOf(amount));
    // Of the first request nothing was sent yet.
    if (!isAgain && (await missing.catch(() => true))) return { kind: 'not_made' };
    if (await missing) throw new PaymentUnreachable('the balance at Stripe is too small');
    await stripe.transfers.create(
      {
        amount: centsOf(amount),
        currency: CURRENCY,
        destination: source.account,
        transfer_group: key,
      },
      { idempotencyKey: key },
    );
    return { kind: 'done' };
  } catch (error) {
    const code = accountRefusalOf(error);
    if (code === undefined) throw unreachable(error);
    // The money is still on its way from the charges, and the owner is owed it all the same.
    if (code === 'balance_insufficient') return { kind: 'not_made' };
    return { kind: 'refused', reason: code };
  }
}
