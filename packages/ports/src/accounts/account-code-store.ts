import type { AccountCode, CodePurpose, UserId } from '@slipstream/domain';

/** Keeps codes that were sent by mail. A user has at most one for a purpose: a new one replaces the one before. */
export interface AccountCodeStore {
  find(digest: string): Promise<AccountCode | undefined>;
  findOf(userId: UserId, purpose: CodePurpose): Promise<AccountCode | undefined>;
  save(code: AccountCode): Promise<void>;
  remove(userId: UserId, purpose: CodePurpose): Promise<void>;
}
