import { describe, expect, it } from '@jest/globals';
import { leadingTo, wayBack } from '../src/figures/way-back.js';

describe('the way back after a sign-in', () => {
  it.each(['/', '/account', '/new-bot?strategy=1', '/strategies/a'])('leads to %s', (to) => {
    expect(wayBack(to)).toBe(to);
    const query = new URL(leadingTo('/sign-in', to), 'https://a').searchParams.get('to');
    expect(query ?? '/').toBe(to);
  });

  it.each([
    ...[undefined, '', 'account', '//evil.example', '/\\evil.example', 'https://evil.example'],
    // Browsers leave these characters out of an address.
    ...['/\t/evil.example', '/\n/evil.example', '/\r\\evil.example', '\t//evil.example'],
  ])('leads nowhere else: %j', (to) => expect(wayBack(to)).toBe('/'));
});
