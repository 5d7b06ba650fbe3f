import { z } from 'zod';
import { operation } from '../operations/operation.js';
import { tokenResource, privateUserResource, sessionResource } from './resources.js';
import { presentToken, presentPrivateUser, presentSession } from './present.js';
import { aToken, aPrivateUser, aSession } from './examples.js';
import { email, newPassword, givenEmail, givenPassword, proofFields } from './sign-in-fields.js';
import { line } from '../fields/text.js';

const group = 'Authentication';
export const authentication = {
  verifyToken: operation({
    name: 'verifyToken',
    group,
    method: 'GET',
    scope: null,
    byRefreshToken: true,
    summary: 'Shows the token and its scope.',
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
    summary: 'Creates a user. If sign-up is closed, only the operator may.',
    request: z.strictObject({
      email,
      password: newPassword,
      ref_id: line(50, 1).optional().meta({ description: 'The referral code of another user.' }),
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
      'The token is valid for 30 days and makes sessions and api tokens with newToken. If the second factor is on, totp is the code of the authenticator app or a recovery code; without it a correct password answers totp_required. The user gets a mail about a sign-in from a new device.',
    request: z.strictObject({ email: givenEmail, password: givenPassword, totp: proofFields.totp }),
    response: sessionResource,
    present: presentSession,
    example: {
      request: { email: 'ada@example.com', password: 'correct horse battery' },
      response: aSession,
    },
  }),
};
