/** The look of /docs. */
export const DOCS_STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; background: #fff }
details { border-bottom: 1px solid #d8dee4; padding: .3rem 0 }
summary { cursor: pointer }
summary b { display: inline-block; width: 3.2rem; color: #0b57d0 }
summary i { color: #57606a; font-size: .85em }
h3 { font-size: 1rem; margin: .6rem 0 .2rem }
pre, textarea { font: 13px/1.4 ui-monospace, monospace; background: #f6f8fa; padding: .6rem; overflow: auto; max-height: 24rem }
textarea { width: 100%; box-sizing: border-box; border: 1px solid #d8dee4 }
output { display: block; white-space: pre-wrap; font: 13px/1.4 ui-monospace, monospace }
@media (prefers-color-scheme: dark) {
  body { color: #e6edf3; background: #0d1117 } pre, textarea { background: #161b22; color: inherit } summary b, a { color: #79b8ff }
}
`;

/** Sends what stands in a form of /docs and shows the answer. */
export const DOCS_SCRIPT = `
const query = (fields) => {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const item of [value].flat()) pairs.append(Array.isArray(value) ? name + '[]' : name, item);
  return pairs.size ? '?' + pairs : '';
};
for (const form of document.querySelectorAll('form')) form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const output = form.querySelector('output');
  const text = form.querySelector('textarea').value;
  const { method, path } = form.dataset;
  const token = document.getElementById('token').value;
  const headers = token ? { Authorization: 'Bearer ' + token } : {};
  try {
    const answer = method === 'GET'
      ? await fetch(path + query(JSON.parse(text)), { headers })
      : await fetch(path, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: text });
    output.textContent = answer.status + ' ' + JSON.stringify(await answer.json(), null, 2);
  } catch (error) {
    output.textContent = String(error);
  }
});
`;
