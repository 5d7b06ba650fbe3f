import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const SOURCES = fileURLToPath(new URL('../src', import.meta.url));
const FILES = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.tsx'),
);

describe('a button that waits for its answer', () => {
  it('is marked, not disabled: that would take the focus from whoever goes by the keyboard', () => {
    const disabled = FILES.filter((name) =>
      /\sdisabled=\{[^}]*isBusy/.test(readFileSync(join(SOURCES, name), 'utf8')),
    );
    expect(disabled).toEqual([]);
  });
});
