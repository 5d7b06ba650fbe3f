import {
  type AccountCode,
  CODE_LIFETIMES,
  type CodePurpose,
  Refusal,
  type User,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';

/** Makes a code of that purpose, in place of an earlier one; answers its text, which is for the mail alone. */
export async function issueCode(
  { accessTokens, clock }: Pick<Core, 'accessTokens' | 'clock'>,
  { accountCodes }: Pick<Stores, 'accountCodes'>,
  { id: userId }: User,
  purpose: CodePurpose,
): Promise<string> {
  const { text, digest } = accessTokens.issue('code');
  const now = clock.now();
  const expiresAt = now + CODE_LIFETIMES[purpose];
  await accountCodes.save({ userId, purpose, digest, createdAt: now, expiresAt });
  return text;
}

/** The code of that text and the user it was sent to. Refuses what is unknown, of another purpose or too old. */
export async function requireCode(
  { accessTokens, clock }: Pick<Core, 'accessTokens' | 'clock'>,
  { accountCodes, users }: Pick<ReadStores, 'accountCodes' | 'users'>,
  text: string,
  purpose: CodePurpose,
): Promise<{ readonly code: AccountCode; readonly user: User }> {
  const digest = accessTokens.digest(text);
  const code = digest === undefined ? undefined : await accountCodes.find(digest);
  const user = code && (await users.find(code.userId));
  const good = code?.purpose === purpose && code.expiresAt > clock.now();
  if (!code || !good || !user || user.deletedAt !== null) {
    throw new Refusal('invalid_field', 'the code is wrong, used or too old; ask for a new one');
  }
  return { code, user };
}
