import { hash } from 'node:crypto';
import { BrokerRefused, type LinkedAccount } from '@slipstream/ports';
import { z } from 'zod';
import { accessToken } from './answers.js';

const keyForm = z.strictObject({
  key_id: z
    .string()
    .trim()
    .regex(/^[A-Z0-9]{10,40}$/),
  secret_key: z
    .string()
    .trim()
    .regex(/^[\w/+=-]{10,100}$/),
});
const tokenForm = z.strictObject({ access_token: accessToken });

/** An API key of the account's owner, or the access that the owner gave this service on Alpaca's page. */
export type Credentials =
  | { readonly kind: 'key'; readonly keyId: string; readonly secretKey: string }
  | { readonly kind: 'token'; readonly accessToken: string };

export function credentialsOf(given: LinkedAccount['credentials']): Credentials {
  const token = tokenForm.safeParse(given);
  if (token.success) return { kind: 'token', accessToken: token.data.access_token };
  const key = keyForm.safeParse(given);
  if (key.success) return { kind: 'key', keyId: key.data.key_id, secretKey: key.data.secret_key };
  throw new BrokerRefused('key_id and secret_key must be those of an API key of Alpaca');
}

/** Names the credentials in memory, without their secret. */
export const nameOf = (credentials: Credentials): string =>
  credentials.kind === 'key'
    ? credentials.keyId
    : `token ${hash('sha256', credentials.accessToken)}`;
