import type { MailId, Timestamp, UserId } from '../ids.js';

/** The order of sending: codes for a new password and mails about the account first, then confirmation links, then notices. */
export const MAIL_URGENCY = { account: 0, confirmation: 1, notice: 2 } as const;
export type MailUrgency = (typeof MAIL_URGENCY)[keyof typeof MAIL_URGENCY];

/** A queued mail, kept until the mail server has accepted it. A failed mail is kept for a while to show the reason. */
export interface OutgoingMail {
  /** Also its Message-ID: if it is sent twice, it is still one mail. */
  readonly id: MailId;
  readonly userId: UserId;
  readonly to: string;
  readonly subject: string;
  /** Encrypted, because it may contain a one-time code. */
  readonly sealedText: string;
  /** One of `MAIL_URGENCY`. */
  readonly urgency: number;
  /** How often sending failed. */
  readonly attempts: number;
  /** Why it is not retried any more; null while it is. */
  readonly failure: string | null;
  /** When it is sent next; for a failed mail, when it is removed. */
  readonly dueAt: Timestamp;
  readonly createdAt: Timestamp;
}

const FIRST_RETRY = 30_000;
const LONGEST_RETRY = 6 * 60 * 60 * 1000;

/** The most attempts: after as many failures a mail is about two days old. */
export const MAX_MAIL_ATTEMPTS = 17;

/** The mail after a failed attempt, due again after 30 s, 1 min, 2 min … at most 6 h; undefined after the last attempt. */
export function afterFailure(mail: OutgoingMail, now: Timestamp): OutgoingMail | undefined {
  const attempts = mail.attempts + 1;
  if (attempts >= MAX_MAIL_ATTEMPTS) return undefined;
  const wait = Math.min(FIRST_RETRY * 2 ** mail.attempts, LONGEST_RETRY);
  return { ...mail, attempts, dueAt: now + wait };
}

/** Whether an attempt put the mail off further than any does: it failed while the clock was ahead. */
export const isPutOffTooFar = ({ failure, dueAt }: OutgoingMail, now: Timestamp): boolean =>
  failure === null && dueAt - now > LONGEST_RETRY;

/** How long a failed mail is stored. */
const FAILURE_KEPT_FOR = 30 * 24 * 60 * 60 * 1000;

/** The mail after its last attempt. */
export const failedMail = (mail: OutgoingMail, failure: string, now: Timestamp): OutgoingMail => ({
  ...mail,
  attempts: mail.attempts + 1,
  failure: failure.slice(0, 500),
  dueAt: now + FAILURE_KEPT_FOR,
});
