// The pages of the site: their addresses below /guide and the Markdown files that they are made of.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');
export const read = (file) => readFileSync(join(ROOT, file), 'utf8');

const docs = (...names) => names.map((name) => [name, `docs/${name}.md`]);
const readmes = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name !== 'node_modules' && !name.includes('.'))
    .map((name) => [`${folder}/${name}`, `${folder}/${name}/README.md`]);
const records = readdirSync(join(ROOT, 'docs/adr'))
  .filter((name) => /^\d/.test(name))
  .map((name) => [`adr/${name.replace('.md', '')}`, `docs/adr/${name}`]);

/** Each section with its pages: the address and the file, and what else a page has. */
const SECTIONS = [
  ['Begin', [['', 'docs/start.md'], ...docs('concepts')]],
  ['Trade', docs('charting-platforms', 'risk-limits', 'statistics', 'replay')],
  ['Brokers', docs('brokers', 'paper-bot', 'going-live', 'connecting')],
  [
    'Operate',
    [
      ['deploying', 'deploy/README.md'],
      ['settings', 'README.md', { title: 'Settings', part: /^\| setting \|[^]*?\n\n/m }],
      ...docs(
        'operating',
        'restoring',
        'postgresql',
        'several-nodes',
        'upgrading',
        'endpoints',
        'anchors',
      ),
      ...docs('security'),
    ],
  ],
  ['Programs', [...docs('api', 'curl', 'behaviour', 'agents'), ...readmes('examples')]],
  [
    'Reuse',
    [
      ...docs('reuse', 'architecture', 'glossary', 'releasing'),
      ['contributing', 'CONTRIBUTING.md'],
    ],
  ],
  ['Packages', readmes('packages')],
  ['Decisions', [['adr', 'docs/adr/README.md'], ...records]],
];

/** Sections that are listed closed: their pages are many. */
const CLOSED = ['Packages', 'Decisions'];

function page([path, source, { part, title } = {}]) {
  const whole = read(source);
  const [text = ''] = part ? (part.exec(whole) ?? []) : [whole];
  const [, heading] = /^# (.+)$/m.exec(text) ?? [];
  return {
    url: path === '' ? '/guide' : `/guide/${path}`,
    file: path === '' ? 'index.html' : `${path}/index.html`,
    source,
    title: (title ?? heading ?? path).replaceAll('`', ''),
    text: heading ? text : `# ${title}\n\n${text}`,
  };
}

export const sections = SECTIONS.map(([title, pages]) => ({
  title,
  isClosed: CLOSED.includes(title),
  pages: pages.map(page),
}));
export const pages = sections.flatMap((section) => section.pages);
