import { hash, timingSafeEqual } from 'node:crypto';
import type { Application, Caller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';

/** Longer header values and api_tokens are never tokens. */
const MAX_TOKEN_LENGTH = 512;

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Whether the text is the secret; the duration reveals nothing about it. */
export const isSecret = (text: string, secret: string | undefined): boolean =>
  secret !== undefined && timingSafeEqual(digest(text), digest(secret));

/** Finds the caller of a token's text; undefined is anonymous, an unknown one is refused as `unauthenticated`. */
export type Identify = (text: string | undefined) => Promise<Caller>;

/** Recognises the operator by `operatorToken`, everybody else through the application. */
export function identifier(
  requests: Pick<Application['requests'], 'authenticate'>,
  operatorToken: string | undefined,
): Identify {
  return async (text) => {
    if (text === undefined) return { kind: 'anonymous' };
    if (text.length > MAX_TOKEN_LENGTH)
      throw new Refusal('unauthenticated', 'the token is too long');
    if (operatorToken?.length === text.length && isSecret(text, operatorToken))
      return { kind: 'operator' };
    return requests.authenticate(text);
  };
}
