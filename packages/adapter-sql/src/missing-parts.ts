import { migrations } from './migrations/index.js';
import { migrate } from './migrations/migrate.js';
import { postgresMigrations } from './postgres/migrations.js';
import { openHandle } from './storage/connection.js';

/** The kinds of parts of a schema. */
export type PartKind = 'table' | 'index' | 'trigger';

/** A part of a schema that somebody may have removed. */
export interface SchemaPart {
  readonly type: PartKind;
  readonly name: string;
}

/** Those that a SQLite database has, but for what SQLite makes by itself. */
export const PARTS = `SELECT type, name, tbl_name AS ofTable FROM sqlite_schema
  WHERE type IN ('table', 'index', 'trigger') AND sql IS NOT NULL`;

/** Says which parts are missing that these migrations made, of those kinds, in a database that has `found`. Of a later release nothing is known. */
export function missingParts(
  applied: readonly string[],
  kinds: readonly PartKind[],
  found: readonly SchemaPart[],
): string[] {
  if (applied.some((name) => !(name in postgresMigrations))) return [];
  const made = openHandle(':memory:');
  try {
    migrate(
      made,
      Object.fromEntries(Object.entries(migrations).filter(([name]) => applied.includes(name))),
    );
    const there = new Set(found.map(({ type, name }) => `${type} ${name}`));
    return (made.prepare(PARTS).all() as readonly (SchemaPart & { readonly ofTable: string })[])
      .filter(({ type, name }) => kinds.includes(type) && !there.has(`${type} ${name}`))
      .filter(({ type, ofTable }) => type === 'table' || there.has(`table ${ofTable}`))
      .map(({ type, name }) => `the ${type} ${name} is missing`);
  } finally {
    made.close();
  }
}
