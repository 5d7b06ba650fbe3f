import { createHash } from 'node:crypto';
import { GROUPS, type Operation, exampleRequest, openApi, operations } from '@slipstream/wire';
import { DOCS_SCRIPT, DOCS_STYLE } from './docs-assets.js';

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

const json = (value: unknown): string => escaped(JSON.stringify(value, null, 2));

const hashed = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const ACCESS: Readonly<Record<Operation['auth'], string>> = {
  required: 'token',
  optional: 'token optional',
  none: 'no token',
  body: 'api_token in the body',
  operator: 'operator',
};

/** A page of every operation, that needs nothing from elsewhere, and the policy that lets just its own script run. */
export function docsPage(version: string): { html: string; contentSecurityPolicy: string } {
  const groups = GROUPS.map((group) => {
    const rows = Object.values(operations).filter((row) => row.group === group);
    return `<h2>${group}</h2>\n${rows.map(section).join('\n')}`;
  });
  const schemas = Object.entries(
    (openApi({ version })['components'] as { schemas: Record<string, unknown> }).schemas,
  ).map(
    ([name, schema]) =>
      `<details id="${name}"><summary>${name}</summary><pre>${json(schema)}</pre></details>`,
  );
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Slipstream ${escaped(version)}</title>
<style>${DOCS_STYLE}</style>
<h1>Slipstream <small>${escaped(version)}</small></h1>
<p>Every answer is <code>{"success", "response"}</code>. Documents for programs:
<a href="/openapi.json">openapi.json</a>, <a href="/asyncapi.json">asyncapi.json</a> (live streams).</p>
<p><label>Token for trying out <input id="token" type="password" autocomplete="off"></label></p>
${groups.join('\n')}
<h2>Records</h2>
${schemas.join('\n')}
<script>${DOCS_SCRIPT}</script>
</html>
`;
  const contentSecurityPolicy = `default-src 'none'; script-src ${hashed(DOCS_SCRIPT)}; style-src ${hashed(DOCS_STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html, contentSecurityPolicy };
}

function section(operation: Operation): string {
  const { name, method, path, auth, summary, description, example } = operation;
  return `<details id="${name}"><summary><b>${method}</b> ${path} <i>${ACCESS[auth]}</i> ${escaped(summary)}</summary>
${description === undefined ? '' : `<p>${escaped(description)}</p>`}
<h3>Request: ${method === 'GET' ? 'query, arrays as name[]' : 'JSON body'}</h3>
<pre>${json(documented(operation))}</pre>
<form data-method="${method}" data-path="${path}"><textarea rows="6" aria-label="request">${json(exampleRequest(operation))}</textarea>
<button>Try it</button><output></output></form>
<h3>Response, for example</h3><pre>${json(example.response)}</pre></details>`;
}

const document = openApi({ version: '' });

/** The parameters or the body schema of the document. */
function documented({ path, method }: Operation): unknown {
  const paths = document['paths'] as Record<string, Record<string, Record<string, unknown>>>;
  const described = paths[path]?.[method.toLowerCase()];
  if (method === 'GET') return described?.['parameters'];
  const body = described?.['requestBody'] as { content: Record<string, { schema: unknown }> };
  return body.content['application/json']?.schema;
}
