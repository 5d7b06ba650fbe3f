import { PaymentUnreachable } from '@slipstream/ports';
import Stripe from 'stripe';

const { StripeError, StripeCardError, StripeInvalidRequestError } = Stripe.errors;

/** What a bank wants nobody told who may be a thief: to the payer it is a decline like any other. */
const KEPT_FROM_PAYERS = new Set([
  'fraudulent',
  'lost_card',
  'merchant_blacklist',
  'pickup_card',
  'restricted_card',
  'security_violation',
  'stolen_card',
]);
export const tellable = (code: string): string =>
  KEPT_FROM_PAYERS.has(code) ? 'generic_decline' : code;

/** Why a card was declined, in words without anything of its owner; undefined when the error says something else. */
export const declineOf = (error: unknown): string | undefined =>
  error instanceof StripeCardError
    ? tellable(error.decline_code ?? error.code ?? 'card_declined')
    : undefined;

/** The code of a request that Stripe understood and would not do; undefined when the error says something else. */
export const refusalOf = (error: unknown): string | undefined =>
  error instanceof StripeInvalidRequestError ? (error.code ?? 'invalid_request') : undefined;

/** What says nothing of what was asked for: no connection, an error of Stripe's, too many requests, a wrong key. */
export function unreachable(error: unknown): PaymentUnreachable {
  if (error instanceof PaymentUnreachable) return error;
  if (!(error instanceof StripeError)) return new PaymentUnreachable('Stripe did not answer');
  const { type, code, requestId } = error;
  return new PaymentUnreachable([type, code, requestId].filter(Boolean).join(' '));
}
