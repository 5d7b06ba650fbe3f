import { GROUPS, type Operation } from '../operations/operation.js';
import { operations } from '../operations/index.js';
import { takesArray } from '../requests/query.js';
import { exampleRequest } from './openapi.js';

type Fields = Readonly<Record<string, unknown>>;

/** As one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The variable that holds the token of a caller, in double quotes; undefined if none is sent. */
const tokenVariable = ({ auth }: Operation): string | undefined =>
  auth === 'none' || auth === 'body'
    ? undefined
    : auth === 'operator'
      ? 'OPERATOR_TOKEN'
      : 'SLIPSTREAM_TOKEN';

const queryOf = (operation: Operation, request: Fields): string[] =>
  Object.entries(request).flatMap(([name, value]) =>
    [value]
      .flat()
      .map(
        (item) =>
          `--data-urlencode ${quoted(`${name}${takesArray(operation, name) ? '[]' : ''}=${String(item)}`)}`,
      ),
  );

/** The body as JSON; the token of an alert is the shell's variable. */
const bodyOf = ({ auth }: Operation, request: Fields): string =>
  auth === 'body'
    ? `"${JSON.stringify({ ...request, api_token: '$SLIPSTREAM_TOKEN' }).replaceAll('"', '\\"')}"`
    : quoted(JSON.stringify(request));

/** The command line that calls the operation: curl, with the server and the token in SLIPSTREAM_URL and SLIPSTREAM_TOKEN. */
export function curlCommand(operation: Operation, request: Fields): string {
  const variable = tokenVariable(operation);
  const isRead = operation.method === 'GET';
  return [
    `curl -sS ${isRead ? '-G ' : ''}"$SLIPSTREAM_URL${operation.path}"`,
    ...(variable ? [`-H "Authorization: Bearer $${variable}"`] : []),
    ...(isRead
      ? queryOf(operation, request)
      : ["-H 'Content-Type: application/json'", `-d ${bodyOf(operation, request)}`]),
  ].join(' \\\n  ');
}

const HEAD = `# The interface by curl

One command for each operation, with the example of the documents: put your own ids in their places. Made from the table of operations by \`node scripts/clients.mjs\`, and run by a test
(\`packages/server/tests/operations/other-clients.test.ts\`).

- \`SLIPSTREAM_URL\` is the address of the server, \`SLIPSTREAM_TOKEN\` an api token (\`newToken\`), \`OPERATOR_TOKEN\` the operator's.
- The first three steps have no api token yet: \`newUser\`, then \`newSession\`, whose token stands for \`SLIPSTREAM_TOKEN\` in \`newToken\`. The token that this one answers is the api token for all others.
- Every answer is \`{"success", "response"}\`. In a failure the response is a sentence, and the header \`X-Error-Code\` a code for programs (\`curl -i\` shows it).
- A POST with the header \`Idempotency-Key\` takes effect once, however often it is sent within 24 hours.
- Decimals are text, and stay exact.
`;

const section = (operation: Operation): string => {
  const request = operation.auth === 'body' ? operation.example.request : exampleRequest(operation);
  return `### ${operation.name}\n\n${operation.summary}\n\n\`\`\`sh\n${curlCommand(operation, request as Fields)}\n\`\`\`\n`;
};

/** The page with a command for every operation. */
export function curlPage(): string {
  const all: readonly Operation[] = Object.values(operations);
  const groups = Object.entries(GROUPS).map(([group, sentence]) => {
    const sections = all.filter((row) => row.group === group).map(section);
    return `## ${group}\n\n${sentence}\n\n${sections.join('\n')}`;
  });
  return [HEAD, ...groups].join('\n');
}
