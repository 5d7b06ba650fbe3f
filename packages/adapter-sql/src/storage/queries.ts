import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Stored } from './codec.js';
import type { Database } from './database.js';

/** SQL with its parameters. `Row` is what it answers. */
export interface Query<Row> {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Never set: it only carries the type. */
  readonly row?: Row;
}

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
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] };
  execute(): Promise<Row[]>;
}

/** A query that differs at every execution (lists of ids). */
export function once<Row>(query: Compilable<Row>): Query<Row> {
  const { sql, parameters } = query.compile();
  return { sql, parameters };
}

/** A query that is compiled once: `prepared<{ id: string }>()((param) => build…where('id', '=', param('id')))`. */
export const prepared =
  <Values extends object>() =>
  <Row>(
    describe: (
      param: <Name extends keyof Values & string>(name: Name) => Values[Name],
    ) => Compilable<Row>,
  ): ((values: Values) => Query<Row>) => {
    const { sql, parameters } = describe(
      <Name extends keyof Values & string>(name: Name) => new Param(name) as Values[Name],
    ).compile();
    return (values) => ({
      sql,
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

const insertInto = (table: keyof Database, names: readonly string[]) =>
  buildAny
    .insertInto(table)
    .values(Object.fromEntries(names.map((name) => [name, new Param(name)])));

/** Inserts an entity; its key must be new. */
export function insert<Entity>(
  table: keyof Database,
  columns: EntityColumns<Entity>,
): (entity: Entity) => Query<never> {
  const { sql } = insertInto(table, columns.names).compile();
  return (entity) => ({ sql, parameters: columns.store(entity) });
}

/** Inserts an entity, or replaces all but the key of the row that has its key. */
export function upsert<Entity>(
  table: keyof Database,
  columns: EntityColumns<Entity>,
  ...key: readonly string[]
): (entity: Entity) => Query<never> {
  const { sql } = insertOrReplace(table, columns.names, key);
  return (entity) => ({ sql, parameters: columns.store(entity) });
}

/** Inserts an entity, or replaces the row that has its key when that one's `column` is at most the given figure. */
export function upsertUpTo<Entity>(
  table: keyof Database,
  columns: EntityColumns<Entity>,
  column: string,
  ...key: readonly string[]
): (entity: Entity, figure: number) => Query<never> {
  const { sql } = insertOrReplace(table, columns.names, key, column);
  return (entity, figure) => ({ sql, parameters: [...columns.store(entity), figure] });
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
