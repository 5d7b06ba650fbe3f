import type { Timestamp, UserId } from '../ids.js';

/** Kinds of message a user can receive (spec 2.3). */
export const USER_NOTIFICATIONS = [
  'subscription',
  'like',
  'subscription_email',
  'new_features_email',
  'payment_complete_email',
] as const;
/** What a new user is told: all but news. */
export const DEFAULT_NOTIFICATIONS: readonly UserNotification[] = [
  'subscription',
  'like',
  'subscription_email',
  'payment_complete_email',
];
export type UserNotification = (typeof USER_NOTIFICATIONS)[number];

/** The texts of a public profile (spec 2.3). */
export const PROFILE_FIELDS = ['bio', 'x', 'website', 'youtube', 'telegram'] as const;
/** What a user says of themselves; the empty string when unset. */
export type Profile = Readonly<Record<(typeof PROFILE_FIELDS)[number], string>>;

/** The second factor: codes of an authenticator app. */
export interface SecondFactor {
  readonly sealedSecret: string;
  /** It is asked for since then; null until a first code showed that the app has the secret. */
  readonly since: Timestamp | null;
  /** The step of the last code that was taken: it and earlier ones are good no more. */
  readonly lastStep: number;
  /** Digests of the recovery codes that are left. */
  readonly recovery: readonly string[];
}

/** An account (spec 2.3). */
export interface User {
  readonly id: UserId;
  /** Lower case; unique. */
  readonly email: string;
  /** argon2id, PHC text. */
  readonly passwordHash: string;
  readonly profile: Profile;
  /** Whole percent of a subscription's price that the service keeps. */
  readonly commission: number;
  readonly notifications: readonly UserNotification[];
  readonly paymentsEnabled: boolean;
  /** The e-mail address was confirmed. */
  readonly verified: boolean;
  /** An account that was never confirmed ends then, unless something hangs on it; null where it need not be. */
  readonly confirmBy: Timestamp | null;
  /** The user's own referral code. */
  readonly refId: string;
  /** Whose referral code was given at sign-up. */
  readonly referredBy: UserId | null;
  readonly secondFactor: SecondFactor | null;
  /** Digests of what the user signed in from, the newest first. */
  readonly devices: readonly string[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Since then only this empty row is left, for the ledger's sake; null while the user is there. */
  readonly deletedAt: Timestamp | null;
}
