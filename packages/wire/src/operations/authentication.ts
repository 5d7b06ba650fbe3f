import { z } from 'zod';
import { aPrivateUser, aSession, aToken } from '../examples/records.js';
import { ids } from '../examples/ids.js';
import { operation } from '../operation.js';
import {
  issuedTokenResource,
  message,
  privateUserResource,
  sessionResource,
  tokenResource,
} from '../resources/index.js';
import { email, givenPassword, idOf, moment, newPassword, text } from '../scalars.js';
import { SCOPES } from '../scopes.js';

const group = 'Authentication';
const scope = z
  .array(z.enum(SCOPES, { error: 'must be the name of an operation with a scope, or *' }), {
    error: 'must be an array',
  })
  .min(1, { error: 'must not be empty' })
  .max(100, { error: 'must have at most 100 items' });

export const authentication = {
  verifyToken: operation({
    name: 'verifyToken',
    group,
    method: 'GET',
    scope: null,
    summary: 'Tells what the token is and may do.',
    request: z.strictObject({}),
    response: tokenResource,
    example: { request: {}, response: aToken },
  }),
  newUser: operation({
    name: 'newUser',
    group,
    method: 'POST',
    auth: 'optional',
    summary: 'Makes a user; where sign-up is closed, the operator alone may.',
    request: z.strictObject({
      email,
      password: newPassword,
      ref_id: text(50, 1)
        .optional()
        .meta({ description: 'Referral code of who brought the user.' }),
    }),
    response: privateUserResource,
    example: {
      request: { email: 'ada@example.com', password: 'correct horse battery' },
      response: aPrivateUser,
    },
  }),
  newSession: operation({
    name: 'newSession',
    group,
    method: 'POST',
    auth: 'none',
    summary: 'Gives a refresh token for an e-mail address and its password.',
    description: 'The token is valid for 30 days and serves to make api tokens with newToken.',
    request: z.strictObject({ email, password: givenPassword }),
    response: sessionResource,
    example: {
      request: { email: 'ada@example.com', password: 'correct horse battery' },
      response: aSession,
    },
  }),
  newToken: operation({
    name: 'newToken',
    group,
    method: 'POST',
    summary: 'Makes an api token; its text is shown once.',
    description:
      'An api token gives at most its own scope, strategies and lifetime. With strategy_ids the new one works only for operations that name one of them.',
    request: z.strictObject({
      name: text(100, 1),
      scope,
      expires_at: moment.optional(),
      strategy_ids: z
        .array(idOf<'strategy'>(), { error: 'must be an array' })
        .min(1, { error: 'must not be empty' })
        .max(100, { error: 'must have at most 100 items' })
        .optional(),
    }),
    response: issuedTokenResource,
    example: {
      request: { name: 'My alerts', scope: ['newOrder'], strategy_ids: [ids.strategy] },
      response: { ...aToken, token: 'the token, shown once' },
    },
  }),
  deleteToken: operation({
    name: 'deleteToken',
    group,
    method: 'POST',
    summary: 'Revokes a token; its live streams end.',
    request: z.strictObject({ token_id: idOf<'token'>() }),
    response: message,
    example: { request: { token_id: ids.token }, response: 'Token deleted.' },
  }),
  getTokens: operation({
    name: 'getTokens',
    group,
    method: 'GET',
    summary: "The caller's tokens, newest first, without their texts.",
    request: z.strictObject({}),
    response: z.array(tokenResource),
    example: { request: {}, response: [aToken] },
  }),
};
