import { BrokerRateLimited, BrokerRefused, BrokerUnreachable } from '@slipstream/ports';

/**
 * What an answer other than success means: the key may not do that; not now; no, to this request alone; or it cannot be known
 * whether the request had an effect.
 */
export type Meaning = 'refused' | 'limited' | 'declined' | 'unknown';

/** The exchange understood the request and refused it. It had no effect. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** By ccxt's classes of errors; the nearest ancestor that stands here counts. */
// oxfmt-ignore
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  ExchangeError: 'declined',
  AuthenticationError: 'refused',
  PermissionDenied: 'refused',
  AccountNotEnabled: 'refused',
  AccountSuspended: 'refused',
  ArgumentsRequired: 'refused',
  BadRequest: 'declined',
  BadSymbol: 'declined',
  OperationRejected: 'declined',
  MarketClosed: 'declined',
  RestrictedLocation: 'declined',
  InsufficientFunds: 'declined',
  InvalidOrder: 'declined',
  OrderNotFound: 'declined',
  DuplicateOrderId: 'declined',
  NotSupported: 'unknown',
  ExchangeClosedByUser: 'unknown',
  OperationFailed: 'unknown',
  NetworkError: 'unknown',
  DDoSProtection: 'limited',
  RateLimitExceeded: 'limited',
  ExchangeNotAvailable: 'unknown',
  OnMaintenance: 'unknown',
  InvalidNonce: 'limited',
  RequestTimeout: 'unknown',
  BadResponse: 'unknown',
  NullResponse: 'unknown',
  CancelPending: 'declined',
};

/** How an exchange says no. */
export interface Refusals {
  readonly title: string;
  /** Meanings of its own words, which ccxt's classes do not tell. The first that fits counts. */
  readonly meanings: readonly (readonly [RegExp, Meaning])[];
  /** The exchange's own words in an error of ccxt's, which also holds addresses and whole answers; empty if there are none. */
  said(message: string): string;
}

/** The names of an error's classes, its own first. */
function classesOf(error: Error): readonly string[] {
  const names: string[] = [];
  let one: unknown = error.constructor;
  while (typeof one === 'function' && one.name !== '') {
    names.push(one.name);
    one = Object.getPrototypeOf(one) as unknown;
  }
  return names;
}

/** The class of ccxt's that an error belongs to, if it is one of the table. */
const classOf = (error: Error): string | undefined =>
  classesOf(error).find((name) => name in MEANINGS);

/** Whether a request came with a nonce that was used up: it had no effect, and may be sent with another. */
export const isUsedNonce = (error: unknown): boolean =>
  error instanceof Error && classOf(error) === 'InvalidNonce';

/** No exchange says how long to wait. */
const PAUSE = 10_000;

/** An error of ccxt's as the port's, or `Declined`. Nothing of its message passes but the exchange's own words. */
export function meaningOf({ title, meanings, said }: Refusals, error: unknown): Error {
  if (
    error instanceof BrokerUnreachable ||
    error instanceof BrokerRateLimited ||
    error instanceof BrokerRefused
  )
    return error;
  const nothing = new BrokerUnreachable(`${title} gave no answer that can be read`);
  if (!(error instanceof Error)) return nothing;
  const words = said(error.message);
  const own = meanings.find(([pattern]) => pattern.test(words))?.[1];
  const name = classOf(error);
  const meaning = own ?? (name === undefined ? 'unknown' : (MEANINGS[name] ?? 'unknown'));
  switch (meaning) {
    case 'refused':
      return new BrokerRefused(
        `${title} does not accept this key, or does not allow it to do that${words && ` (${words})`}`,
      );
    case 'limited':
      return new BrokerRateLimited(PAUSE);
    case 'declined':
      return new Declined(words || `${title} refused the order`);
    case 'unknown':
      return name === undefined
        ? nothing
        : new BrokerUnreachable(`${title} gave no answer (${words || name})`);
  }
}
