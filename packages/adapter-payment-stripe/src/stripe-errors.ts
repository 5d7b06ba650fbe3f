import { PaymentUnreachable } from '@slipstream/ports';
import Stripe from 'stripe';

const {
  StripeError,
  StripeCardError,
  StripeIdempotencyError,
  StripeInvalidRequestError,
  StripePermissionError,
} = Stripe.errors;

/** The decline codes that a bank hides from payers, who may be thieves. The payer sees a generic decline. */
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

/** The reason why a card was declined, without data of its owner; undefined for other errors. */
export const declineOf = (error: unknown): string | undefined =>
  error instanceof StripeCardError
    ? tellable(error.decline_code ?? error.code ?? 'card_declined')
    : undefined;

/** The code of a request that Stripe understood and refused; undefined for other errors. */
export const refusalOf = (error: unknown): string | undefined =>
  error instanceof StripeInvalidRequestError ? (error.code ?? 'invalid_request') : undefined;

/** The same of a request about a connected account; Stripe forbids the use of one that does not exist, or is not connected any more. */
export const accountRefusalOf = (error: unknown): string | undefined =>
  error instanceof StripePermissionError && error.code === 'account_invalid'
    ? error.code
    : refusalOf(error);

/** Another request was made under the key before; not that the same one is under way. */
export const isOfUsedKey = (error: unknown): boolean =>
  error instanceof StripeIdempotencyError && error.statusCode === 400;

/** A request that the secret key has no right to. */
export const isForbidden = (error: unknown): boolean => error instanceof StripePermissionError;

/** Errors after which the result is unknown: no connection, an error of Stripe, too many requests, a wrong key. */
export function unreachable(error: unknown): PaymentUnreachable {
  if (error instanceof PaymentUnreachable) return error;
  if (!(error instanceof StripeError)) return new PaymentUnreachable('Stripe did not answer');
  const { type, code, requestId } = error;
  return new PaymentUnreachable([type, code, requestId].filter(Boolean).join(' '));
}
