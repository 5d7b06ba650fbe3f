import { Refusal, type Token, type User } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { lineOf, unauthenticated } from './calling-token.js';
import { requireUser } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { isTooSoon, issueCode, removeCodes, requireCode } from './account-codes.js';
import { passwordResetMail } from '../messages/mail-texts.js';
import { postMail } from '../messages/outgoing-mail.js';
import { codePage } from '../messages/pages.js';
import { notifyOfAccount } from '../messages/notify-of-account.js';
import {
  byMailedCode,
  countMailOfStranger,
  notTheCurrent,
  requirePassword,
} from './proof-of-owner.js';
import { hasSecondFactor } from './second-factor-codes.js';
import { revokeAccess, revokeTokens } from './tokens.js';
import { ownUser } from './users.js';
import type { Transaction } from '../transaction.js';

/** Refuses passwords that attackers try first. */
export function requireUncommon(
  { passwords }: Pick<Core, 'passwords'>,
  field: string,
  password: string,
): void {
  if (passwords.isCommon(password)) {
    throw new Refusal(
      'invalid_field',
      `${field} is one of the most common passwords: choose another`,
    );
  }
}

/** Proof by the current password, or by a mailed code. */
export type UpdatePassword = { readonly newPassword: string } & (
  | { readonly password: string }
  | { readonly resetCode: string }
);

/** Mails a link to the address if it is a user's. Never reveals whether it is. */
export const newPasswordReset =
  (core: Core) =>
  async (_caller: Caller, command: { readonly email: string }): Promise<void> => {
    await countMailOfStranger(core, 'newPasswordReset');
    await core.unitOfWork.run(async (stores) => {
      stores.answerWith(undefined);
      const user = await stores.users.findByEmail(command.email.toLowerCase());
      const nobody = { id: core.ids.next<'user'>(), email: 'nobody' };
      const known = user?.deletedAt === null ? user : nobody;
      const isSent = !(await isTooSoon(core, stores, known, 'password_reset')) && known === user;
      // For an unknown address the same rows are written and rolled back, so that the time reveals nothing.
      const to = isSent ? known : nobody;
      const code = await issueCode(core, stores, to, 'password_reset');
      await postMail(core, stores, to, passwordResetMail(codePage(core, '/reset-password', code)));
      if (isSent) return;
      await removeCodes(stores, to.id);
      for (const { id } of await stores.mails.listOf(to.id)) await stores.mails.remove(id);
    });
  };

/**
 * Sets a new password. With the current one it ends every other session, and api tokens stay. With a mailed code it ends
 * every token and confirms the address, because somebody else may have made the tokens.
 */
export const updatePassword =
  (core: Core) =>
  async (caller: Caller, command: UpdatePassword): Promise<void> => {
    requireUncommon(core, 'new_password', command.newPassword);
    if ('resetCode' in command) await resetByCode(core, command);
    else await changeByPassword(core, caller, command);
  };

const CHANGED_REASON = 'the password was changed';

async function changeByPassword(
  core: Core,
  caller: Caller,
  { password, newPassword }: { readonly password: string; readonly newPassword: string },
): Promise<void> {
  const { unitOfWork, passwords, clock } = core;
  const { userId, tokenId } = requireUser(caller);
  const known = await unitOfWork.read((stores) => ownUser(stores, userId));
  await requirePassword(core, known, password, notTheCurrent);
  const passwordHash = await passwords.hash(newPassword);
  await unitOfWork.run(async (stores) => {
    const user = await stores.users.find(userId);
    // The password was changed meanwhile: the verified one is no longer valid.
    if (user?.passwordHash !== known.passwordHash) throw notTheCurrent();
    const kept = await lineOf(stores, tokenId);
    // Revoked meanwhile: it would end the sign-in of whoever revoked it.
    if (!kept.has(tokenId)) throw unauthenticated();
    const isRevoked = ({ id, type }: Token): boolean => type !== 'api' && !kept.has(id);
    await revokeTokens(stores, userId, isRevoked, CHANGED_REASON);
    await setPassword(core, stores, { ...user, passwordHash, updatedAt: clock.now() });
  });
}

async function resetByCode(
  core: Core,
  { resetCode, newPassword }: { readonly resetCode: string; readonly newPassword: string },
): Promise<void> {
  const { unitOfWork, passwords, clock } = core;
  const find = (stores: Pick<ReadStores, 'accountCodes' | 'users'>) =>
    requireCode(core, stores, resetCode, 'password_reset');
  // Before hashing, so that a guess costs nothing.
  await byMailedCode(core, () => unitOfWork.read(find));
  const passwordHash = await passwords.hash(newPassword);
  await unitOfWork.run(async (stores) => {
    const { user } = await find(stores);
    await revokeAccess(stores, user.id, () => true, CHANGED_REASON);
    // A second factor that was set before the address was confirmed could lock out the address's owner.
    const secondFactor = user.verified ? user.secondFactor : null;
    const confirmed = { secondFactor, verified: true, confirmBy: null, updatedAt: clock.now() };
    await setPassword(core, stores, { ...user, ...confirmed, passwordHash });
  });
}

/**
 * Saves the user and invalidates mailed codes, because an older code could undo the change. So could the secret of a second factor
 * that is not on yet: whoever knew the password before may have it.
 */
async function setPassword(core: Core, stores: Transaction, user: User): Promise<void> {
  const secondFactor = hasSecondFactor(user) ? user.secondFactor : null;
  await stores.users.save({ ...user, secondFactor });
  await removeCodes(stores, user.id);
  stores.answerWith(undefined);
  await notifyOfAccount(core, stores, {
    userId: user.id,
    subject: 'A new password',
    text: 'Your account has a new password, and its other sessions have ended. If it was not you, set another one now: that ends every session and token.',
  });
}
