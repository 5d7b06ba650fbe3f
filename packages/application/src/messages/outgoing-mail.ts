import { type MailId, type OutgoingMail, type UserId, afterFailure } from '@slipstream/domain';
import type { MailStore, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { MailText } from './mail-texts.js';

/** Mails sent side by side; the rest come with the next. */
const BATCH = 5;

/** What a mail's sealed text is bound to. */
export const mailContext = (mailId: MailId): string => `mail|${mailId}`;

/** Puts a mail among those that are to go out; it leaves when the work around has been committed. */
export async function postMail(
  { ids, clock, secretBox }: Pick<Core, 'ids' | 'clock' | 'secretBox'>,
  { mails }: Pick<Stores, 'mails'>,
  user: { readonly id: UserId; readonly email: string },
  { subject, text }: MailText,
): Promise<void> {
  const mailId = ids.next<'mail'>();
  const now = clock.now();
  await mails.save({
    id: mailId,
    userId: user.id,
    to: user.email,
    subject,
    sealedText: secretBox.seal(text, mailContext(mailId)),
    attempts: 0,
    dueAt: now,
    createdAt: now,
  });
}

/** Meanwhile the account may have been deleted, and its mails with it. */
async function keepIfThere(mails: MailStore, mail: OutgoingMail): Promise<void> {
  const kept = await mails.listOf(mail.userId);
  if (kept.some(({ id }) => id === mail.id)) await mails.save(mail);
}

/**
 * Sends what is due. A mail is forgotten only after it was taken, so after a crash it can go out twice, under the same
 * id. Not twice at once.
 */
export const sendMails =
  ({ unitOfWork, mailer, secretBox, clock, log }: Core) =>
  async (): Promise<void> => {
    const sendOne = async (mail: OutgoingMail): Promise<void> => {
      const { id, to, subject, sealedText } = mail;
      try {
        await mailer.send({ id, to, subject, text: secretBox.open(sealedText, mailContext(id)) });
      } catch (error) {
        const later = afterFailure(mail, clock.now());
        const reason = String(error).replaceAll(to, 'the address');
        const fields = { mailId: id, attempts: mail.attempts + 1, error: reason };
        log.warn(fields, later ? 'a mail was not taken' : 'a mail is given up');
        if (later) {
          await unitOfWork.run(({ mails }) => keepIfThere(mails, later));
          return;
        }
      }
      await unitOfWork.run(({ mails }) => mails.remove(id));
    };
    const due = await unitOfWork.read(({ mails }) => mails.due(clock.now(), BATCH));
    await Promise.all(due.map(sendOne));
  };
