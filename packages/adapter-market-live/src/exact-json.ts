/** A text, or a number outside of any text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Reads JSON with every number as its text: venues write prices as numbers too, and a binary float would change some of them.
 * @throws when `text` is no JSON.
 */
export const exactJson = (text: string): unknown =>
  JSON.parse(text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`)));
