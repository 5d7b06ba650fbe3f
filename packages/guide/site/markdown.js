// What the site does with Markdown beyond its own rules: addresses for headings, links between pages, and the sections for the search.
import { posix } from 'node:path';
import { pages } from './pages.js';

const pageOf = new Map(pages.map((page) => [page.source, page]));

/** The address of a heading, as GitHub makes it. */
const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Where a link of a file leads on the site: nowhere, if it names a file that is no page. */
function addressOf(link, source) {
  if (/^[a-z]+:/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const end = anchor === undefined ? '' : `#${anchor}`;
  if (path === '') return end;
  const target = posix.join(posix.dirname(source), path);
  if (target.startsWith('docs/pictures/')) return target.replace('docs/', '/guide/');
  const page = pageOf.get(target) ?? pageOf.get(`${target.replace(/\/$/, '')}/README.md`);
  // A part of a file has no other headings of it.
  return page && `${page.url}${page.text.includes('\n#') ? end : ''}`;
}

const setLink = (token, name, source) => {
  const address = addressOf(token.attrGet(name) ?? '', source);
  if (address !== undefined) token.attrSet(name, address);
  return address !== undefined;
};

/** Renames links to pages; what leads nowhere here stays as its words. */
function relink(children, source) {
  const left = [];
  return children.filter((token) => {
    if (token.type === 'image') setLink(token, 'src', source);
    if (token.type === 'link_open') {
      left.push(setLink(token, 'href', source));
      return left.at(-1);
    }
    return token.type === 'link_close' ? left.pop() : true;
  });
}

/** `found` gets each section of each page: its address, titles and words. */
export function ourMarkdown(md, found) {
  md.core.ruler.push('guide', ({ tokens, env }) => {
    const { source, title, address } = env;
    const slugs = new Map();
    let section;
    const add = (text) => section?.words.push(text);
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'heading_open') {
        const { content } = tokens[at + 1];
        const slug = slugOf(content.replace(/`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
        const times = slugs.get(slug) ?? 0;
        slugs.set(slug, times + 1);
        const id = times === 0 ? slug : `${slug}-${times}`;
        token.attrSet('id', id);
        const url = token.tag === 'h1' ? address : `${address}#${id}`;
        section = { url, page: title, title: content.replaceAll('`', ''), words: [] };
        found.push(section);
      } else if (token.type === 'inline') {
        token.children = relink(token.children, source);
        if (tokens[at - 1]?.type !== 'heading_open')
          add(token.children.map(({ content }) => content).join(' '));
      } else if (token.type === 'fence') add(token.content);
      else if (token.type === 'html_block')
        token.content = token.content.replace(
          /\b(src|srcset)="(pictures\/[^"]+)"/g,
          (_, name, link) => `${name}="/guide/${link}"`,
        );
    }
  });
  // What is wider than the page is scrolled, by the keyboard too.
  md.renderer.rules.fence = (tokens, at) =>
    `<pre tabindex="0"><code>${md.utils.escapeHtml(tokens[at].content)}</code></pre>\n`;
  md.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  // Alignment is written as a style, which the policy of the pages refuses.
  for (const rule of ['th_open', 'td_open'])
    md.renderer.rules[rule] = (tokens, at) => `<${tokens[at].tag}>`;
}
