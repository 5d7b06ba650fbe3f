import type { MailId, OutgoingMail, Timestamp, UserId } from '@slipstream/domain';

/** A mail as it is sent. */
export interface Mail {
  /** Identifies the mail when it is sent again: it becomes the Message-ID. */
  readonly id: MailId;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The mail server will never accept this mail, so a retry is useless. The error's message has the reason. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/**
 * Sends mails. It throws when the mail was perhaps not accepted; the caller may then send the same mail again. It throws
 * `MailRefused` when the caller must not.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Keeps mails until the mail server has accepted them. */
export interface MailStore {
  /** Mails whose `dueAt` is at or before `now`, the most urgent first, then longest due, ties by id; also failed ones. */
  due(now: Timestamp, limit: number): Promise<OutgoingMail[]>;
  /** Oldest first, ties by id. */
  listOf(userId: UserId): Promise<OutgoingMail[]>;
  save(mail: OutgoingMail): Promise<void>;
  remove(mailId: MailId): Promise<void>;
}
