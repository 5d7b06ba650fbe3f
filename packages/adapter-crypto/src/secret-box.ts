import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { type SecretBox, SecretUnreadable } from '@slipstream/ports';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const body = sealed.subarray(NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

interface MasterKey {
  /** Under which sealed text refers to it. */
  readonly name: string;
  /** Wraps data keys. */
  readonly key: Buffer;
  readonly macKey: Buffer;
}

function masterKey(master: string): MasterKey {
  const derive = (info: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', master, 'slipstream', info, length));
  return {
    name: derive('key name', 4).toString('hex'),
    key: derive('wrap data keys', KEY_BYTES),
    macKey: derive('mac', KEY_BYTES),
  };
}

/** Which of the master keys encrypted a text that begins like this: its place in the list, -1 if it was none of them. */
export const placeOfKey = (beginning: string, masters: readonly string[]): number =>
  masters.findIndex((master) => masterKey(master).name === beginning.split('.')[1]);

/** HMAC-SHA-256 of the context and the text; the context's length separates them. */
const macOf = ({ macKey }: MasterKey, plain: string, context: string): Buffer =>
  createHmac('sha256', macKey).update(`${context.length}|${context}|${plain}`).digest();

/**
 * AES-256-GCM with a fresh data key for each secret, wrapped by a master key (contract 5). The first of `masters`
 * seals; all of them open, so that a list rotates. The context is bound: sealed text cannot move to another row.
 */
export function aesSecretBox(masters: readonly string[]): SecretBox {
  const keys = masters.map(masterKey);
  const [current] = keys;
  if (!current) throw new Error('a master key is needed');
  return {
    seal(plain, context) {
      const dataKey = randomBytes(KEY_BYTES);
      const wrapped = encrypt(current.key, dataKey, `${context}|data key`);
      const body = encrypt(dataKey, Buffer.from(plain), context);
      return ['v1', current.name, wrapped.toString('base64url'), body.toString('base64url')].join(
        '.',
      );
    },
    open(sealed, context) {
      const [version, name, wrapped, body] = sealed.split('.');
      const found = keys.find((key) => key.name === name);
      if (version !== 'v1' || !found || wrapped === undefined || body === undefined) {
        throw new SecretUnreadable('no master key opens this secret');
      }
      try {
        const sealedKey = Buffer.from(wrapped, 'base64url');
        const dataKey = decrypt(found.key, sealedKey, `${context}|data key`);
        return decrypt(dataKey, Buffer.from(body, 'base64url'), context).toString('utf8');
      } catch (cause) {
        throw new SecretUnreadable('this secret was changed, or is another one', { cause });
      }
    },
    mac: (plain, context) =>
      `${current.name}.${macOf(current, plain, context).toString('base64url')}`,
    verify(mac, plain, context) {
      const [name, digest = ''] = mac.split('.');
      const found = keys.find((key) => key.name === name);
      if (!found) return false;
      const given = Buffer.from(digest, 'base64url');
      const right = macOf(found, plain, context);
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
