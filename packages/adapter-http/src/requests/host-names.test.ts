import { describe, expect, it } from '@jest/globals';
import { answersTo } from './host-names.js';

describe('a server named trade.example', () => {
  const answers = answersTo(['Trade.example']);

  it.each([
    ['trade.example', true],
    ['TRADE.example:8443', true],
    ['trade.example.', true],
    ['localhost:3000', true],
    ['127.0.0.1:3000', true],
    ['192.0.2.7', true],
    ['[::1]:3000', true],
    ['evil.example', false],
    ['trade.example.evil.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['trade.example@evil.example', false],
    ['evil.example:trade.example', false],
    ['[evil.example]', false],
    ['::1', false],
    ['', false],
  ])('answers to %j: %s', (host, expected) => expect(answers(host)).toBe(expected));
});
