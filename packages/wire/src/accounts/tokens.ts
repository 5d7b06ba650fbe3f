import { z } from 'zod';
import { TOKEN_TYPES } from '@slipstream/domain';
import { operation } from '../operations/operation.js';
import { tokenResource, issuedTokenResource } from './resources.js';
import { presentToken, presentIssuedToken } from './present.js';
import { aToken } from './examples.js';
import { notionalLimit, placedLimit } from '../fields/figures.js';
import { line, idOf } from '../fields/text.js';
import { camelKeys } from '../operations/camel-keys.js';
import { oneOf, moment, limit, cursor } from '../fields/lists.js';
import { ids } from '../example-ids.js';
import { message } from '../fields/output.js';
import { says, list } from '../operations/answers.js';

const group = 'Authentication';
const limits = z.strictObject({
  max_notional_per_day: notionalLimit.nullable().optional(),
  max_orders_per_day: placedLimit.nullable().optional(),
});
const limitsCommand = camelKeys(limits);
const newTokenRequest = <const Scope extends string>(scopes: readonly Scope[]) =>
  z.strictObject({
    name: line(100, 1).meta({ description: 'What you call it.' }),
    type: oneOf(['api', 'session'])
      .optional()
      .meta({ description: 'Default api; only a refresh token makes a session.' }),
    scope: z
      .array(z.enum(scopes, { error: 'must be the name of an operation with a scope, or *' }), {
        error: 'must be an array',
      })
      .min(1, { error: 'must not be empty' })
      .max(100, { error: 'must have at most 100 items' })
      .meta({ description: 'The operations that it may call, by name; * for all.' }),
    expires_at: moment.nullable().optional().meta({
      description: 'Until when it works; null for ever, absent a year after its last use.',
    }),
    strategy_ids: z
      .array(idOf<'strategy'>(), { error: 'must be an array' })
      .min(1, { error: 'must not be empty' })
      .max(100, { error: 'must have at most 100 items' })
      .optional()
      .meta({ description: 'The only strategies that it works for.' }),
    limits: limits.optional().meta({
      description:
        'What its orders may open and add in each strategy in a day (UTC), in multiples of strategy_value and in orders; null is no limit. Orders that only reduce are never limited.',
    }),
  });

/** The row of newToken, which needs the scopes of all other rows. */
export const newToken = <const Scope extends string>(scopes: readonly Scope[], example: Scope) => {
  const request = newTokenRequest(scopes);
  const command = camelKeys(request);
  return operation({
    name: 'newToken',
    group,
    method: 'POST',
    byRefreshToken: true,
    summary: 'Creates an api token, or a session of an hour; its text is shown once.',
    description:
      'Without expires_at an api token expires a year after its last use, with null never; a session ends after an hour at most, and with its sign-in. A token made by an api token has at most its scope, strategies, lifetime and limits, and is deleted with it; one made by a sign-in or a session with every scope is independent. The scope * of an api token does not include newWithdrawal and newPaymentSource: name them. With strategy_ids the new token works only for operations that name one of them.',
    request,
    command: (given) => ({
      ...command(given),
      limits: given.limits && limitsCommand(given.limits),
    }),
    response: issuedTokenResource,
    present: presentIssuedToken,
    example: {
      request: { name: 'My alerts', scope: [example], strategy_ids: [ids.strategy] },
      response: { ...aToken, token: 'the token, shown once' },
    },
  });
};

export const tokens = {
  deleteToken: operation({
    name: 'deleteToken',
    group,
    method: 'POST',
    byRefreshToken: true,
    summary: 'Revokes a token and all tokens made from it; their live streams end.',
    request: z.strictObject({ token_id: idOf<'token'>() }),
    response: message,
    present: says('Token deleted.'),
    example: { request: { token_id: ids.token }, response: 'Token deleted.' },
  }),
  getTokens: operation({
    name: 'getTokens',
    group,
    method: 'GET',
    byRefreshToken: true,
    summary: "The caller's tokens that have not expired, newest first, without their texts.",
    description: 'Sign-ins are of type refresh, their tokens of an hour of type session.',
    request: z.strictObject({
      type: oneOf(TOKEN_TYPES).optional().meta({ description: 'Only those.' }),
      limit: limit.optional(),
      cursor: cursor.optional(),
    }),
    response: z.array(tokenResource),
    present: list(presentToken),
    example: { request: {}, response: [aToken] },
  }),
};
