import { givenPassword, line } from './scalars.js';

/** How a caller shows that the account is theirs, where a token is not enough (contract 16). */
export const proofFields = {
  password: givenPassword,
  /** A code of the second factor, or a recovery code. */
  totp: line(50, 1).optional(),
};
