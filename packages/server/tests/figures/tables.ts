import { type OperationName, operations } from '@slipstream/wire';
import { parse } from 'csv-parse/sync';
import { type ComposedServer, queryOf } from '../helpers/composed-server.js';

/** The rows of an answer as a table, by its header. */
export async function tableOf(
  server: ComposedServer,
  name: OperationName,
  fields: object,
  token: string,
): Promise<Readonly<Record<string, string>>[]> {
  const { method, path } = operations[name];
  const query = queryOf({ ...fields, format: 'csv' });
  const { text } = await server.call(method, path, { query, token });
  return parse(text, { columns: true });
}

/** A record as cells of a table: nothing is an empty cell, and what is no text is JSON. */
export const cellsOf = (record: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(record).map(([name, field]) => [
      name,
      field === null ? '' : typeof field === 'string' ? field : JSON.stringify(field),
    ]),
  );
