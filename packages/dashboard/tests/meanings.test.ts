import { describe, expect, it } from '@jest/globals';
import { MEANINGS } from '../src/figures/meanings.js';

describe('the meaning of a name', () => {
  it.each(Object.entries(MEANINGS))('of %s is one to four short sentences', (_, text) => {
    expect(text).toMatch(/^\S.*\.$/);
    expect(text.length).toBeLessThanOrEqual(250);
    expect(text.split(/\. (?=[A-Z])/).length).toBeLessThanOrEqual(4);
  });
});
