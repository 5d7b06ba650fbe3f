import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrations } from '../../src/migrations/index.js';
import { migrate } from '../../src/migrations/migrate.js';
import { openPostgres } from '../../src/open-postgres.js';
import { connect } from '../../src/postgres/client.js';
import { copyTables } from '../../src/postgres/copy-rows.js';
import { migratePostgres } from '../../src/postgres/migrate.js';
import { postgresMigrations, translated } from '../../src/postgres/migrations.js';
import { inMemoryDatabase } from '../../src/testing/index.js';
import { type TestDatabase, emptyDatabase, q, testDatabase } from './database.js';
import { openHandle } from '../../src/storage/connection.js';

/** Who may commit: SQLite has one process, and its own name for the order of arrival. */
const OF_NODES = /^(nodes|heartbeats|shards|journal)\.|^alerts\.rowid$/;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: number;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

const sqliteColumns = (): Column[] => {
  const sqlite = inMemoryDatabase();
  try {
    return sqlite.rows<Column>(
      `SELECT t.name || '.' || c.name AS name, lower(c.type) AS type,
         c."notnull" OR c.pk > 0 AS required
       FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY 1`,
    );
  } finally {
    sqlite.close();
  }
};

const postgresColumns = async (): Promise<Column[]> => {
  const { rows } = await database.client.query(
    q(`SELECT table_name || '.' || column_name AS name,
         CASE data_type WHEN 'bigint' THEN 'integer' ELSE data_type END AS type,
         CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS required
       FROM information_schema.columns WHERE table_schema = 'public'
       ORDER BY (table_name || '.' || column_name) COLLATE "C"`),
  );
  return (rows as Column[]).filter(({ name }) => !OF_NODES.test(name));
};

const namesOf = (rows: readonly unknown[]): string[] =>
  (rows as readonly { readonly name: string }[]).map(({ name }) => name);

describe('the schema in PostgreSQL', () => {
  it('has the tables and columns of SQLite, with the same types', async () => {
    expect(await postgresColumns()).toEqual(sqliteColumns());
  });

  it('has the indexes of SQLite', async () => {
    const sqlite = inMemoryDatabase();
    const expected = namesOf(
      sqlite.rows(
        `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1`,
      ),
    );
    sqlite.close();
    const { rows } = await database.client.query(
      q(`SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public'
         ORDER BY indexname COLLATE "C"`),
    );
    expect(namesOf(rows)).toEqual(expect.arrayContaining(expected));
  });

  it('compares texts by their bytes, so that cursors and lists have the order of SQLite', async () => {
    const { rows } = await database.client.query(
      q(`SELECT table_name || '.' || column_name AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`),
    );
    expect(
      namesOf(rows).filter((name) => !/^(migrations|nodes|heartbeats|shards|journal)\./.test(name)),
    ).toEqual([]);
  });

  it('has every migration of SQLite by its name; one that cannot be translated says so', () => {
    expect(Object.keys(postgresMigrations)).toEqual(
      expect.arrayContaining(Object.keys(migrations)),
    );
    const withTrigger = 'CREATE TRIGGER t AFTER INSERT ON users BEGIN SELECT 1; END;';
    expect(() => translated('0099-new', withTrigger)).toThrow('0099-new has TRIGGER');
  });

  it('is brought up to date for as long as it takes: longer than any other answer may', async () => {
    const client = await connect(database.url, 'tests', {}, 1_000);
    const long = { ...postgresMigrations, '9998-long': 'SELECT pg_sleep(1.2)' };
    await expect(migratePostgres(client, long)).resolves.toEqual(['9998-long']);
    await database.client.query(q(`DELETE FROM migrations WHERE name = '9998-long'`));
    await client.end();
  });

  it('gets the rows of SQLite for as long as it takes', async () => {
    const sqlite = openHandle(':memory:');
    migrate(sqlite);
    const client = await connect(database.url, 'tests', {}, 1_000);
    const held = await connect(database.url, 'tests');
    await held.script('BEGIN; LOCK TABLE value_days IN ACCESS EXCLUSIVE MODE');
    await client.script('BEGIN');
    const copied = copyTables(sqlite, client, () => undefined);
    const waits = q(
      'SELECT 1 FROM pg_locks WHERE NOT granted AND relation = ?::regclass',
      'value_days',
    );
    while ((await database.client.query(waits)).count === 0);
    await held.script('SELECT pg_sleep(1.2); COMMIT');
    expect(await copied).toContainEqual({ table: 'value_days', rows: 0 });
    await Promise.all([client.end(), held.end()]);
    sqlite.close();
  });

  it('is brought up to date once, and whoever opens it hears how', async () => {
    const { url, drop } = await emptyDatabase();
    const applied: (readonly string[])[] = [];
    for (let times = 0; times < 2; times += 1)
      await (await openPostgres({ url, onMigrated: (names) => applied.push(names) })).close();
    expect(applied).toEqual([Object.keys(postgresMigrations)]);
    await drop();
  });

  it('of a later release is refused', async () => {
    expect(await migratePostgres(database.client)).toEqual([]);
    const { '0001-initial': initial = '' } = postgresMigrations;
    await expect(migratePostgres(database.client, { '0001-initial': initial })).rejects.toThrow(
      'the database is of a later release',
    );
  });
});
