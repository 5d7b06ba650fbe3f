import { hash, hashSync, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Passwords } from '@slipstream/ports';

/** argon2id at 19 MiB and 2 passes: the least that OWASP advises. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The 30,000 or so that were found most often among stolen ones. */
const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Compared against when there is no such user, so that a wrong address takes as long as a wrong password. */
const NOBODY = hashSync('nobody has this password', COST);

/** Passwords as argon2id hashes in PHC text. */
export const argon2Passwords = (): Passwords => ({
  hash: (password) => hash(password, COST),
  verify: async (kept, password) => {
    const matches = await verify(kept === '' ? NOBODY : kept, password);
    return matches && kept !== '';
  },
  isCommon: (password) => COMMON.has(password.toLowerCase()),
});
