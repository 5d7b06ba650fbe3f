/** The style of /docs. */
export const DOCS_STYLE = `
:root { --ink: #1b1f24; --soft: #57606a; --paper: #fff; --tint: #f6f8fa; --line: #d8dee4; --link: #0b57d0; --get: #0b57d0; --post: #1a7f37; --ws: #8250df; --bad: #b42318 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9198a1; --paper: #0d1117; --tint: #161b22; --line: #30363d; --link: #79b8ff; --get: #79b8ff; --post: #56d364; --ws: #d2a8ff; --bad: #ff7b72 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 4rem }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 6rem; color: var(--ink); background: var(--paper) }
h1 { margin: 0 } h1 small, h4 small, h5 small { color: var(--soft); font-weight: normal }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem } h4 { margin: 1rem 0 .3rem } h5 { margin: .6rem 0 .2rem; font-size: .9rem }
a { color: var(--link) } code, pre, textarea, output { font: 13px/1.45 ui-monospace, monospace }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; margin: 1rem 0 }
#tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line) }
#tools > * { min-width: 0 }
input, textarea, button { max-width: 100%; font-size: inherit; color: inherit; background: var(--tint); border: 1px solid var(--line); border-radius: .3rem; padding: .25rem .5rem }
textarea { width: 100%; resize: vertical; padding: .6rem; font-size: 13px } button { cursor: pointer; padding: .3rem 1rem }
.operation { border: 1px solid var(--line); border-radius: .4rem; margin: .4rem 0; padding: 0 .8rem }
.operation[open] { padding-bottom: .8rem }
.operation > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .7rem; cursor: pointer; padding: .45rem 0; list-style: none }
.operation > summary::-webkit-details-marker { display: none }
.operation > summary code { font-weight: 600 } .operation > summary span { color: var(--soft); flex: 1 1 20rem }
summary b { min-width: 2.8rem; font-size: .8rem } .get { color: var(--get) } .post { color: var(--post) } .ws { color: var(--ws) }
summary i { color: var(--soft); font-size: .85em }
table { width: 100%; border-collapse: collapse; font-size: .92em; margin: .3rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; border-bottom: 1px solid var(--line) }
th { color: var(--soft); font-weight: normal } td:first-child { white-space: nowrap } td b { color: var(--bad) }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1.5rem }
.columns > * { min-width: 0 }
pre { background: var(--tint); border-radius: .3rem; padding: .6rem; margin: 0; overflow: auto; max-height: 26rem }
output { display: block; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 26rem; overflow: auto; margin-top: .5rem }
output:not(:empty) { background: var(--tint); border-radius: .3rem; padding: .6rem } strong.bad { color: var(--bad) } strong.good { color: var(--post) }
[hidden] { display: none }
`;

/** Sends the forms of /docs and shows the answers; searches operations; opens the target of a link. */
export const DOCS_SCRIPT = `
const query = (fields) => {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const item of [value].flat()) pairs.append(Array.isArray(value) ? name + '[]' : name, item);
  return pairs.size ? '?' + pairs : '';
};
const pretty = (text) => {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
};
const send = async ({ method, path }, text) => {
  const token = document.getElementById('token').value.trim();
  const headers = token ? { Authorization: 'Bearer ' + token } : {};
  if (method === 'GET') return fetch(path + query(JSON.parse(text || '{}')), { headers });
  const fields = JSON.parse(text);
  if (token && 'api_token' in fields) fields.api_token = token;
  return fetch(path, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(fields) });
};
for (const form of document.querySelectorAll('form')) form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const output = form.querySelector('output');
  const status = form.querySelector('strong');
  const show = (word, text, good) => { status.textContent = word; status.className = good ? 'good' : 'bad'; output.textContent = text; };
  const began = performance.now();
  try {
    const answer = await send(form.dataset, form.querySelector('textarea').value);
    const code = answer.headers.get('X-Error-Code');
    const text = pretty(await answer.text());
    show(answer.status + (code ? ' ' + code : '') + ', ' + Math.round(performance.now() - began) + ' ms', text, answer.ok);
  } catch (error) {
    show(error instanceof SyntaxError ? 'this is not JSON' : 'no answer', String(error), false);
  }
});
document.getElementById('find').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\\s+/);
  for (const section of document.querySelectorAll('main section')) {
    let any = false;
    for (const part of section.querySelectorAll(':scope > .operation')) {
      const text = part.querySelector('summary').textContent.toLowerCase();
      part.hidden = !words.every((word) => text.includes(word));
      any ||= !part.hidden;
    }
    section.hidden = !any;
  }
});
const open = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) { named.open = true; named.scrollIntoView(); }
};
addEventListener('hashchange', open);
open();
`;
