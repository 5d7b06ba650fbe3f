import { ACCOUNT_NOTIFICATION, type StrategyId, type UserId } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { accountMail } from './mail-texts.js';
import { keepNotification } from './notify.js';
import { postMail } from './outgoing-mail.js';
import { accountPage, resetPage, subjectPage } from './pages.js';

/** A notice about a user's money or account. Of what other users wrote it contains only the name of a strategy. */
export interface AccountNotice {
  readonly userId: UserId;
  readonly subject: string;
  readonly text: string;
  readonly strategyId?: StrategyId;
  /** Whether the reader acts on the page of the account, although the notice names a strategy. */
  readonly isAboutAccount?: boolean;
}

/**
 * Notifies a user of an event that cannot be turned off (contract 16), in the transaction of the event: a notification of
 * type `account`, and a mail once the address is confirmed.
 */
export async function notifyOfAccount(
  needs: Pick<Core, 'ids' | 'clock' | 'secretBox' | 'settings'>,
  stores: Pick<Stores, 'users' | 'notifications' | 'mails' | 'events'>,
  { subject, isAboutAccount, ...notice }: AccountNotice,
): Promise<void> {
  const user = await stores.users.find(notice.userId);
  if (!user || user.deletedAt !== null) return;
  const pages = {
    subject: isAboutAccount ? accountPage(needs) : subjectPage(needs, notice),
    way: resetPage(needs),
  };
  if (user.verified) await postMail(needs, stores, user, accountMail(subject, notice.text, pages));
  await keepNotification(needs, stores, ACCOUNT_NOTIFICATION, notice);
}
