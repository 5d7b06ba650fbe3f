import { Refusal, type Timestamp, type Token, type TokenId, isExpired } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { UserCaller } from '../caller.js';

/** The same for every reason, so that whoever guesses learns nothing. */
export const unauthenticated = (): Refusal =>
  new Refusal('unauthenticated', 'the token is not valid');

/** The token of the caller, in the transaction that it must be valid for. */
export async function callingToken(
  { tokens }: Pick<ReadStores, 'tokens'>,
  { tokenId }: UserCaller,
  now: Timestamp,
): Promise<Token> {
  const token = await tokens.find(tokenId);
  if (!token || isExpired(token, now)) throw unauthenticated();
  return token;
}

/** The token and its ancestors, such as a session and its sign-in, in this order: up to one that was removed. */
export async function lineOf(
  { tokens }: Pick<ReadStores, 'tokens'>,
  tokenId: TokenId,
): Promise<ReadonlyMap<TokenId, Token>> {
  const line = new Map<TokenId, Token>();
  let token = await tokens.find(tokenId);
  while (token) {
    line.set(token.id, token);
    token = token.parentId === null ? undefined : await tokens.find(token.parentId);
  }
  return line;
}
