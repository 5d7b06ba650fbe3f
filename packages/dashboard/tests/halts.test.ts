import { describe, expect, it } from '@jest/globals';
import { hits } from '../src/figures/halts.js';

describe('a halt on the page of a bot', () => {
  const bot = { bot_id: 'bot', broker: 'alpaca' } as const;
  it.each([
    ['all', null, true],
    ['user', 'ada', true],
    ['broker', 'alpaca', true],
    ['broker', 'kraken', false],
    ['bot', 'bot', true],
    ['bot', 'another', false],
  ] as const)('of %s %s hits it: %s', (scope, id, expected) => {
    expect(hits({ scope, id }, bot)).toBe(expected);
  });
});
