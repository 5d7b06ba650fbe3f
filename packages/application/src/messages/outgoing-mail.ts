import type { MailId, UserId } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { MailText } from './mail-texts.js';

/** The context that a mail's text is sealed with. */
export const mailContext = (mailId: MailId): string => `mail|${mailId}`;

/** Queues a mail; it is sent after the transaction has been committed. */
export async function postMail(
  { ids, clock, secretBox }: Pick<Core, 'ids' | 'clock' | 'secretBox'>,
  { mails }: Pick<Stores, 'mails'>,
  user: { readonly id: UserId; readonly email: string },
  { subject, text, urgency }: MailText,
): Promise<void> {
  const mailId = ids.next<'mail'>();
  const now = clock.now();
  await mails.save({
    id: mailId,
    userId: user.id,
    to: user.email,
    subject,
    sealedText: secretBox.seal(text, mailContext(mailId)),
    urgency,
    attempts: 0,
    failure: null,
    dueAt: now,
    createdAt: now,
  });
}
