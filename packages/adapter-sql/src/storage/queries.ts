import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Columns, Stored } from './codec.js';
import type { Database } from './database.js';

/** SQL with its parameters. `Row` is what it answers. */
export interface Query<Row> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The tables that it names, the one that it writes first; undefined where nobody asks. */
  readonly tables?: readonly string[];
  /** Set where it writes one row. */
  readonly write?: RowWrite;
  /** Set where there are many of its kind, which differ: lists of ids come in many lengths. */
  readonly varies?: true;
  /** Never set: it only carries the type. */
  readonly row?: Row;
}

/** A write of one row by its key, for a storage that makes one statement of many. */
export interface RowWrite {
  readonly kind: 'insert' | 'upsert' | 'update' | 'delete';
  readonly table: string;
  /** In the order of the parameters; `WAS` after the others where there is a guard. */
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** The places of the key among the parameters. */
  readonly keyAt: readonly number[];
  /** The column whose value must still be the last parameter. */
  readonly guard?: string;
}

/** Stands for the guarded column's value of before. */
export const WAS = 'was';

const dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (database: Kysely<Database>) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};

/** Builds queries; sessions execute them. */
export const build = new Kysely<Database>({ dialect });

/** A placeholder in a query for a value that is given at execution. */
class Param {
  constructor(readonly name: string) {}
}

interface Compilable<Row> {
  compile(): {
    readonly sql: string;
    readonly parameters: readonly unknown[];
    readonly query: object;
  };
  execute(): Promise<Row[]>;
}

/** A table in a compiled query. */
interface NamedTable {
  readonly table: { readonly identifier: { readonly name: string } };
}

/** The names of the tables in a compiled query, in its order. */
function tablesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('kind' in node && node.kind === 'TableNode')
    return [(node as unknown as NamedTable).table.identifier.name];
  return Object.values(node).flatMap(tablesIn);
}

/** A query that differs at every execution (lists of ids). */
export function once<Row>(query: Compilable<Row>): Query<Row> {
  const { sql, parameters, query: node } = query.compile();
  return { sql, parameters, tables: tablesIn(node), varies: true };
}

/** A query that is compiled once: `prepared<{ id: string }>()((param) => build…where('id', '=', param('id')))`. */
export const prepared =
  <Values extends object>() =>
  <Row>(
    describe: (
      param: <Name extends keyof Values & string>(name: Name) => Values[Name],
    ) => Compilable<Row>,
  ): ((values: Values) => Query<Row>) => {
    const compiled = describe(
      <Name extends keyof Values & string>(name: Name) => new Param(name) as Values[Name],
    ).compile();
    const { sql, parameters } = compiled;
    const tables = tablesIn(compiled.query);
    return (values) => ({
      sql,
      tables,
      parameters: parameters.map((parameter) =>
        parameter instanceof Param ? values[parameter.name as keyof Values] : parameter,
      ),
    });
  };

interface EntityColumns<Entity> {
  readonly names: readonly string[];
  store(entity: Entity): Stored[];
}

/** The builder for a table of which only the columns' names are known. */
export const buildAny = build as unknown as Kysely<Record<string, Record<string, unknown>>>;

/** The row with that value in a column in which no two rows have the same. */
export function rowBy<Table extends keyof Database, Column extends keyof Database[Table] & string>(
  table: Table,
  column: Column,
): (value: Database[Table][Column]) => Query<Database[Table]> {
  const { sql } = buildAny
    .selectFrom<string>(table)
    .selectAll()
    .where(column, '=', new Param(column) as never)
    .compile();
  return (value) => ({ sql, tables: [table], parameters: [value] });
}

const insertInto = (table: keyof Database, names: readonly string[]) =>
  buildAny
    .insertInto(table)
    .values(Object.fromEntries(names.map((name) => [name, new Param(name)])));

/** What is the same for each row of a write. */
function rowWrite(
  kind: RowWrite['kind'],
  table: keyof Database,
  columns: readonly string[],
  key: readonly string[],
  guard?: string,
): Pick<Query<never>, 'tables' | 'write'> {
  const keyAt = key.map((column) => columns.indexOf(column));
  const write = { kind, table, columns, key, keyAt, ...(guard === undefined ? {} : { guard }) };
  return { tables: [table], write };
}

/**
 * Inserts an entity; its key must be new. SQLite need not be able to undo the statement alone, for which it would copy every
 * page that a statement with a trigger changes: a refused one ends the whole work.
 */
export function insert<Entity>(
  table: keyof Database,
  columns: EntityColumns<Entity>,
  ...key: readonly [string, ...string[]]
): (entity: Entity) => Query<never> {
  const { sql } = insertInto(table, columns.names).orFail().compile();
  const shared = { sql, ...rowWrite('insert', table, columns.names, key) };
  return (entity) => ({ parameters: columns.store(entity), ...shared });
}

/** Inserts an entity, or replaces all but the key of the row that has its key. */
export function upsert<Entity>(
  table: keyof Database,
  columns: EntityColumns<Entity>,
  ...key: readonly string[]
): (entity: Entity) => Query<never> {
  const { sql } = insertOrReplace(table, columns.names, key);
  const shared = { sql, ...rowWrite('upsert', table, columns.names, key) };
  return (entity) => ({ parameters: columns.store(entity), ...shared });
}

/** Statements of one `update` at most: each is kept, and a rare difference is not worth another. */
const MOST_STATEMENTS = 64;

/**
 * Changes what differs from the entity that is stored: an index, a trigger or a text that is the same costs nothing then. Undefined
 * when nothing differs, or in what seldom does.
 */
export function update<Entity>(
  table: keyof Database,
  columns: Pick<Columns<Entity, unknown>, 'names' | 'storeSome' | 'differing'>,
  key: string,
): (before: Entity, after: Entity) => Query<never> | undefined {
  const known = new Map<string, Omit<Query<never>, 'parameters'>>();
  const keyAt = columns.names.indexOf(key);
  const statementFor = (places: readonly number[]): Omit<Query<never>, 'parameters'> => {
    const names = places.map((place) => columns.names[place] as string);
    const { sql } = buildAny
      .updateTable(table)
      .set(Object.fromEntries(names.map((name) => [name, new Param(name)])))
      .where(key, '=', new Param(key) as never)
      .compile();
    // As for an insert: SQLite need not be able to undo the statement alone.
    const orFail = sql.replace(/^update /, 'update or fail ');
    return { sql: orFail, ...rowWrite('update', table, [...names, key], [key]) };
  };
  return (before, after) => {
    const places = columns.differing(before, after);
    const name = places.join();
    let shared = known.get(name);
    if (!shared) {
      if (places.length === 0 || known.size >= MOST_STATEMENTS) return undefined;
      shared = statementFor(places);
      known.set(name, shared);
    }
    return { parameters: columns.storeSome(after, [...places, keyAt]), ...shared };
  };
}

/** Inserts an entity, or replaces the row that has its key when that one's `column` is at most the given figure. */
export function upsertUpTo<Entity>(
  table: keyof Database,
  columns: EntityColumns<Entity>,
  column: string,
  ...key: readonly string[]
): (entity: Entity, figure: number) => Query<never> {
  const { sql } = insertOrReplace(table, columns.names, key, column);
  const shared = { sql, tables: [table] };
  return (entity, figure) => ({ parameters: [...columns.store(entity), figure], ...shared });
}

/** Changes the row of that key, if its `guard` is still what `was` says. */
export function updateGuarded<Values extends { readonly [WAS]: Stored }>(
  table: keyof Database,
  names: readonly (keyof Values & string)[],
  key: keyof Values & string,
  guard: string,
): (values: Values) => Query<never> {
  const set = Object.fromEntries(names.map((name) => [name, new Param(name)]));
  const { sql } = buildAny
    .updateTable(table)
    .set(set)
    .where(key, '=', new Param(key) as never)
    .where(guard, '=', new Param(WAS) as never)
    .compile();
  const columns = [...names, key, WAS];
  const shared = { sql, ...rowWrite('update', table, columns, [key], guard) };
  return (values) => ({
    parameters: columns.map((name) => values[name as keyof Values]),
    ...shared,
  });
}

/** Removes the row of that key, if it is there. */
export function removal<Values extends object>(
  table: keyof Database,
  ...key: readonly (keyof Values & string)[]
): (values: Values) => Query<never> {
  const { sql } = key
    .reduce(
      (query, name) => query.where(name, '=', new Param(name) as never),
      buildAny.deleteFrom(table),
    )
    .compile();
  const shared = { sql, ...rowWrite('delete', table, key, key) };
  return (values) => ({ parameters: key.map((name) => values[name]), ...shared });
}

const insertOrReplace = (
  table: keyof Database,
  names: readonly string[],
  key: readonly string[],
  upTo?: string,
) =>
  insertInto(table, names)
    .onConflict((conflict) => {
      const update = conflict
        .columns([...key])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(
            names
              .filter((name) => !key.includes(name))
              .map((name) => [name, ref(`excluded.${name}`)]),
          ),
        );
      return upTo === undefined ? update : update.where(`${table}.${upTo}`, '<=', new Param(upTo));
    })
    .compile();
