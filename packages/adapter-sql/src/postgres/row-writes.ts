import type { Client } from './client.js';
import { type RowWrite, WAS } from '../storage/queries.js';

/** What a storage knows of the database's tables. */
export interface Schema {
  /** The type of each column, by `table.column`. */
  readonly types: ReadonlyMap<string, string>;
  /** The tables in which more than the primary key is unique. */
  readonly unique: ReadonlySet<string>;
}

/** Reads it from the database. */
export async function schemaOf(client: Client): Promise<Schema> {
  const columns = await client.query({
    sql: `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0`,
    parameters: [],
  });
  const indexes = await client.query({
    sql: `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique AND NOT i.indisprimary`,
    parameters: [],
  });
  const named = (rows: readonly unknown[]) => rows as readonly Record<'name' | 'type', string>[];
  return {
    types: new Map(named(columns.rows).map(({ name, type }) => [name, type])),
    unique: new Set(named(indexes.rows).map(({ name }) => name)),
  };
}

const quoted = (name: string): string => `"${name}"`;
const list = (names: readonly string[]): string => names.map(quoted).join(', ');

/** The statement of the write for any number of rows: its parameters are a list for each column. */
export function statementOfRows(write: RowWrite, { types }: Pick<Schema, 'types'>): string {
  const { kind, table, columns, key, guard } = write;
  const lists = columns.map((column) => {
    const type = types.get(`${table}.${column === WAS ? guard : column}`);
    if (!type) throw new Error(`there is no column ${column} in ${table}`);
    return `?::${type}[]`;
  });
  const rows = `unnest(${lists.join(', ')})`;
  if (kind === 'insert' || kind === 'upsert') {
    const insert = `insert into ${quoted(table)} (${list(columns)}) select * from ${rows}`;
    if (kind === 'insert') return insert;
    const set = columns
      .filter((column) => !key.includes(column))
      .map((column) => `${quoted(column)} = excluded.${quoted(column)}`);
    return `${insert} on conflict (${list(key)}) do update set ${set.join(', ')}`;
  }
  const isRow = [
    ...key.map((column) => `t.${quoted(column)} = v.${quoted(column)}`),
    ...(guard === undefined ? [] : [`t.${quoted(guard)} = v.${quoted(WAS)}`]),
  ].join(' and ');
  const from = `${rows} as v(${list(columns)}) where ${isRow}`;
  if (kind === 'delete') return `delete from ${quoted(table)} t using ${from}`;
  const set = columns
    .filter((column) => column !== WAS && !key.includes(column))
    .map((column) => `${quoted(column)} = v.${quoted(column)}`);
  return `update ${quoted(table)} t set ${set.join(', ')} from ${from}`;
}
