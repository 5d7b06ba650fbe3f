import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AccessTokens } from '@slipstream/ports';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIXES = { api: 'slipa_', refresh: 'slipr_', session: 'slips_', code: 'slipc_' } as const;
const FORM = /^slip[arsc]_[0-9A-Za-z]{38}$/;

/** 32 base62 characters: 190 random bits. Bytes of 248 and more are thrown away, so that every character is as likely. */
const SECRET_LENGTH = 32;
const FAIR = 248;

function randomText(): string {
  let text = '';
  while (text.length < SECRET_LENGTH) {
    for (const byte of randomBytes(SECRET_LENGTH)) {
      if (byte < FAIR && text.length < SECRET_LENGTH) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** Six base62 characters of the CRC32: they refuse a mistyped token without a look-up, and prove nothing. */
function checksum(text: string): string {
  let rest = crc32(text);
  let sum = '';
  for (let place = 0; place < 6; place += 1) {
    sum = (ALPHABET[rest % ALPHABET.length] ?? '') + sum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return sum;
}

const digestOf = (text: string): string => hash('sha256', text);

/**
 * Tokens `slipa_…` (api), `slipr_…` (refresh) and `slips_…` (session), and codes for mails `slipc_…`; only their SHA-256 is
 * stored (contract 5, "Tokens").
 */
export const randomAccessTokens = (): AccessTokens => ({
  issue: (type) => {
    const body = PREFIXES[type] + randomText();
    const text = body + checksum(body);
    return { text, digest: digestOf(text) };
  },
  digest: (text) =>
    FORM.test(text) && checksum(text.slice(0, -6)) === text.slice(-6) ? digestOf(text) : undefined,
});
