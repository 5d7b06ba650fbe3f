import { Refusal, type UserId } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';

/**
 * Makes an operation require a confirmed address of its caller if the setting is on (contract 16): operations that affect money,
 * publish to others, mail them or trade with a bot. Operations that reduce risk do not need it, nor do orders and alerts: the
 * owner of a strategy was confirmed when it was made, or made it before the setting, and a refused alert costs money.
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

/** Whether the user may call such operations. An account without a password was made by the operator and may. */
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
    'confirm your e-mail address first, by the link that was mailed to it, or by another one (newEmailConfirmation)',
  );
}
