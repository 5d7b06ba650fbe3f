import { type DocumentedBroker, GROUPS, type Group, openApi, operations } from '@slipstream/wire';
import { contentHash } from './content-hash.js';
import { DOCS_SCRIPT, DOCS_STYLE } from './docs-assets.js';
import { type DocumentedOperation, operationSection } from './docs-operation.js';
import { type Schema, escaped, fieldTable, json } from './docs-schema.js';
import { streamsSection } from './docs-streams.js';

const idOf = (group: string): string => group.toLowerCase();

/** A page of every operation without external resources, and the policy that allows only its own script. */
export function docsPage(
  version: string,
  brokers: readonly DocumentedBroker[],
  disclosure = '',
): { html: string; contentSecurityPolicy: string } {
  const document = openApi({ version, brokers }) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const groups = (Object.keys(GROUPS) as Group[]).map((group) => {
    const sections = Object.values(operations)
      .filter((row) => row.group === group)
      .map((row) => {
        const documented = document.paths[row.path]?.[row.method.toLowerCase()];
        return operationSection(row, documented ?? { responses: {} });
      });
    return `<section><h2 id="${idOf(group)}">${group}</h2>\n${sections.join('\n')}</section>`;
  });
  const records = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details class="operation" id="${name}"><summary><code>${name}</code> <span>${escaped(schema.description ?? '')}</span></summary>${fieldTable(schema)}<details><summary>JSON Schema</summary><pre>${json(schema)}</pre></details></details>`,
  );
  const links = (Object.keys(GROUPS) as Group[]).map(
    (group) => `<a href="#${idOf(group)}">${group}</a>`,
  );
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Slipstream ${escaped(version)}</title>
<style>${DOCS_STYLE}</style>
<header>
<h1>Slipstream <small>${escaped(version)}</small></h1>
<p>Every answer is <code>{"success", "response"}</code>; of a failure the response is a sentence, and the header
<code>X-Error-Code</code> a code for programs. Decimals are strings. For programs:
<a href="/openapi.json">openapi.json</a>, <a href="/asyncapi.json">asyncapi.json</a>.</p>
<p>${escaped(disclosure)}</p>
</header>
<nav>${links.join('\n')}\n<a href="#streams">Live streams</a>\n<a href="#records">Records</a></nav>
<section id="tools" aria-label="Tools"><label>Token for trying out <input id="token" type="password" autocomplete="off" size="34" placeholder="kept on this page only"></label>
<label>Find <input id="find" type="search" placeholder="an operation"></label></section>
<main>
${groups.join('\n')}
<section>${streamsSection(version)}</section>
<section><h2 id="records">Records</h2>
${records.join('\n')}</section>
</main>
<script>${DOCS_SCRIPT}</script>
</html>
`;
  const contentSecurityPolicy = `default-src 'none'; script-src ${contentHash(DOCS_SCRIPT)}; style-src ${contentHash(DOCS_STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { html, contentSecurityPolicy };
}
