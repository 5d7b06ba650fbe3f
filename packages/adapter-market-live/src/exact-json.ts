const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const BACKSLASH = '\\';

/** Where the text that begins at `start` ends: behind the first quote that no backslash escapes, or with the whole. */
function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return json.length;
}

/**
 * Reads JSON with every number as its text: venues write prices as numbers too, and a binary float would change some of them.
 * Texts are walked over by hand: one pattern for texts and numbers overflows the stack at a text of ten megabytes.
 * @throws {SyntaxError} when `json` is no JSON.
 */
export function exactJson(json: string): unknown {
  let quoted = '';
  for (let at = 0; at < json.length;) {
    const found = json.indexOf('"', at);
    const start = found === -1 ? json.length : found;
    quoted += json.slice(at, start).replace(NUMBERS, '"$&"');
    at = found === -1 ? json.length : endOfText(json, start);
    quoted += json.slice(start, at);
  }
  return JSON.parse(quoted);
}
