import { REFUSAL_CODES } from '@slipstream/domain';
import type { JsonObject } from './json-schemas.js';
import type { Operation } from '../operations/operation.js';

/** The envelope as a schema (spec 1). */
export function envelopeSchema(response: JsonObject, success: boolean): JsonObject {
  return {
    type: 'object',
    properties: { success: { type: 'boolean', const: success }, response },
    required: ['success', 'response'],
    additionalProperties: false,
  };
}

export const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
export const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies the request, also in the log of the service.',
    schema: { type: 'string' },
  },
};

interface FailureDocument {
  readonly description: string;
  /** The possible values of `X-Error-Code`. */
  readonly codes: readonly string[];
  readonly response: string;
  readonly retryAfter?: true;
}

function failure({ description, codes, response, retryAfter }: FailureDocument): JsonObject {
  return {
    description,
    headers: {
      ...REQUEST_ID,
      'X-Error-Code': {
        description: 'The reason for programs.',
        schema: { type: 'string', enum: codes },
      },
      ...(retryAfter && {
        'Retry-After': {
          description: 'Seconds after which a new attempt makes sense.',
          schema: { type: 'integer' },
        },
      }),
    },
    content: {
      'application/json': {
        schema: envelopeSchema({ type: 'string' }, false),
        example: { success: false, response },
      },
    },
  };
}

/** Every failure of an operation (contract 1, "Failures"). */
export const FAILURES = {
  RequestFailed: failure({
    description: 'The request was refused and nothing was done; the sentence says why.',
    codes: ['invalid_request', ...REFUSAL_CODES.filter((code) => code !== 'unauthenticated')],
    response: 'Request failed. slippage must be a multiple of 0.001.',
  }),
  AuthenticationFailed: failure({
    description: 'The token is missing, unknown, expired, revoked or without the scope.',
    codes: ['unauthenticated'],
    response: 'Authentication failed.',
  }),
  BodyTooLarge: failure({
    description: 'The body is larger than the operation accepts.',
    codes: ['body_too_large'],
    response: 'Request failed. the body may have 65536 bytes.',
  }),
  TooManyRequests: failure({
    description: 'A rate limit is reached.',
    codes: ['rate_limited'],
    response: 'Request failed. too many requests; try again in 3 seconds.',
    retryAfter: true,
  }),
  InternalError: failure({
    description: 'The server failed. The log of the service names this request by its id.',
    codes: ['internal_error'],
    response:
      'Request failed. the server made an error; its log names this request by X-Request-Id.',
  }),
  Unavailable: failure({
    description: 'Nothing was done; try again.',
    codes: ['unavailable'],
    response: 'Request failed. nothing was done, try again.',
    retryAfter: true,
  }),
  AlertNotTaken: failure({
    description: 'Nothing was done; send the alert again. `rate_limited`: too many alerts.',
    codes: ['unavailable', 'rate_limited'],
    response: 'Request failed. too many alerts; nothing was done, try again.',
    retryAfter: true,
  }),
} as const;

const refer = (name: keyof typeof FAILURES): JsonObject => ({
  $ref: `#/components/responses/${name}`,
});

/** The failures that an operation can answer, by status. */
export function failuresOf({ method, auth, rateClass }: Operation): JsonObject {
  // The other reads without authentication ignore the header (contract 1, "Which is which").
  const authenticates = auth !== 'none' || method === 'POST';
  return {
    400: refer('RequestFailed'),
    ...(authenticates && { 401: refer('AuthenticationFailed') }),
    ...(method === 'POST' && { 413: refer('BodyTooLarge') }),
    // An alert beyond its limit gets a 503, so that the platform sends it again.
    ...(rateClass !== 'alerts' && { 429: refer('TooManyRequests') }),
    500: refer('InternalError'),
    503: refer(rateClass === 'alerts' ? 'AlertNotTaken' : 'Unavailable'),
  };
}
