import type { Timestamp, UserId } from '../ids.js';

/** Kinds of message a user can receive (spec 2.3). */
export const USER_NOTIFICATIONS = [
  'subscription',
  'like',
  'subscription_email',
  'new_features_email',
  'payment_complete_email',
] as const;
/** The notifications of a new user: all but news. */
export const DEFAULT_NOTIFICATIONS: readonly UserNotification[] = [
  'subscription',
  'like',
  'subscription_email',
  'payment_complete_email',
];
export type UserNotification = (typeof USER_NOTIFICATIONS)[number];

/** The texts of a public profile (spec 2.3). */
export const PROFILE_FIELDS = ['bio', 'x', 'website', 'youtube', 'telegram'] as const;
/** The user's description of themselves; the empty string when unset. */
export type Profile = Readonly<Record<(typeof PROFILE_FIELDS)[number], string>>;

/** The second factor: codes of an authenticator app. */
export interface SecondFactor {
  readonly sealedSecret: string;
  /** When it became required; null until a first code showed that the app has the secret. */
  readonly since: Timestamp | null;
  /** The step of the last accepted code: codes of this step and earlier ones are no longer valid. */
  readonly lastStep: number;
  /** Digests of the unused recovery codes. */
  readonly recovery: readonly string[];
}

/** An account (spec 2.3). */
export interface User {
  readonly id: UserId;
  /** Lower case; unique. */
  readonly email: string;
  /** As the user wrote it; null without one (contract 14). */
  readonly name: string | null;
  /** The name by which it is unique, `nameKey`. */
  readonly nameKey: string | null;
  /** argon2id, PHC text. */
  readonly passwordHash: string;
  readonly profile: Profile;
  /** Whole percent of a subscription's price that the service keeps. */
  readonly commission: number;
  readonly notifications: readonly UserNotification[];
  readonly paymentsEnabled: boolean;
  /** Whether the e-mail address was confirmed. */
  readonly verified: boolean;
  /** When an unconfirmed account ends, unless something depends on it; null if no confirmation is required. */
  readonly confirmBy: Timestamp | null;
  /** The user's own referral code. */
  readonly refId: string;
  /** The user whose referral code was given at sign-up. */
  readonly referredBy: UserId | null;
  readonly secondFactor: SecondFactor | null;
  /** Digests of the devices from which the user signed in, newest first. */
  readonly devices: readonly string[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** When the account was deleted: only this empty row remains, for the ledger. Null while the account exists. */
  readonly deletedAt: Timestamp | null;
}

/** What a reader does not see, or sees as a gap: spaces, joiners, fillers. */
const UNSEEN = /[\s\p{Z}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/gu;

/** What names that read the same have in common, in any width and case of letters; empty for a name that nobody sees. */
export const nameKey = (name: string): string =>
  name.normalize('NFKC').replaceAll(UNSEEN, '').toLowerCase();
