import { Refusal, type TokenId, type User } from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import { requireUser } from '../access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { keepAnswer } from '../keep-answer.js';
import { issueCode, requireCode } from '../messages/account-codes.js';
import { passwordResetMail } from '../messages/mail-texts.js';
import { postMail } from '../messages/outgoing-mail.js';
import { lineOf, revokeTokens } from './tokens.js';

/** At most one code by mail in this time, so that nobody's mailbox can be flooded; in milliseconds. */
const RESET_INTERVAL = 60_000;

/** By the current password, or by a code that was mailed. */
export type UpdatePassword = { readonly newPassword: string } & (
  { readonly password: string } | { readonly resetCode: string }
);

/** Mails a code to the address if it is a user's. Never tells whether it is. */
export const newPasswordReset =
  (core: Core) =>
  async (_caller: Caller, command: { readonly email: string }): Promise<void> => {
    await core.unitOfWork.run(async (stores) => {
      await keepAnswer(stores, undefined);
      const user = await stores.users.findByEmail(command.email.toLowerCase());
      if (!user || user.deletedAt !== null) return;
      const before = await stores.accountCodes.findOf(user.id, 'password_reset');
      if (before && before.createdAt > core.clock.now() - RESET_INTERVAL) return;
      const code = await issueCode(core, stores, user, 'password_reset');
      await postMail(core, stores, user, passwordResetMail(code));
    });
  };

/** Sets a new password and ends every other session; api tokens live on. */
export const updatePassword =
  (core: Core) =>
  async (caller: Caller, command: UpdatePassword): Promise<void> => {
    const user =
      'resetCode' in command
        ? await resetByCode(core, command)
        : await changeByPassword(core, caller, command);
    core.events.publish({
      kind: 'access_changed',
      userId: user.id,
      strategyId: null,
      reason: 'the password was changed',
    });
  };

async function changeByPassword(
  { unitOfWork, passwords, clock }: Core,
  caller: Caller,
  { password, newPassword }: { readonly password: string; readonly newPassword: string },
): Promise<User> {
  const { userId, tokenId } = requireUser(caller);
  const known = await unitOfWork.read((stores) => stores.users.find(userId));
  const wrong = new Refusal('invalid_field', 'password is not the current one');
  if (!known || !(await passwords.verify(known.passwordHash, password))) throw wrong;
  const passwordHash = await passwords.hash(newPassword);
  return unitOfWork.run(async (stores) => {
    const user = await stores.users.find(userId);
    // Changed meanwhile: what was verified is no longer the password.
    if (user?.passwordHash !== known.passwordHash) throw wrong;
    return setPassword(stores, { ...user, passwordHash, updatedAt: clock.now() }, tokenId);
  });
}

async function resetByCode(
  core: Core,
  { resetCode, newPassword }: { readonly resetCode: string; readonly newPassword: string },
): Promise<User> {
  const { unitOfWork, passwords, clock } = core;
  const find = (stores: Pick<ReadStores, 'accountCodes' | 'users'>) =>
    requireCode(core, stores, resetCode, 'password_reset');
  // Before the work of hashing: a guess costs nothing.
  await unitOfWork.read(find);
  const passwordHash = await passwords.hash(newPassword);
  return unitOfWork.run(async (stores) => {
    const { user } = await find(stores);
    await stores.accountCodes.remove(user.id, 'password_reset');
    return setPassword(stores, { ...user, passwordHash, updatedAt: clock.now() }, undefined);
  });
}

/** Keeps the user and ends their sessions but the one that asks. */
async function setPassword(stores: Stores, user: User, asking: TokenId | undefined): Promise<User> {
  await stores.users.save(user);
  const kept = asking ? await lineOf(stores, asking) : new Set();
  await revokeTokens(stores, user.id, ({ id, type }) => type !== 'api' && !kept.has(id));
  await keepAnswer(stores, undefined);
  return user;
}
