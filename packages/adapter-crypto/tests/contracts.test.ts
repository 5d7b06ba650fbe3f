import {
  accessTokensContract,
  fingerprintsContract,
  idsContract,
  passwordsContract,
  protectingPasswordsContract,
  secretBoxContract,
} from '@slipstream/port-contracts';
import {
  aesSecretBox,
  argon2Passwords,
  randomAccessTokens,
  sha256Fingerprints,
  uuidV7Ids,
} from '../src/index.js';

passwordsContract('argon2', argon2Passwords);
protectingPasswordsContract('argon2', argon2Passwords);
accessTokensContract('random', randomAccessTokens);
fingerprintsContract('SHA-256', sha256Fingerprints);
idsContract('UUIDv7', () => uuidV7Ids({ now: () => 0 }));
secretBoxContract('AES', {
  open: () => aesSecretBox(['a master key of at least 32 characters']),
  openOther: () => aesSecretBox(['another master key of 32 characters or more']),
});
