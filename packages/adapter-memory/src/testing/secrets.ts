import { createHash } from 'node:crypto';
import {
  type AccessTokens,
  type Fingerprints,
  type OneTimePasswords,
  type Passwords,
  type SecretBox,
  SecretUnreadable,
} from '@slipstream/ports';

export interface TestSecrets {
  readonly passwords: Passwords;
  readonly oneTimePasswords: OneTimePasswords;
  readonly accessTokens: AccessTokens;
  readonly secretBox: SecretBox;
  readonly fingerprints: Fingerprints;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Everything readable and the same in every run. For tests: it protects nothing. */
export function testSecrets(): TestSecrets {
  let issued = 0;
  return {
    passwords: {
      hash: async (password) => `hash of ${password}`,
      verify: async (hash, password) => hash === `hash of ${password}`,
      isCommon: (password) => password.toLowerCase() === 'password1',
    },
    oneTimePasswords: {
      newSecret: (label) => {
        issued += 1;
        const secret = `totp-${issued}`;
        return { secret, uri: `otpauth://totp/${label}?secret=${secret}` };
      },
      stepOf: (secret, code, now) => {
        const step = Math.floor(now / 30_000);
        return [step, step - 1, step + 1].find((one) => code === `${secret}:${one}`);
      },
      newRecoveryCode: () => {
        issued += 1;
        return `recovery-${issued}`;
      },
    },
    accessTokens: {
      issue: (type) => {
        issued += 1;
        const text = `test_${type}_${issued}`;
        return { text, digest: `digest of ${text}` };
      },
      digest: (text) => (text.startsWith('test_') ? `digest of ${text}` : undefined),
    },
    secretBox: {
      seal: (plain, context) => `${JSON.stringify(context)} ${plain}.`,
      open: (sealed, context) => {
        const seal = `${JSON.stringify(context)} `;
        if (!sealed.startsWith(seal) || !sealed.endsWith('.'))
          throw new SecretUnreadable('changed, or sealed for another context');
        return sealed.slice(seal.length, -1);
      },
      mac: (plain, context) => JSON.stringify(['mac', context, plain]),
      verify: (mac, plain, context) => mac === JSON.stringify(['mac', context, plain]),
    },
    fingerprints: {
      sha256: (data) => createHash('sha256').update(data).digest('hex'),
      of: (...parts) => {
        const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
        return [...hash.subarray(0, 32)].map((byte) => LETTERS[byte % 32]).join('');
      },
    },
  };
}
