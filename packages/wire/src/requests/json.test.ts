import { describe, it, expect } from '@jest/globals';
import { parseJson } from './json.js';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('accepted JSON', () => {
  it.each([
    ['{"a":[1,"x"]}', { a: [1, 'x'] }],
    [' 7 ', 7],
    ['{"a":"__proto__ constructor"}', { a: '__proto__ constructor' }],
    ['{"a":"\\u0041"}', { a: 'A' }],
    ['"[[[[[[[[[[[[[[[[[[[[[["', '[[[[[[[[[[[[[[[[[[[[[['],
    ['"\\"[[[[[[[[[[[[[[[[[[[[[["', '"[[[[[[[[[[[[[[[[[[[[[['],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it.each([
    '{"a":{"b":1},"b":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '{"a":":","b":"\\":","c:":"{\\"a\\":1,\\"a\\":2}","":{"":1}}',
    '{"1":1,"a":{"1":2},"A":3}',
  ])('may have a name in several objects, and colons in texts: %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('may be nested 16 levels deep', () => {
    expect(() => parseJson(nested(16))).not.toThrow();
  });
});

describe('refused JSON', () => {
  it.each([
    [nested(17), 'the body must not be nested deeper than 16 levels'],
    [nested(100_000), 'the body must not be nested deeper than 16 levels'],
    ['{"a":'.repeat(17), 'the body must not be nested deeper than 16 levels'],
    ['', 'the body must be valid JSON'],
    ['NaN', 'the body must be valid JSON'],
    ['{"a":1,}', 'the body must be valid JSON'],
    ["{'a':1}", 'the body must be valid JSON'],
    ['"\0"', 'the body must be valid JSON'],
    ['{"__proto__":{"a":1}}', 'the body must not have a field "__proto__"'],
    ['{"a":[{"\\u005f_proto__":1}]}', 'the body must not have a field "__proto__"'],
    ['{"quantity":"1","quantity":"100"}', 'the body must not have the field "quantity" twice'],
    ['{"a":1, "b":2, "\\u0061" :1}', 'the body must not have the field "a" twice'],
    ['{"a":[1,{"b":"c:","b":{"a":":"}}],"c":1}', 'the body must not have the field "b" twice'],
    ['{"a":1,"a":{"b":1,"b":2}}', 'the body must not have the field "a" twice'],
    ['{"a":1,"a":1}', 'the body must not have the field "a" twice'],
    ['{"a":{"a":1,"b":[{"a":2}]},"":1,"":2}', 'the body must not have the field "" twice'],
    ['{"constructor":1}', 'the body must not have a field "constructor"'],
  ])('%.40s', (text, reason) => {
    expect(() => parseJson(text)).toThrow(reason);
  });
});
