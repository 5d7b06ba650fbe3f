import type {
  AccountCode,
  CodePurpose,
  MailId,
  OutgoingMail,
  Timestamp,
  UserId,
} from '@slipstream/domain';

/** A mail as it is sent. */
export interface Mail {
  /** The same id is the same mail: it becomes the Message-ID. */
  readonly id: MailId;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Hands mails to the outside. Throws when it is not sure that the mail was taken; the same mail may come again. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** Keeps mails until they were taken. */
export interface MailStore {
  /** Whose `dueAt` is at or before `now`, longest due first, ties by id. */
  due(now: Timestamp, limit: number): Promise<OutgoingMail[]>;
  /** Oldest first, ties by id. */
  listOf(userId: UserId): Promise<OutgoingMail[]>;
  save(mail: OutgoingMail): Promise<void>;
  remove(mailId: MailId): Promise<void>;
}

/** Keeps codes that were sent by mail, at most one of a user and purpose: a new one replaces the one before. */
export interface AccountCodeStore {
  find(digest: string): Promise<AccountCode | undefined>;
  findOf(userId: UserId, purpose: CodePurpose): Promise<AccountCode | undefined>;
  save(code: AccountCode): Promise<void>;
  remove(userId: UserId, purpose: CodePurpose): Promise<void>;
}
