import {
  accessTokensContract,
  fingerprintsContract,
  idsContract,
  oneTimePasswordsContract,
  passwordsContract,
  protectingPasswordsContract,
  protectingSecretBoxContract,
  secretBoxContract,
} from '@slipstream/port-contracts';
import { Secret, TOTP } from 'otpauth';
import {
  aesSecretBox,
  argon2Passwords,
  randomAccessTokens,
  sha256Fingerprints,
  totpPasswords,
  uuidV7Ids,
} from '../src/index.js';

passwordsContract('argon2', argon2Passwords);
protectingPasswordsContract('argon2', argon2Passwords);
accessTokensContract('random', randomAccessTokens);
fingerprintsContract('SHA-256', sha256Fingerprints);
idsContract('UUIDv7', () => uuidV7Ids({ now: () => 0 }));
const box = () => aesSecretBox(['a master key of at least 32 characters']);
secretBoxContract('AES', box);
protectingSecretBoxContract('AES', {
  open: box,
  openOther: () => aesSecretBox(['another master key of 32 characters or more']),
});
oneTimePasswordsContract('TOTP', () => ({
  passwords: totpPasswords(),
  codeAt: (secret, now) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now }),
}));
