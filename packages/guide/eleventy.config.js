// Makes the site from the Markdown files of the repository: packages/guide/site/pages.js names them.
import { createRequire } from 'node:module';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ourMarkdown } from './site/markdown.js';
import { ROOT, pages, read, sections } from './site/pages.js';

const OUT = 'dist/pages';
const require = createRequire(import.meta.url);
/** The colours are the dashboard's. */
const STYLES = ['packages/dashboard/src/style/tokens.css', 'packages/guide/site/style.css'];

export default function site(eleventy) {
  const found = [];
  eleventy.setQuietMode(true);
  eleventy.amendLibrary('md', (md) => ourMarkdown(md, found));
  for (const { url, file, source, title, text } of pages)
    eleventy.addTemplate(`${file.replace(/\.html$/, '')}.md`, text, {
      ...{ layout: 'layout.njk', permalink: file, templateEngineOverride: 'md' },
      ...{ title, source, address: url, sections },
    });
  eleventy.on('eleventy.after', () => {
    const assets = join(OUT, 'assets');
    mkdirSync(assets, { recursive: true });
    const write = (name, text) => writeFileSync(join(assets, name), text);
    write('style.css', STYLES.map(read).join('\n'));
    write('search.js', readFileSync('site/search.js', 'utf8'));
    const minisearch = join(dirname(require.resolve('minisearch')), '../es/index.js');
    write('minisearch.js', readFileSync(minisearch, 'utf8').replace(/\n\/\/# sourceMapping.*/, ''));
    const sought = found.map(({ words, ...section }, id) => ({
      id,
      ...section,
      text: words.join(' '),
    }));
    write('sections.json', JSON.stringify(sought));
    cpSync(join(ROOT, 'docs/pictures'), join(OUT, 'pictures'), { recursive: true });
  });
  return { dir: { input: 'site', output: OUT }, markdownTemplateEngine: false };
}
