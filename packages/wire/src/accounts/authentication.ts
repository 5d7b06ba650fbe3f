import { z } from 'zod';
import { TOKEN_TYPES } from '@slipstream/domain';
import { SCOPES } from '../operations/scopes.js';
import { operation } from '../operations/operation.js';
import {
  tokenResource,
  privateUserResource,
  sessionResource,
  issuedTokenResource,
} from './resources.js';
import { presentToken, presentPrivateUser, presentSession, presentIssuedToken } from './present.js';
import { aToken, aPrivateUser, aSession } from './examples.js';
import { email, newPassword, givenEmail, givenPassword, proofFields } from './sign-in-fields.js';
import { line, idOf } from '../fields/text.js';
import { oneOf, moment, limit, cursor } from '../fields/lists.js';
import { ids } from '../example-ids.js';
import { message } from '../fields/output.js';
import { says, list } from '../operations/answers.js';

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
    byRefreshToken: true,
    summary: 'Tells what the token is and may do.',
    request: z.strictObject({}),
    response: tokenResource,
    present: presentToken,
    example: { request: {}, response: aToken },
  }),
  newUser: operation({
    name: 'newUser',
    group,
    method: 'POST',
    auth: 'optional',
    byOperator: true,
    summary: 'Makes a user; where sign-up is closed, the operator alone may.',
    request: z.strictObject({
      email,
      password: newPassword,
      ref_id: line(50, 1)
        .optional()
        .meta({ description: 'Referral code of who brought the user.' }),
    }),
    response: privateUserResource,
    present: presentPrivateUser,
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
    takesIdempotencyKey: false,
    summary: 'Gives a refresh token for an e-mail address and its password.',
    description:
      'The token is valid for 30 days and serves to make sessions and api tokens with newToken. Where the second factor is on, totp is the code of the authenticator app or a recovery code; without it a right password answers totp_required. A sign-in from a new device is mailed to the user.',
    request: z.strictObject({ email: givenEmail, password: givenPassword, totp: proofFields.totp }),
    response: sessionResource,
    present: presentSession,
    example: {
      request: { email: 'ada@example.com', password: 'correct horse battery' },
      response: aSession,
    },
  }),
  newToken: operation({
    name: 'newToken',
    group,
    method: 'POST',
    byRefreshToken: true,
    summary: 'Makes an api token, or a session of an hour; its text is shown once.',
    description:
      'Without expires_at an api token ends a year after its last use, with null never; a session ends after an hour at most and with the sign-in that made it. What an api token makes has at most its scope, strategies and lifetime, and is deleted with it; what a sign-in or a session of every scope makes lasts by itself. In an api token * leaves newWithdrawal and newPaymentSource out: name them. With strategy_ids the new one works only for operations that name one of them.',
    request: z.strictObject({
      name: line(100, 1),
      type: oneOf(['api', 'session'])
        .optional()
        .meta({ description: 'api unless said; a session is made by a refresh token only.' }),
      scope,
      expires_at: moment.nullable().optional(),
      strategy_ids: z
        .array(idOf<'strategy'>(), { error: 'must be an array' })
        .min(1, { error: 'must not be empty' })
        .max(100, { error: 'must have at most 100 items' })
        .optional(),
    }),
    response: issuedTokenResource,
    present: presentIssuedToken,
    example: {
      request: { name: 'My alerts', scope: ['newOrder'], strategy_ids: [ids.strategy] },
      response: { ...aToken, token: 'the token, shown once' },
    },
  }),
  deleteToken: operation({
    name: 'deleteToken',
    group,
    method: 'POST',
    byRefreshToken: true,
    summary: 'Revokes a token and what was made from it; their live streams end.',
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
    description: 'Sign-ins are of type refresh, what they made for an hour of type session.',
    request: z.strictObject({
      type: oneOf(TOKEN_TYPES).optional(),
      limit: limit.optional(),
      cursor: cursor.optional(),
    }),
    response: z.array(tokenResource),
    present: list(presentToken),
    example: { request: {}, response: [aToken] },
  }),
};
