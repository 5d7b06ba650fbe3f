import type { MailStore } from '@slipstream/ports';
import { byAge, byId } from '../storage/order-of-lists.js';
import type { Tables } from '../storage/tables.js';

export const memoryMails = ({ mails }: Tables): MailStore => ({
  due: async (now, limit) =>
    mails
      .values()
      .filter(({ dueAt }) => dueAt <= now)
      .toSorted(
        (first, second) =>
          first.urgency - second.urgency || first.dueAt - second.dueAt || byId(first, second),
      )
      .slice(0, limit),
  listOf: async (userId) =>
    mails
      .values()
      .filter((mail) => mail.userId === userId)
      .toSorted(byAge),
  save: async (mail) => mails.set(mail.id, mail),
  remove: async (mailId) => mails.delete(mailId),
});
