import { type AccountState, accountText, readAccount } from './account-state.js';

/** A bot asks several times about its account while it checks it, and so many bots are checked at once. */
const MOST = 256;

/** Accounts by their keys, as they were read or written last: the same text is not parsed twice. */
export function parsedAccounts() {
  const last = new Map<string, { readonly text: string; readonly account: AccountState }>();
  const keep = (key: string, text: string, account: AccountState): void => {
    last.delete(key);
    const [oldest] = last.size < MOST ? [] : last.keys();
    if (oldest !== undefined) last.delete(oldest);
    last.set(key, { text, account });
  };
  return {
    /** The account that the text is. */
    read(key: string, text: string): AccountState {
      const found = last.get(key);
      if (found?.text === text) return found.account;
      const account = readAccount(text);
      keep(key, text, account);
      return account;
    },
    /** The text to keep the account as. */
    text(key: string, account: AccountState): string {
      const text = accountText(account);
      keep(key, text, account);
      return text;
    },
  };
}
