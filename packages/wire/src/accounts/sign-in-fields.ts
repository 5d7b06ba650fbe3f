import { z } from 'zod';
import { line, unshown } from '../fields/text.js';

/** The address of a sign-in; older accounts may have one that is no longer accepted. Stored in lower case. */
export const givenEmail = line(254, 3)
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value), {
    error: 'must be an e-mail address',
  });

/** By HTML's grammar, which every mail server reads the same way: ASCII, no quotes, comments or lists. */
const isMailbox = (value: string): boolean => {
  const [local = '', domain = ''] = value.split('@');
  return (
    z.regexes.html5Email.test(value) &&
    local.length <= 64 &&
    !local.split('.').includes('') &&
    domain.length <= 253 &&
    // A host name, and no address in numbers.
    /\.[a-z][a-z\d-]*[a-z\d]$/.test(domain)
  );
};

/** A new address, which every mail server must read the same way. */
export const email = givenEmail.refine(isMailbox, { error: 'must be an e-mail address' });
/** A password to be set. A password to be checked only has a maximum length. */
export const newPassword = unshown(200, 8).meta({
  ...{ minLength: 8, maxLength: 200 },
  description: 'One that only you know.',
});
export const givenPassword = unshown(200, 1).meta({
  ...{ minLength: 1, maxLength: 200 },
  description: 'Your present password.',
});

/** The caller's proof that the account is theirs, when a token is not enough (contract 16). */
export const proofFields = {
  password: givenPassword,
  totp: line(50, 1).optional().meta({
    description:
      'A code of the authenticator app, or a recovery code; needed where the second factor is on.',
  }),
};
