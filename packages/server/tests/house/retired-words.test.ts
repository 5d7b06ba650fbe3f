import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../helpers/repository.js';

const GLOSSARY = 'docs/glossary.md';

const cellsOf = (row: string): string[] => row.split('|').map((cell) => cell.trim());

/** Each retired word with the word that is used now, as the glossary has them. */
const RETIRED = readFileSync(join(ROOT, GLOSSARY), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map(cellsOf)
  .flatMap(([, word = '', , not = '']) =>
    [...not.matchAll(/`([^`]+)`/g)].map(([, retired = '']) => [retired, word] as const),
  );

const PLACES = [
  ...['packages', 'examples', 'docs', 'scripts', 'deploy'],
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
];
const NOT_OURS = /(^|\/)(node_modules|dist|coverage|CHANGELOG\.md)(\/|$)/;
const IS_TEXT = /\.(tsx?|[cm]?js|md|json|css|html|njk|py|yaml)$/;

const filesIn = (place: string): string[] => {
  if (place.includes('.')) return [place];
  return readdirSync(join(ROOT, place), { withFileTypes: true })
    .map((entry) => ({ entry, path: `${place}/${entry.name}` }))
    .filter(({ path }) => !NOT_OURS.test(path) && path !== GLOSSARY)
    .flatMap(({ entry, path }) =>
      entry.isDirectory() ? filesIn(path) : IS_TEXT.test(path) ? [path] : [],
    );
};

/** Within a longer name too, from the start of one of its words: `isOldWord` holds `oldWord`. */
const form = (word: string): string => {
  const [first = ''] = word;
  return `(?:(?<![A-Za-z])${first}|(?<=[a-z])${first.toUpperCase()})${word.slice(1)}s?(?![a-z])`;
};

describe('a retired word', () => {
  const files = PLACES.flatMap(filesIn).map((path) => {
    const text = `${path}\n${readFileSync(join(ROOT, path), 'utf8')}`;
    return { path, text };
  });

  it.each(RETIRED)('%s is not used for: %s', (retired) => {
    const found = new RegExp(form(retired));
    // What every form of it contains: to look for that is many times as fast.
    const tail = retired.slice(1);
    const using = files.filter(({ text }) => text.includes(tail) && found.test(text));
    expect(using.map(({ path }) => path)).toEqual([]);
  });

  it('is found in names, in comments and in the names of files', () => {
    const uses = ['// an oldWord', 'const isOldWord = 1', 'src/oldWord.ts', 'oldWords', 'oldWordy'];
    const found = new RegExp(form('oldWord'));
    expect(uses.filter((text) => !found.test(text))).toEqual(['oldWordy']);
    expect(RETIRED.length).toBeGreaterThan(20);
    expect(files.length).toBeGreaterThan(500);
  });
});
