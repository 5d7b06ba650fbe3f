import { ACCOUNT_NOTIFICATION, type StrategyId, type UserId } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { accountMail } from './mail-texts.js';
import { keepNotification } from './notify.js';
import { postMail } from './outgoing-mail.js';

/** A notice about a user's money or account. Neither text contains anything that another user wrote. */
export interface AccountNotice {
  readonly userId: UserId;
  readonly subject: string;
  readonly text: string;
  readonly strategyId?: StrategyId;
}

/**
 * Notifies a user of an event that cannot be turned off (contract 16), in the transaction of the event: a notification of
 * type `account`, and a mail once the address is confirmed.
 */
export async function notifyOfAccount(
  needs: Pick<Core, 'ids' | 'clock' | 'secretBox'>,
  stores: Pick<Stores, 'users' | 'notifications' | 'mails' | 'events'>,
  { subject, ...notice }: AccountNotice,
): Promise<void> {
  const user = await stores.users.find(notice.userId);
  if (!user || user.deletedAt !== null) return;
  if (user.verified) await postMail(needs, stores, user, accountMail(subject, notice.text));
  await keepNotification(needs, stores, ACCOUNT_NOTIFICATION, notice);
}
