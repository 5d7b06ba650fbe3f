import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { STYLE, STYLE_HASH } from '../src/style.js';

describe('the policy of the page', () => {
  it('names the hash of its one style', () => {
    const hash = createHash('sha256').update(STYLE).digest('base64');
    expect(STYLE_HASH).toBe(`sha256-${hash}`);
  });
});
