import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PACKAGES } from '../helpers/repository.js';

/** The packages whose expressions meet what strangers send. */
const AT_THE_EDGE = [
  ...['wire', 'adapter-http', 'adapter-ws', 'adapter-webhook', 'adapter-crypto'],
  ...['application', 'domain', 'mcp'],
];

/** An expression, and its flags, where one may stand. */
const LITERAL =
  /(?:^|[(,=:[!&|?{};>]|return)\s*\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=[\s),.;:\]}?&|]|$)/gm;

/** With `x` for each character or class. */
const plain = (expression: string): string =>
  expression.replace(/\\[pP]\{\w+\}|\\u[\da-f]{4}|\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');

/**
 * Whether the expression may begin anywhere, and must find something after a repetition without an end. Then a text that has many
 * beginnings and no end is read again from each of them: 8 KiB take half a second, in which nobody is served.
 */
function isReadAgain(expression: string, flags: string): boolean {
  const text = plain(expression);
  if (text.startsWith('^') && !flags.includes('m')) return false;
  return [...text.matchAll(/[*+]|\{\d+,\}/g)].some(({ 0: sign, index }) =>
    /[^)?*+]/.test(text.slice(index + sign.length)),
  );
}

function expressionsOf(name: string): { place: string; expression: string; flags: string }[] {
  const folder = join(PACKAGES, name, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(LITERAL)].map(
        ([, expression = '', flags = '']) => ({ place: `${name}/${file}`, expression, flags }),
      ),
    );
}

/** Those that read no text twice, each for its own reason. */
const EXCEPTIONS = [
  // Each dot ends the run that began at the one before.
  'wire/accounts/sign-in-fields.ts /\\.[a-z][a-z\\d-]*[a-z\\d]$/',
  // Of JSON that was read: each quotation mark that opens a text has one that closes it.
  'wire/requests/json.ts /"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"(\\s*:)?/g',
  // Digits, which do not begin a match.
  'wire/requests/try-again.ts /again in (\\d+) s/',
  // Of a figure that the service computed.
  'domain/statistics/figure.ts /\\.?0+$/',
  // Of a url of Discord, which is short.
  'application/endpoints/targets.ts /[^/]+\\/?$/',
  // Up to the end, from the first sign on.
  'adapter-http/connections/network.ts /%.*$/',
];

describe('a regular expression that meets what strangers send', () => {
  it.each([
    ['\\{\\{.*\\}\\}', 's', true],
    ['\\s+$', '', true],
    ['^\\s+x', 'm', true],
    ['(a+)b', '', true],
    ['[*+]x', '', false],
    ['\\s+', 'g', false],
    ['(?:[a-z]+)?', '', false],
    ['^[a-z]+\\.x$', '', false],
  ])('/%s/%s is found: %s', (expression, flags, isFound) => {
    expect(isReadAgain(expression, flags)).toBe(isFound);
  });

  it('reads no part of the text again from each beginning, unless it is listed here', () => {
    const all = AT_THE_EDGE.flatMap(expressionsOf);
    expect(all.length).toBeGreaterThan(80);
    const found = all
      .filter(({ expression, flags }) => isReadAgain(expression, flags))
      .map(({ place, expression, flags }) => `${place} /${expression}/${flags}`);
    expect(found.sort()).toEqual([...EXCEPTIONS].sort());
  });
});
