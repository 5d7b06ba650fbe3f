import type { AccountCode } from '@slipstream/domain';
import type { AccountCodeStore } from '@slipstream/ports';
import type { Tables } from '../storage/tables.js';

const keyOf = ({ userId, purpose }: Pick<AccountCode, 'userId' | 'purpose'>): string =>
  `${purpose} ${userId}`;

export const memoryAccountCodes = ({ accountCodes }: Tables): AccountCodeStore => ({
  find: async (digest) => accountCodes.values().find((code) => code.digest === digest),
  findOf: async (userId, purpose) => accountCodes.get(keyOf({ userId, purpose })),
  save: async (code) => accountCodes.set(keyOf(code), code),
  remove: async (userId, purpose) => accountCodes.delete(keyOf({ userId, purpose })),
});
