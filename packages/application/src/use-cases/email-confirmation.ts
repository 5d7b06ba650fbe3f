import { Refusal, type User } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { issueCode, requireCode } from '../messages/account-codes.js';
import { confirmationMail } from '../messages/mail-texts.js';
import { postMail } from '../messages/outgoing-mail.js';

const LOCAL = 'http://127.0.0.1:3000';

/** Mails the link to the service page that calls `confirmEmail`. */
export async function mailConfirmation(core: Core, stores: Stores, user: User): Promise<void> {
  const code = await issueCode(core, stores, user, 'email_confirmation');
  const link = `${core.settings.publicUrl ?? LOCAL}/confirm-email?code=${code}`;
  await postMail(core, stores, user, confirmationMail(link));
}

/**
 * Marks the address as confirmed; false when the code is not good. The code stays good until it is too old, because mail
 * programs open links before their reader does.
 */
export const confirmEmail =
  (core: Core) =>
  async (text: string): Promise<boolean> => {
    try {
      await core.unitOfWork.run(async (stores) => {
        const { user } = await requireCode(core, stores, text, 'email_confirmation');
        if (user.verified) return;
        await stores.users.save({ ...user, verified: true, updatedAt: core.clock.now() });
      });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };
