import type { MailId, Timestamp, UserId } from './ids.js';

/** A mail that is to go out, kept until the mail server took it. */
export interface OutgoingMail {
  /** Also its Message-ID: sent twice, it is still one mail. */
  readonly id: MailId;
  readonly userId: UserId;
  readonly to: string;
  readonly subject: string;
  /** Sealed, because it may hold a one-time code. */
  readonly sealedText: string;
  /** Times that sending failed. */
  readonly attempts: number;
  /** When it is to be sent next. */
  readonly dueAt: Timestamp;
  readonly createdAt: Timestamp;
}

const FIRST_RETRY = 30_000;
const LONGEST_RETRY = 6 * 60 * 60 * 1000;

/** A mail that failed so many times is given up: by then it is about two days old. */
export const MAX_MAIL_ATTEMPTS = 17;

/** The mail after a failed attempt, due again after 30 s, 1 min, 2 min … at most 6 h; undefined when it is given up. */
export function afterFailure(mail: OutgoingMail, now: Timestamp): OutgoingMail | undefined {
  const attempts = mail.attempts + 1;
  if (attempts >= MAX_MAIL_ATTEMPTS) return undefined;
  const wait = Math.min(FIRST_RETRY * 2 ** mail.attempts, LONGEST_RETRY);
  return { ...mail, attempts, dueAt: now + wait };
}
