import {
  type AccountCode,
  CODE_LIFETIMES,
  CODE_PURPOSES,
  type CodePurpose,
  Refusal,
  type User,
  type UserId,
  hasPassed,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';

/** The least time in milliseconds between two mails with a code of one purpose, so that nobody can flood a mailbox. */
export const MAIL_INTERVAL = 60_000;

/** Makes a code for the purpose and replaces an earlier one. Returns its text, which only the mail may contain. */
export async function issueCode(
  { accessTokens, clock }: Pick<Core, 'accessTokens' | 'clock'>,
  { accountCodes }: Pick<Stores, 'accountCodes'>,
  { id: userId }: Pick<User, 'id'>,
  purpose: CodePurpose,
  email: string | null = null,
): Promise<string> {
  const { text, digest } = accessTokens.issue('code');
  const now = clock.now();
  const expiresAt = now + CODE_LIFETIMES[purpose];
  await accountCodes.save({ userId, purpose, email, digest, createdAt: now, expiresAt });
  return text;
}

/** Whether a code for the purpose was made a moment ago. */
export async function isTooSoon(
  { clock }: Pick<Core, 'clock'>,
  { accountCodes }: Pick<ReadStores, 'accountCodes'>,
  { id: userId }: Pick<User, 'id'>,
  purpose: CodePurpose,
): Promise<boolean> {
  const before = await accountCodes.findOf(userId, purpose);
  return before !== undefined && !hasPassed(MAIL_INTERVAL, before.createdAt, clock.now());
}

/** The code with that text and the user it was sent to. Refuses a code that is unknown, for another purpose or too old. */
export async function requireCode(
  { accessTokens, clock }: Pick<Core, 'accessTokens' | 'clock'>,
  { accountCodes, users }: Pick<ReadStores, 'accountCodes' | 'users'>,
  text: string,
  ...purposes: readonly CodePurpose[]
): Promise<{ readonly code: AccountCode; readonly user: User }> {
  const digest = accessTokens.digest(text);
  const code = digest === undefined ? undefined : await accountCodes.find(digest);
  const user = code && (await users.find(code.userId));
  const good = code && purposes.includes(code.purpose) && code.expiresAt > clock.now();
  if (!code || !good || !user || user.deletedAt !== null) {
    throw new Refusal('invalid_field', 'the code is wrong, used or too old; ask for a new one');
  }
  return { code, user };
}

/** Invalidates every mailed code. */
export async function removeCodes(
  { accountCodes }: Pick<Stores, 'accountCodes'>,
  userId: UserId,
): Promise<void> {
  for (const purpose of CODE_PURPOSES) await accountCodes.remove(userId, purpose);
}
