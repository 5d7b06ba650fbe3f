/** The token of an Authorization header: `Bearer <token>` or the bare token (contract 1); undefined when there is none. */
export function tokenOf(header: string | undefined): string | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  return /^bearer +(\S.*)$/i.exec(text)?.[1] ?? text;
}

/** What gives access by itself: tokens of this service, wherever they stand in a text. Codes of mails open nothing twice. */
const TOKENS = /slip[ars]_[0-9A-Za-z]{38}/g;

/** Whether an access token stands anywhere in the text. */
export const holdsToken = (text: string): boolean => text.search(TOKENS) >= 0;
/** The text with `instead` in place of each access token. */
export const withoutTokens = (text: string, instead: string): string =>
  text.replace(TOKENS, instead);
