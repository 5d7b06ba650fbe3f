import type { Timestamp, UserId } from '../ids.js';
import { HOUR } from '../time.js';

/** The purpose of a mailed code. */
export const CODE_PURPOSES = ['email_confirmation', 'password_reset', 'email_change'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/** A code that was sent by mail; only its digest is stored. A user has at most one for a purpose. */
export interface AccountCode {
  readonly userId: UserId;
  readonly purpose: CodePurpose;
  /** The address it was mailed to, if that address will become the user's; else null. */
  readonly email: string | null;
  /** Hex SHA-256 of the code's text. */
  readonly digest: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** How long a code is valid, in milliseconds. */
export const CODE_LIFETIMES: Readonly<Record<CodePurpose, number>> = {
  email_confirmation: 7 * 24 * HOUR,
  password_reset: HOUR,
  email_change: 24 * HOUR,
};
