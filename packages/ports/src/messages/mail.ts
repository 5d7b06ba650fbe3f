import type { MailId, OutgoingMail, Timestamp, UserId } from '@slipstream/domain';

/** A mail as it is sent. */
export interface Mail {
  /** The same id is the same mail: it becomes the Message-ID. */
  readonly id: MailId;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The mail server has said that it will never take this mail: trying again is of no use. The message tells its reason. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/**
 * Hands mails to the outside. Throws when it is not sure that the mail was taken, and the same mail may come again; throws
 * `MailRefused` when it shall not.
 */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Keeps mails until they were taken. */
export interface MailStore {
  /** Whose `dueAt` is at or before `now`, the most urgent first, then longest due, ties by id; failed ones too. */
  due(now: Timestamp, limit: number): Promise<OutgoingMail[]>;
  /** Oldest first, ties by id. */
  listOf(userId: UserId): Promise<OutgoingMail[]>;
  save(mail: OutgoingMail): Promise<void>;
  remove(mailId: MailId): Promise<void>;
}
