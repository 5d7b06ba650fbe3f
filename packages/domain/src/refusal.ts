/** The reasons of refusals; programs read them in `X-Error-Code` (contract 1). */
export const REFUSAL_CODES = [
  'unauthenticated',
  'invalid_field',
  'invalid_json',
  'not_found',
  'not_owner',
  'conflict',
  'insufficient_buying_power',
  'quote_unavailable',
  'value_unavailable',
  'stock_not_active',
  'order_not_open',
  'closing_only',
  'strategy_ended',
  'idempotency_conflict',
  'idempotency_interrupted',
  'too_many',
  'cap_reached',
  'not_confirmed',
  'totp_required',
  'signup_closed',
  'payment_required',
  'price_changed',
  'payment_gateway',
  'not_retryable',
  'not_pending',
  'payouts_disabled',
  'insufficient_earnings',
  'bot_not_off',
  'bot_not_active',
  'broker_access',
  'replaced_account',
  'no_allocations',
  'insufficient_balance',
  'account_limit',
  'trading_halted',
  'limit_breached',
  'live_not_confirmed',
  'token_limit',
  'plan_expired',
  'plan_outdated',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A refusal with a code for programs and a sentence for people, without its prefix `Request failed.` */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: RefusalCode,
    message: string,
    /** Reported as not found, because the caller may not know that the thing exists. */
    readonly hides = false,
  ) {
    super(message);
  }
}

/** Whether a caller was denied access to something; other refusals state an error in the request. */
export const isDenial = ({ code, hides }: Refusal): boolean =>
  code === 'unauthenticated' || code === 'not_owner' || hides;
