import {
  presentIssuedToken,
  presentPrivateUser,
  presentSession,
  presentToken,
} from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

export const authenticationHandlers: HandlersOf<
  'verifyToken' | 'newUser' | 'newSession' | 'newToken' | 'deleteToken' | 'getTokens'
> = {
  verifyToken: async (application, _, caller) =>
    presentToken(await application.verifyToken(caller)),
  newUser: async (application, { email, password, ref_id: refId }, caller) =>
    presentPrivateUser(await application.newUser(caller, { email, password, refId })),
  newSession: async (application, { email, password, totp }, caller) =>
    presentSession(await application.newSession(caller, { email, password, totp })),
  newToken: async (application, request, caller) =>
    presentIssuedToken(
      await application.newToken(caller, {
        name: request.name,
        type: request.type,
        scope: request.scope,
        expiresAt: request.expires_at,
        strategyIds: request.strategy_ids,
      }),
    ),
  deleteToken: async (application, { token_id: tokenId }, caller) => {
    await application.deleteToken(caller, { tokenId });
    return 'Token deleted.';
  },
  getTokens: async (application, { type, limit, cursor }, caller) =>
    (await application.getTokens(caller, { type, limit, cursor })).map(presentToken),
};
