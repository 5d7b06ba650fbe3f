import { type Operation, exampleRequest, takesArray } from '@slipstream/wire';
import { type Schema, escaped, fieldTable, json, responseType } from './docs-schema.js';

/** An operation of the OpenAPI document. */
export interface DocumentedOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

const ACCESS: Readonly<Record<Operation['auth'], string>> = {
  required: 'token',
  optional: 'token optional',
  none: 'no token',
  body: 'api_token in the body',
  operator: 'operator',
};

const JSON_TYPE = 'application/json';

function requestSchema({ parameters, requestBody }: DocumentedOperation): Schema {
  if (requestBody) return requestBody.content[JSON_TYPE]?.schema ?? {};
  const named = (parameters ?? []).map((given) => ({
    ...given,
    name: given.name.replace('[]', ''),
  }));
  return {
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** One operation: its request and answer, and a form to try it. */
export function operationSection(operation: Operation, documented: DocumentedOperation): string {
  const { name, method, path, auth, scope, summary, description, example } = operation;
  const isRead = method === 'GET';
  const answer = documented.responses['200']?.content?.[JSON_TYPE]?.schema.properties?.['response'];
  const access =
    scope !== null && scope !== name ? `${ACCESS[auth]}, scope ${scope}` : ACCESS[auth];
  return `<details class="operation" id="${name}"><summary><b class="${method.toLowerCase()}">${method}</b> <code>${path}</code> <span>${escaped(summary)}</span> <i>${access}</i></summary>
${description === undefined ? '' : `<p>${escaped(description)}</p>`}
<h4>Request <small>${isRead ? 'query' : 'JSON body'}</small></h4>
${fieldTable(requestSchema(documented), (field) => isRead && takesArray(operation, field))}
<h4>Response <small>${responseType(answer ?? {})}</small></h4>
<div class="columns"><div><h5>Example</h5><pre>${json({ success: true, response: example.response })}</pre></div>
<form data-method="${method}" data-path="${path}"><h5><label for="try-${name}">Try it <small>${isRead ? 'the query as JSON' : 'the body'}</small></label></h5>
<textarea id="try-${name}" rows="${Math.min(14, JSON.stringify(exampleRequest(operation), null, 2).split('\n').length + 1)}" spellcheck="false">${json(exampleRequest(operation))}</textarea>
<button>Send</button> <strong></strong><output for="try-${name}"></output></form></div></details>`;
}
