import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../helpers/repository.js';

const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const lines = (form: RegExp): string[][] => [...page.matchAll(form)].map(([, ...parts]) => parts);

const proofs = lines(/^- test: `([^`]+)` › (.+)$/gm);
const places = lines(/^- code: (.+)$/gm).flatMap(([text = '']) =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? ''),
);

describe('the page on security', () => {
  it.each(proofs)('names an existing test: %s › %s', (file = '', name = '') => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    const titles = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(['"])((?:(?!\1).)+)\1/g)];
    expect(titles.map(([, , title]) => title)).toContain(name);
  });

  it.each([...new Set(places)])('names existing code: %s', (file) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
  });

  it('proves every item with code', () => {
    const items = page.split(/\n\n(?=\*\*|## )/).filter((item) => item.includes('\n- code:'));
    expect(items.length).toBeGreaterThan(30);
    expect(items.filter((item) => !item.includes('\n- test:'))).toEqual([]);
  });

  it('parses every line', () => {
    const meant = page.match(/^- (test|code):/gm) ?? [];
    expect(meant).toHaveLength(proofs.length + lines(/^- code: (.+)$/gm).length);
  });
});
