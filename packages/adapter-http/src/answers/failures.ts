import { Refusal } from '@slipstream/domain';
import { TriedTooOften } from '@slipstream/application';
import { Overloaded, StorageUnavailable } from '@slipstream/ports';
import { AUTHENTICATION_FAILED, requestFailed } from '@slipstream/wire';

/** A failure that the application does not know: 404, 405, 413, 429, 503 (contract 1, "Failures"). */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The answer to a failure. `unexpected` failures are logged. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  /** The envelope's `response`. */
  readonly response: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly unexpected: boolean;
}

/** The only place where errors become answers (contract 1). */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { code } = error;
    return code === 'unauthenticated'
      ? failure(401, code, AUTHENTICATION_FAILED)
      : failure(400, code, requestFailed(error.message));
  }
  if (error instanceof TransportFailure) {
    return failure(error.status, error.code, requestFailed(error.message), error.headers);
  }
  if (error instanceof TriedTooOften) {
    const retry = { 'Retry-After': String(error.seconds) };
    return failure(429, 'rate_limited', requestFailed(error.message), retry);
  }
  if (error instanceof Overloaded) {
    const response = requestFailed('the server has too much to do; nothing was done, try again');
    return failure(503, 'unavailable', response, { 'Retry-After': '1' });
  }
  if (error instanceof StorageUnavailable) {
    const response = requestFailed('nothing was done, try again');
    return { ...failure(503, 'unavailable', response, { 'Retry-After': '1' }), unexpected: true };
  }
  const response = requestFailed(
    'the server made an error; its log names this request by X-Request-Id',
  );
  return { ...failure(500, 'internal_error', response), unexpected: true };
}

const failure = (
  status: number,
  code: string,
  response: string,
  headers: Readonly<Record<string, string>> = {},
): Failure => ({ status, code, response, headers, unexpected: false });
