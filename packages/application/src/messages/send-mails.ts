import {
  ACCOUNT_NOTIFICATION,
  type MailId,
  type OutgoingMail,
  afterFailure,
  failedMail,
} from '@slipstream/domain';
import { MailRefused, type MailStore, isSure } from '@slipstream/ports';
import type { Core } from '../core.js';
import { Ended } from '../housekeeping/ended.js';
import { keepNotification } from './notify.js';
import { mailContext } from './outgoing-mail.js';
import { mailsPutOff } from './put-off.js';

/** Mails sent at the same time; the next batch has the rest. */
const BATCH = 5;
/** Mails that are looked at while the clock is in doubt: failed ones seem due then. */
const IN_DOUBT = 500;

/** Saves the mail unless it was deleted with its account meanwhile. Returns whether it was there. */
async function keepIfThere(mails: MailStore, mail: OutgoingMail): Promise<boolean> {
  const kept = await mails.listOf(mail.userId);
  const isThere = kept.some(({ id }) => id === mail.id);
  if (isThere) await mails.save(mail);
  return isThere;
}

/** Marks a mail that is not retried, and notifies its user, who has to act. */
async function giveUp(core: Core, mail: OutgoingMail, reason: string): Promise<void> {
  const { userId, subject } = mail;
  // Only the codes of the mail server's answer: the rest is text from outside.
  const [codes = 'no answer'] = /\b[45]\d\d(?:[ -][45]\.\d{1,3}\.\d{1,3})?\b/.exec(reason) ?? [];
  const text = `The mail "${subject}" could not be delivered (${codes.replace('-', ' ')}). Check your e-mail address: you can set another one (updateEmail), and have a link sent again (newEmailConfirmation, newPasswordReset).`;
  await core.unitOfWork.run(async (stores) => {
    const failed = failedMail(mail, reason, core.clock.now());
    if (await keepIfThere(stores.mails, failed))
      await keepNotification(core, stores, ACCOUNT_NOTIFICATION, { userId, text });
  });
}

/**
 * Sends the mails that are due. A mail is removed only after the mail server accepted it, so after a crash it can be sent
 * twice, under the same id. A mail that the server will never accept is not retried. It must not run twice at once.
 */
export function sendMails(core: Core): () => Promise<void> {
  const { unitOfWork, mailer, secretBox, clock, log } = core;
  const bringBack = mailsPutOff(core);
  const forget = (id: MailId) => unitOfWork.run(({ mails }) => mails.remove(id));
  const sendOne = async (mail: OutgoingMail): Promise<void> => {
    const { id, to, subject, sealedText } = mail;
    if (mail.failure !== null) return forget(id);
    try {
      await mailer.send({ id, to, subject, text: secretBox.open(sealedText, mailContext(id)) });
    } catch (error) {
      if (error instanceof Ended) throw error;
      const later = error instanceof MailRefused ? undefined : afterFailure(mail, clock.now());
      const reason = String(error).replaceAll(to, 'the address');
      const fields = { mailId: id, attempts: mail.attempts + 1, error: reason };
      log.warn(
        fields,
        later ? 'could not send a mail; will retry' : 'could not send a mail; gave up',
      );
      if (!later) return giveUp(core, mail, reason);
      await unitOfWork.run(({ mails }) => keepIfThere(mails, later));
      return;
    }
    await forget(id);
  };
  return async () => {
    await bringBack();
    // What failed is removed when it is old, so not by a clock that is in doubt; it keeps no other mail waiting.
    const [most, isKept] = isSure(clock) ? [BATCH, false] : [IN_DOUBT, true];
    const due = await unitOfWork.read(({ mails }) => mails.due(clock.now(), most));
    const now = due.filter(({ failure }) => !isKept || failure === null);
    await Promise.all(now.slice(0, BATCH).map(sendOne));
  };
}
