import { Refusal, type UserId } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';

/**
 * An operation that needs a confirmed address of the user who calls, where the setting says so (contract 16): what touches
 * money, publishes to others, mails them or trades by a bot. What winds down does not, nor do orders and alerts: whoever
 * has a strategy was confirmed when it was made, or is from before the setting, and a refused alert is lost money.
 */
export const confirmed =
  <Given extends readonly unknown[], Answer>(
    make: (core: Core) => (caller: Caller, ...given: Given) => Promise<Answer>,
  ) =>
  (core: Core) =>
  async (caller: Caller, ...given: Given): Promise<Answer> => {
    if (caller.kind === 'user' && core.settings.confirmEmail === 'required') {
      const { userId } = caller;
      await core.unitOfWork.read((stores) => requireConfirmed(core, stores, userId));
    }
    return make(core)(caller, ...given);
  };

/** Whether the user may do what needs a confirmed address. An account without a password is the operator's own making. */
export async function isConfirmed(
  { settings }: Pick<Core, 'settings'>,
  { users }: Pick<ReadStores, 'users'>,
  userId: UserId,
): Promise<boolean> {
  if (settings.confirmEmail === 'off') return true;
  const user = await users.find(userId);
  return user?.verified === true || user?.passwordHash === '';
}

export async function requireConfirmed(
  core: Pick<Core, 'settings'>,
  stores: Pick<ReadStores, 'users'>,
  userId: UserId,
): Promise<void> {
  if (await isConfirmed(core, stores, userId)) return;
  throw new Refusal(
    'not_confirmed',
    'confirm your e-mail address first, by the link that was mailed to it; newEmailConfirmation sends another one',
  );
}
