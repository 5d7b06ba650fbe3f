import { z } from 'zod';
import { line, unshown } from '../fields/text.js';

/** One that somebody signs in by; older accounts may have what is no longer taken. Kept in lower case. */
export const givenEmail = line(254, 3)
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value), {
    error: 'must be an e-mail address',
  });

/** By HTML's grammar, which no mail server reads otherwise: ASCII, no quotes, comments or lists. */
const isMailbox = (value: string): boolean => {
  const [local = '', domain = ''] = value.split('@');
  return (
    z.regexes.html5Email.test(value) &&
    local.length <= 64 &&
    !local.split('.').includes('') &&
    domain.length <= 253 &&
    // A host of its own name, and no address in numbers.
    /\.[a-z][a-z\d-]*[a-z\d]$/.test(domain)
  );
};

/** A new one, which has to be written as every mail server reads it. */
export const email = givenEmail.refine(isMailbox, { error: 'must be an e-mail address' });
/** A password to be set; a given one is only bounded. */
export const newPassword = unshown(200, 8);
export const givenPassword = unshown(200, 1);

/** How a caller shows that the account is theirs, where a token is not enough (contract 16). */
export const proofFields = {
  password: givenPassword,
  /** A code of the second factor, or a recovery code. */
  totp: line(50, 1).optional(),
};
