import type { MarketRun } from '@slipstream/ports';
import { readHolder } from './storage/owner-lock.js';
import { openReader } from './storage/connection.js';
import { UnusableDatabase, requireOwnFile } from './storage/own-file.js';
import { migrations } from './migrations/index.js';
import { PARTS, type SchemaPart, missingParts } from './missing-parts.js';
import { asQuery, connect } from './postgres/client.js';
import { hasOurTables } from './postgres/migrate.js';
import { postgresMigrations } from './postgres/migrations.js';
import { type StoredSecrets, storedSecrets } from './stored-secrets.js';

/** What is known of a database that is only looked at. */
export interface Examined {
  /** The engine with its version. */
  readonly what: string;
  /** What its engine says is damaged, and what is missing of its schema; empty when all is well. */
  readonly problems: readonly string[];
  /** Migrations of a later release. */
  readonly unknown: readonly string[];
  /** Migrations that the next start applies. */
  readonly missing: readonly string[];
  /** What its master keys must decrypt; empty when its schema is not that of this release. */
  readonly secrets: readonly StoredSecrets[];
  /** The process that uses it now, in words; undefined when that is not known. */
  readonly owner: string | undefined;
  /** The market with which a server ran over it last, and the last moment in which it did; undefined when none did. */
  readonly lastRun: MarketRun | undefined;
  /** What its own clock shows, in the same unit; undefined when it has none. */
  readonly time: number | undefined;
}

const LAST_RUN = 'SELECT market, at FROM market_runs';

/** Its triggers are functions with names of their own. */
const POSTGRES_PARTS = `SELECT 'table' AS type, tablename AS name FROM pg_tables
    WHERE schemaname = current_schema()
  UNION ALL SELECT 'index', indexname FROM pg_indexes WHERE schemaname = current_schema()`;

const compared = (applied: readonly string[], known: Readonly<Record<string, string>>) => ({
  unknown: applied.filter((name) => !(name in known)),
  missing: Object.keys(known).filter((name) => !applied.includes(name)),
});

const isOfThisRelease = (
  problems: readonly string[],
  { unknown, missing }: Pick<Examined, 'unknown' | 'missing'>,
): boolean => problems.length + unknown.length + missing.length === 0;

/** Looks at a SQLite file without changing it, also while a server uses it. Throws `UnusableDatabase` when it is something else. */
export async function examineSqlite(file: string): Promise<Examined> {
  requireOwnFile(file);
  const reader = openReader(file);
  try {
    const said = reader.pragma('quick_check(5)') as readonly { readonly quick_check: string }[];
    const applied = reader.prepare('SELECT name FROM migrations').pluck().all() as string[];
    const version = reader.prepare('SELECT sqlite_version()').pluck().get() as string;
    const holder = readHolder(file);
    const found = reader.prepare(PARTS).all() as readonly SchemaPart[];
    const problems = [
      ...said.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok'),
      ...missingParts(applied, ['table', 'index', 'trigger'], found),
    ];
    const schemas = compared(applied, migrations);
    const isOurs = isOfThisRelease(problems, schemas);
    const last = isOurs ? (reader.prepare(LAST_RUN).get() as MarketRun | undefined) : undefined;
    return {
      what: `the SQLite ${version} database`,
      problems,
      ...schemas,
      ...{ lastRun: last, time: undefined },
      secrets: isOurs
        ? await storedSecrets((sql) => reader.prepare(sql).all() as { text: string }[])
        : [],
      owner: holder && `process ${holder.pid} on ${holder.host}`,
    };
  } finally {
    reader.close();
  }
}

/** Looks at a PostgreSQL database without changing it. Rejects when nobody is there; throws `UnusableDatabase` when it could not be used. */
export async function examinePostgres(url: string): Promise<Examined> {
  const client = await connect(url, 'slipstream doctor');
  try {
    const row = async (sql: string): Promise<Record<string, string | null> | undefined> =>
      (await client.query(asQuery(sql))).rows[0] as Record<string, string | null> | undefined;
    const version = await row(`SELECT current_setting('server_version') AS version`);
    const applied = (await hasOurTables(client))
      ? ((await client.query(asQuery('SELECT name FROM migrations'))).rows as { name: string }[])
      : [];
    const schemas = compared(
      applied.map(({ name }) => name),
      postgresMigrations,
    );
    const may = await row(`SELECT has_schema_privilege(current_schema(), 'CREATE')::text AS make`);
    if (schemas.missing.length > 0 && may?.['make'] !== 'true')
      throw new UnusableDatabase('its user may not make tables there: make it the owner');
    const { rows: found } = await client.query(asQuery(POSTGRES_PARTS));
    const problems = missingParts(
      applied.map(({ name }) => name),
      ['table', 'index'],
      found as readonly SchemaPart[],
    );
    const isOurs = isOfThisRelease(problems, schemas);
    const last = isOurs ? await row(LAST_RUN) : undefined;
    const secrets = isOurs
      ? await storedSecrets(
          async (sql) => (await client.query(asQuery(sql))).rows as { text: string }[],
        )
      : [];
    const clock = await row(`SELECT extract(epoch FROM clock_timestamp())::text AS seconds`);
    return {
      what: `the PostgreSQL ${version?.['version'] ?? ''} database`,
      problems,
      ...schemas,
      ...{ secrets, owner: undefined },
      lastRun: last && { market: last['market'] as MarketRun['market'], at: Number(last['at']) },
      time: Number(clock?.['seconds']) * 1000,
    };
  } finally {
    await client.end();
  }
}
