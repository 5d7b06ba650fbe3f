import { Refusal } from '@slipstream/domain';
import {
  type Operation,
  type OperationName,
  exampleRequest,
  fileType,
  operations,
} from '@slipstream/wire';
import type { Command } from 'commander';
import { fieldsOf, requestOf } from '../fields.js';
import { nearest } from '../nearest.js';
import { print, table } from '../output.js';
import { type Environment, OPERATOR, needing, remote } from '../remote.js';

function operationNamed(name: string): Operation {
  if (Object.hasOwn(operations, name)) return operations[name as OperationName];
  const names = Object.keys(operations);
  const within = names.filter((known) => known.toLowerCase().includes(name.toLowerCase()));
  const near = within.length > 0 ? within : [nearest(name, names) ?? []].flat();
  const hint = near.length > 0 ? `; there is ${near.join(', ')}` : '; "operations" lists all';
  throw new Refusal('not_found', `there is no operation ${name}${hint}`);
}

function describeOperation(name: string): void {
  const operation = operationNamed(name);
  const { method, path, scope, summary, description, example } = operation;
  print(
    `${method} ${path}\n${summary}${description === undefined ? '' : `\n${description}`}\nScope: ${scope ?? 'none'}\n`,
  );
  const fields = fieldsOf(operation);
  if (fields.length > 0) {
    print(
      table(fields, {
        FIELD: (field) => field.name,
        TYPE: ({ types }) => types.join(' or ') || 'any',
        REQUIRED: ({ required }) => (required ? 'yes' : null),
        MEANING: ({ description: meaning }) => meaning || null,
      }),
    );
  }
  print(`\nExample request:\n${JSON.stringify(exampleRequest(operation), null, 2)}`);
  print(`\nExample response:\n${JSON.stringify(example.response, null, 2)}`);
}

/** `call` calls any operation of the table, `operations` lists them. */
export function calling(program: Command, environment: Environment): void {
  const call = program
    .command('call')
    .description('call any operation; prints its response as JSON')
    .argument('<operation>', 'for example getStrategies; the command "operations" lists all')
    .argument('[fields...]', 'key=value (repeat it for a list), or key:=<JSON>');
  remote(call, environment, async ({ client, show }, name: string, words: string[]) => {
    const operation = operationNamed(name);
    const method = client[operation.name as OperationName] as (request: object) => Promise<unknown>;
    const request = requestOf(operation, words);
    const scope = operation.auth === 'operator' ? OPERATOR : (operation.scope ?? '*');
    const response = await needing(scope, method(request));
    if (fileType(operation, request) !== undefined) process.stdout.write(String(response));
    else show(response);
  });

  program
    .command('operations')
    .description('list the operations, or show the fields and an example of one')
    .argument('[operation]')
    .option('--json', 'as JSON, for programs')
    .action((name: string | undefined, { json }: { json?: true }) => {
      if (name !== undefined && !json) return describeOperation(name);
      const rows: Operation[] =
        name === undefined ? Object.values(operations) : [operationNamed(name)];
      if (json) {
        const records = rows.map((operation) => ({
          name: operation.name,
          method: operation.method,
          group: operation.group,
          scope: operation.scope,
          summary: operation.summary,
          fields: fieldsOf(operation),
        }));
        return print(JSON.stringify(records, null, 2));
      }
      print(
        table(rows, {
          OPERATION: (operation) => operation.name,
          GROUP: ({ group }) => group,
          METHOD: ({ method }) => method,
          SUMMARY: ({ summary }) => summary,
        }),
      );
    });
}
