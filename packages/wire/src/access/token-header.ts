/**
 * The token of an Authorization header: `Bearer <token>` or the bare token (contract 1); undefined without one, and after `Bearer` alone,
 * which a shell sends for a variable that is not set.
 */
export function tokenOf(header: string | undefined): string | undefined {
  const text = header?.trim();
  if (text === undefined || /^(bearer)?$/i.test(text)) return undefined;
  return /^bearer +(\S.*)$/i.exec(text)?.[1] ?? text;
}

/** Access tokens of this service anywhere in a text. Codes of mails are not among them: they work only once. */
const TOKENS = /slip[ars]_[0-9A-Za-z]{38}/g;

/** Whether the text contains an access token. */
export const holdsToken = (text: string): boolean => text.search(TOKENS) >= 0;
/** The different access tokens in the text. */
export const tokensIn = (text: string): string[] => [...new Set(text.match(TOKENS))];
/** The text with `instead` in place of each access token. */
export const withoutTokens = (text: string, instead: string): string =>
  text.replace(TOKENS, instead);
