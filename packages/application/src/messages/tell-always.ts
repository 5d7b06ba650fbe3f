import {
  ACCOUNT_NOTIFICATION,
  type Notification,
  type StrategyId,
  type UserId,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { accountMail } from './mail-texts.js';
import { keepNotification } from './notify.js';
import { postMail } from './outgoing-mail.js';

/** Something about a user's money or account. Neither text holds anything that another user wrote. */
export interface AccountNotice {
  readonly userId: UserId;
  readonly subject: string;
  readonly text: string;
  readonly strategyId?: StrategyId;
}

/**
 * Tells a user what cannot be turned off (contract 16), inside the unit of work of what it tells: a notification of type
 * `account`, and a mail once the address is confirmed. After the commit `publishNotifications` takes the answer.
 */
export async function tellAlways(
  needs: Pick<Core, 'ids' | 'clock' | 'secretBox'>,
  stores: Pick<Stores, 'users' | 'notifications' | 'mails'>,
  { subject, ...notice }: AccountNotice,
): Promise<Notification[]> {
  const user = await stores.users.find(notice.userId);
  if (!user || user.deletedAt !== null) return [];
  if (user.verified) await postMail(needs, stores, user, accountMail(subject, notice.text));
  return [await keepNotification(needs, stores, ACCOUNT_NOTIFICATION, notice)];
}
