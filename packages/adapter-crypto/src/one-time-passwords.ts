import { randomBytes } from 'node:crypto';
import type { OneTimePasswords } from '@slipstream/ports';
import { Secret, TOTP } from 'otpauth';

const PERIOD = 30;
const ALGORITHM = { algorithm: 'SHA1', digits: 6, period: PERIOD } as const;
const SECRET_BYTES = 20;

/** A code may be one step early or late: clocks differ, and people type. */
const WINDOW = 1;

/** 80 bits in four groups of four letters and digits. */
function newRecoveryCode(): string {
  const letters = new Secret({ buffer: Uint8Array.from(randomBytes(10)).buffer }).base32;
  return (letters.toLowerCase().match(/.{4}/g) ?? []).join('-');
}

/** Codes of authenticator apps (TOTP, RFC 6238): SHA-1, six digits, 30 seconds, which is what all of them know. */
export const totpPasswords = (): OneTimePasswords => ({
  newSecret: (label) => {
    const secret = new Secret({ size: SECRET_BYTES });
    const totp = new TOTP({ issuer: 'Slipstream', label, secret, ...ALGORITHM });
    return { secret: secret.base32, uri: totp.toString() };
  },
  stepOf: (secret, code, now) => {
    if (!/^\d{6}$/.test(code)) return undefined;
    const totp = new TOTP({ secret: Secret.fromBase32(secret), ...ALGORITHM });
    const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
    return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta;
  },
  newRecoveryCode,
});
