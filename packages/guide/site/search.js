// The search of the guide, in the browser: the index is made of one file when somebody begins to type.
const form = document.querySelector('form[role="search"]');
const shown = document.querySelector('#found');
const article = document.querySelector('article');
const { words: field } = form.elements;

async function readIndex() {
  const [{ default: MiniSearch }, sections] = await Promise.all([
    import('/guide/assets/minisearch.js'),
    fetch('/guide/assets/sections.json').then((answer) => answer.json()),
  ]);
  const index = new MiniSearch({
    fields: ['title', 'page', 'text'],
    storeFields: ['url', 'title', 'page', 'text'],
    searchOptions: { prefix: true, fuzzy: 0.1, combineWith: 'AND', boost: { title: 4, page: 2 } },
  });
  index.addAll(sections);
  return index;
}

let reading;
const element = (name, text, settings = {}) =>
  Object.assign(document.createElement(name), { textContent: text, ...settings });

/** Some words around the first one that was asked for. */
function excerpt(text, terms) {
  const at = Math.min(
    ...terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0),
    text.length,
  );
  const start = at === text.length ? 0 : Math.max(0, at - 60);
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 180)}${start + 180 < text.length ? ' …' : ''}`;
}

function row({ url, title, page, text, terms }) {
  const item = document.createElement('li');
  const name = title === page ? title : `${page}: ${title}`;
  item.append(element('a', name, { href: url }), element('p', excerpt(text, terms)));
  return item;
}

async function search() {
  const words = field.value.trim();
  const isAsked = words.length > 1;
  shown.hidden = !isAsked;
  article.hidden = isAsked;
  if (!isAsked) return;
  reading ??= readIndex();
  const results = (await reading).search(words);
  if (words !== field.value.trim()) return;
  const list = document.createElement('ol');
  list.append(...results.slice(0, 20).map(row));
  const count = results.length === 1 ? 'one section' : `${results.length} sections`;
  shown.replaceChildren(element('h1', `Found in ${count}`), list);
}

form.hidden = false;
form.addEventListener('submit', (event) => event.preventDefault());
field.addEventListener('input', search);
field.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  field.value = '';
  void search();
});
// A result on this page leads to its place in the text.
shown.addEventListener('click', ({ target }) => {
  if (!target.closest('a')) return;
  shown.hidden = true;
  article.hidden = false;
});
