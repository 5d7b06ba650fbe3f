import { createHash } from 'node:crypto';
import type BetterSqlite from 'better-sqlite3';
import { type Client, asQuery } from './client.js';
import { type Schema, schemaOf } from './row-writes.js';

/** Rows that are read and written at once. */
const PIECE = 1_000;

const quoted = (name: string): string => `"${name}"`;
const list = (names: readonly string[]): string => names.map(quoted).join(', ');

type Row = Readonly<Record<string, unknown>>;

/** A table and what orders its rows. */
interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/** What SQLite calls the order of arrival of alerts; in PostgreSQL it is a column. */
const HIDDEN: Readonly<Record<string, readonly string[]>> = { alerts: ['rowid'] };

/** Tables of which rows refer to others: those first to which they refer. */
const FIRST = ['strategies', 'books', 'bots', 'posts'];

/** The tables of the SQLite database, except its list of migrations, in an order in which they can be filled. */
function tablesOf(sqlite: BetterSqlite.Database): CopiedTable[] {
  const names = sqlite
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations'`)
    .pluck()
    .all() as string[];
  const order = (name: string): number =>
    FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
  return names
    .toSorted((one, other) => order(one) - order(other) || (one < other ? -1 : 1))
    .map((name) => {
      const found = sqlite.pragma(`table_info(${quoted(name)})`) as readonly {
        readonly name: string;
        readonly pk: number;
      }[];
      const key = found.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
      const columns = [...found.map((column) => column.name), ...(HIDDEN[name] ?? [])];
      return { name, columns, key: key.map((column) => column.name) };
    });
}

const selectOf = ({ name, columns, key }: CopiedTable): string =>
  `SELECT ${list(columns)} FROM ${quoted(name)} ORDER BY ${list(key)}`;

/** A digest of rows, column by column; the number of rows is in it. */
function digesting(columns: readonly string[]) {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add: (row: Row): void => {
      rows += 1;
      hash.update(JSON.stringify(columns.map((column) => row[column])));
    },
    end: (): { readonly rows: number; readonly digest: string } => ({
      rows,
      digest: hash.digest('hex'),
    }),
  };
}

type Statements = Pick<Client, 'query' | 'script'>;

/** The same without a limit: tables may be of any size. */
const unhurried = (client: Statements): Statements => ({
  query: (query) => client.query(query, 'unhurried'),
  script: (sql) => client.script(sql, 'unhurried'),
});

/** How many rows of a table were copied. */
export interface CopiedRows {
  readonly table: string;
  readonly rows: number;
}

/**
 * Copies every table in the present transaction, and reads it back: it must have the same rows. `begun` hears the name of each table.
 */
export async function copyTables(
  sqlite: BetterSqlite.Database,
  connected: Client,
  begun: (table: string) => void,
): Promise<CopiedRows[]> {
  const client = unhurried(connected);
  // Rows of which others speak are copied first; a check that waits would keep the triggers from coming back.
  await client.script('SET CONSTRAINTS ALL IMMEDIATE');
  const schema = await schemaOf(connected);
  const copied: CopiedRows[] = [];
  for (const table of tablesOf(sqlite)) {
    begun(table.name);
    const before = await copyTable(sqlite, client, table, schema);
    const after = await digestOf(client, table);
    if (before.digest !== after.digest)
      throw new Error(`table ${table.name} is not the same after it was copied`);
    copied.push({ table: table.name, rows: before.rows });
  }
  return copied;
}

/** Copies the rows of a table, and answers their number and digest as they were read. */
async function copyTable(
  sqlite: BetterSqlite.Database,
  client: Statements,
  table: CopiedTable,
  { types }: Schema,
): Promise<{ readonly rows: number; readonly digest: string }> {
  const { name, columns } = table;
  const digest = digesting(columns);
  const lists = columns.map((column) => `?::${types.get(`${name}.${column}`)}[]`);
  const insert = `INSERT INTO ${quoted(name)} (${list(columns)}) SELECT * FROM unnest(${lists.join(', ')})`;
  let piece: Row[] = [];
  const write = async (): Promise<void> => {
    const rows = piece;
    piece = [];
    await client.query(asQuery(insert, ...columns.map((column) => rows.map((row) => row[column]))));
  };
  // Values are copied by the table itself, so its triggers must not count them again.
  await client.script(
    `DELETE FROM ${quoted(name)}; ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`,
  );
  for (const row of sqlite.prepare(selectOf(table)).iterate() as IterableIterator<Row>) {
    digest.add(row);
    piece.push(row);
    if (piece.length === PIECE) await write();
  }
  if (piece.length > 0) await write();
  await client.script(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
  for (const column of columns.filter((one) => one === 'place' || one === 'rowid'))
    await client.script(
      `SELECT setval(pg_get_serial_sequence('${name}', '${column}'),
        (SELECT coalesce(max(${column}), 0) + 1 FROM ${name}), false)`,
    );
  return digest.end();
}

/** The number and digest of a table's rows in PostgreSQL. */
async function digestOf(client: Statements, table: CopiedTable) {
  const digest = digesting(table.columns);
  for await (const row of rowsOf(client, selectOf(table))) digest.add(row);
  return digest.end();
}

/** The rows of a statement in PostgreSQL, a few at a time, in the present transaction. */
export async function* rowsOf(connected: Statements, sql: string): AsyncGenerator<Row> {
  const client = unhurried(connected);
  await client.script(`DECLARE read_rows NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const { rows } = await client.query(asQuery(`FETCH ${PIECE} FROM read_rows`));
    yield* rows as Row[];
    if (rows.length < PIECE) break;
  }
  await client.script('CLOSE read_rows');
}
