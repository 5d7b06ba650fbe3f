import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PACKAGES, ROOT } from '../helpers/repository.js';

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')
    .map((file) => join(folder, file));

const readmesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder)).flatMap((name) => pagesIn(join(folder, name)));

const pages = [
  ...['.', 'docs', 'docs/adr', 'deploy'].flatMap(pagesIn),
  ...['packages', 'examples'].flatMap(readmesIn),
];
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const found = (page: string, form: RegExp): string[] =>
  [...textOf(page).matchAll(form)].map(([, part = '']) => part);

/** Packages whose folders are subjects. */
const CUT_BY_SUBJECT = ['domain', 'ports', 'application', 'wire', 'adapter-memory', 'adapter-sql'];
/** Folders that are no subject: each is named on the page. */
const ENGINES = [
  'postgres',
  ...['numbers', 'storage', 'migrations', 'commits', 'housekeeping', 'testing'],
  ...['operations', 'fields', 'requests', 'access', 'documents'],
];

describe('the documents', () => {
  it.each(pages)('%s names existing files and folders', (page) => {
    const named = found(page, /`((?:packages|docs|examples|scripts)\/[\w./-]+)`/g);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each(pages)('%s links to existing pages and sections', (page) => {
    const links = found(page, /\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)/g).filter(
      (link) => link !== '',
    );
    const missing = links.filter((link) => !existsSync(join(ROOT, dirname(page), link)));
    expect(missing).toEqual([]);
    const sections = found(page, /^#+ (.+)$/gm).map((title) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const anchors = found(page, /\]\(#([^)]+)\)/g);
    expect(anchors.filter((anchor) => !sections.includes(anchor))).toEqual([]);
  });
});

describe('the page on architecture', () => {
  const page = textOf('docs/architecture.md');

  it.each(readdirSync(PACKAGES))('has the package %s', (name) => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.some((row) => row.split('|')[1]?.includes(`\`${name}\``))).toBe(true);
  });

  it.each(CUT_BY_SUBJECT)('has every subject of %s', (name) => {
    const subjects = found('docs/architecture.md', /^\| `(\w+)` \|/gm);
    const folders = readdirSync(join(PACKAGES, name, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !ENGINES.includes(entry.name))
      .map((entry) => entry.name);
    expect(subjects).toEqual(expect.arrayContaining(folders));
  });
});

describe('the page on behaviour', () => {
  /** They change nothing that the log records. */
  const UNRECORDED = ['authenticate', 'rankStrategies'];

  it('names every action of the system that the audit log may have', () => {
    const folder = join(PACKAGES, 'application/src');
    const actions = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /(?:systemCore|longCore|systemActor)\('(\w+)'\)/g,
        ),
      ])
      .map(([, name = '']) => name);
    const named = /`system`, whose actions are ([^]*?)\. /.exec(textOf('docs/behaviour.md'))?.[1];
    expect([...(named ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()).toEqual(
      [...new Set(actions)].filter((name) => !UNRECORDED.includes(name)).toSorted(),
    );
  });
});
