import type { Timestamp, UserId } from '../ids.js';
import { HOUR } from '../time.js';

/** What a mailed code is good for. */
export const CODE_PURPOSES = ['email_confirmation', 'password_reset', 'email_change'] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/** A code that was sent by mail, of which only the digest is known. A user has at most one of a purpose. */
export interface AccountCode {
  readonly userId: UserId;
  readonly purpose: CodePurpose;
  /** The address it was mailed to where that is to become the user's; else null. */
  readonly email: string | null;
  /** Hex SHA-256 of the code's text. */
  readonly digest: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** How long a code is good for, in milliseconds. */
export const CODE_LIFETIMES: Readonly<Record<CodePurpose, number>> = {
  email_confirmation: 7 * 24 * HOUR,
  password_reset: HOUR,
  email_change: 24 * HOUR,
};
