import { type Operation, type OperationName, operations, takesArray } from '@slipstream/wire';
import { rowOf } from './rows.js';
import { type Fields, namedIn } from './scene.js';

const tableRow = (name: OperationName): Operation => operations[name];

const foreignFields = (name: OperationName): Fields => {
  const request = tableRow(name).example.request as Fields;
  return { ...request, ...rowOf(name).foreign };
};

/** What a stranger gets. Queries by array leave out what may not be seen. */
export function strangersGet(name: OperationName): 'refused' | 'left out' | 'public' {
  const operation = tableRow(name);
  const byArray =
    operation.method === 'GET' &&
    Object.keys(foreignFields(name)).some((field) => takesArray(operation, field));
  return rowOf(name).toStrangers ?? (byArray ? 'left out' : 'refused');
}

/** The request by which a stranger names the owner's things; undefined when it names nothing of anybody. */
export function foreignRequest(name: OperationName): Fields | undefined {
  if (tableRow(name).auth === 'operator' || strangersGet(name) === 'public') return undefined;
  const request = foreignFields(name);
  return namedIn(request).some((kind) => kind !== 'stock') ? request : undefined;
}
