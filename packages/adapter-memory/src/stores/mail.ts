import type { AccountCode } from '@slipstream/domain';
import type { AccountCodeStore, MailStore } from '@slipstream/ports';
import { byAge, byId } from '../order-of-lists.js';
import type { Tables } from '../tables.js';

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

const keyOf = ({ userId, purpose }: Pick<AccountCode, 'userId' | 'purpose'>): string =>
  `${purpose} ${userId}`;

export const memoryAccountCodes = ({ accountCodes }: Tables): AccountCodeStore => ({
  find: async (digest) => accountCodes.values().find((code) => code.digest === digest),
  findOf: async (userId, purpose) => accountCodes.get(keyOf({ userId, purpose })),
  save: async (code) => accountCodes.set(keyOf(code), code),
  remove: async (userId, purpose) => accountCodes.delete(keyOf({ userId, purpose })),
});
