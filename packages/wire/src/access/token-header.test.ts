import { describe, it, expect } from '@jest/globals';
import { operations } from '../operations/index.js';
import { holdsToken, tokenOf, withoutTokens } from './token-header.js';

const TOKEN = `slipa_${'Aa0'.repeat(12)}xy`;

/** Fields that are compared but not stored, or stored encrypted for a broker. */
const NEVER_SHOWN = ['notification_id', 'credentials'];

/** The example of a request, once for each of its texts, with a token pasted into that text. */
function* pasted(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield `my ${TOKEN}`;
  else if (Array.isArray(value))
    for (const [at, item] of value.entries())
      for (const changed of pasted(item)) yield value.with(at, changed);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      if (!NEVER_SHOWN.includes(name))
        for (const changed of pasted(inner)) yield { ...value, [name]: changed };
}

const rows = Object.values(operations).filter(
  ({ method, auth }) => method === 'POST' && auth !== 'body',
);

describe('the token of an Authorization header', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['Bearer', undefined],
    ['bearer  ', undefined],
    ['Bearer x', 'x'],
    ['bearer   x', 'x'],
    [' x ', 'x'],
    ['Bearerx', 'Bearerx'],
    ['Basic', 'Basic'],
  ])('of %j is %j', (header, token) => {
    expect(tokenOf(header)).toBe(token);
  });
});

describe('a token in a text', () => {
  it.each(['a', 'r', 's'])('is known by its form: slip%s_', (type) => {
    const text = `see slip${type}_${'x'.repeat(38)}!`;
    expect(holdsToken(text)).toBe(true);
    expect(withoutTokens(text, '…')).toBe('see …!');
    expect(holdsToken(text.replace('_', '-'))).toBe(false);
  });

  it.each(rows.map((row) => [row.name, row] as const))(
    'pasted into a field of %s is refused, so that it is never stored or shown',
    (_, { request, example }) => {
      for (const changed of pasted(example.request)) {
        const read = request.safeParse(changed);
        expect([changed, read.success]).toEqual([changed, false]);
      }
    },
  );
});
