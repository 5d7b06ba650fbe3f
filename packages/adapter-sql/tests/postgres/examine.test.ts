import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examinePostgres } from '../../src/examine.js';
import { connect } from '../../src/postgres/client.js';
import { migratePostgres } from '../../src/postgres/migrate.js';
import { type TestDatabase, emptyDatabase, q, testDatabase } from './database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

const said = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('a look at a PostgreSQL database', () => {
  it('tells its version, and that its schema is of this release', async () => {
    expect(await examinePostgres(database.url)).toMatchObject({
      what: expect.stringMatching(/^the PostgreSQL \d+/),
      ...{ problems: [], unknown: [], missing: [], secrets: [] },
    });
  });

  it('tells what its clock shows, and with which market and when a server ran over it last', async () => {
    await database.empty();
    const before = Date.now();
    const { time, lastRun } = await examinePostgres(database.url);
    // The clock of the database is that of this machine; it tells microseconds.
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThan(Date.now() + 1);
    expect(lastRun).toBeUndefined();
    await database.client.script(
      `INSERT INTO market_runs (name, market, at) VALUES ('last', 'push', 1795840330099)`,
    );
    expect((await examinePostgres(database.url)).lastRun).toEqual({
      ...{ market: 'push', at: 1_795_840_330_099 },
    });
  });

  it('counts what its master keys must decrypt', async () => {
    const { url, drop } = await emptyDatabase();
    const admin = await connect(url, 'tests');
    await migratePostgres(admin);
    await admin.script(
      `INSERT INTO key_proofs (name, sealed) VALUES ('master key', 'v1.0a1b2c3d.x.y')`,
    );
    await admin.end();
    expect((await examinePostgres(url)).secrets).toEqual([
      { kind: 'proof', beginning: 'v1.0a1b2c3d', count: 1 },
    ]);
    await drop();
  });

  it('names tables and indexes that somebody has removed', async () => {
    const { url, drop } = await emptyDatabase();
    const admin = await connect(url, 'tests');
    await migratePostgres(admin);
    await admin.script('DROP TABLE likes CASCADE; DROP INDEX alerts_by_alert_id');
    await admin.end();
    expect((await examinePostgres(url)).problems).toEqual([
      'the index alerts_by_alert_id is missing',
      'the table likes is missing',
    ]);
    await drop();
  });

  it('names what the next start adds, and what only a later release knows', async () => {
    const { url, drop } = await emptyDatabase();
    const admin = await connect(url, 'tests');
    await migratePostgres(admin);
    await admin.query(q(`DELETE FROM migrations WHERE name LIKE '%0065%'`));
    await admin.query(q(`INSERT INTO migrations VALUES ('9999-tomorrow')`));
    await admin.end();
    const { unknown, missing } = await examinePostgres(url);
    expect(unknown).toEqual(['9999-tomorrow']);
    expect(missing).toHaveLength(1);
    await drop();
  });

  it('refuses one with tables of something else, as a server would', async () => {
    const { url, drop } = await emptyDatabase();
    const made = await connect(url, 'tests');
    await made.script('CREATE TABLE customers (id INTEGER)');
    await made.end();
    await expect(examinePostgres(url)).rejects.toThrow('tables that are not of Slipstream');
    await drop();
  });

  it('refuses one in which its user may make no tables', async () => {
    const { url, drop } = await emptyDatabase();
    const role = url.slice(url.lastIndexOf('/') + 1);
    const admin = await connect(url, 'tests');
    await admin.script(`CREATE ROLE ${role} LOGIN`);
    const asOther = url.replace(/\/\/[^@]*@/, `//${role}@`);
    await expect(examinePostgres(asOther)).rejects.toThrow('its user may not make tables there');
    await admin.script(`DROP ROLE ${role}`);
    await admin.end();
    await drop();
  });

  it('refuses one that only reads, as a replica does, and a server does too', async () => {
    const { url, drop } = await emptyDatabase();
    const admin = await connect(url, 'tests');
    await admin.script(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    );
    await admin.end();
    const reads = await connect(url, 'tests');
    await expect(examinePostgres(url)).rejects.toThrow('the database only reads');
    await expect(migratePostgres(reads)).rejects.toThrow('the database only reads');
    await reads.end();
    await drop();
  });

  it('refuses one of another encoding, which could not keep every text, and changes nothing', async () => {
    const { url, drop } = await emptyDatabase(`ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`);
    const latin = await connect(url, 'tests');
    const reason = 'the database has the encoding LATIN1; make one with UTF8';
    await expect(examinePostgres(url)).rejects.toThrow(reason);
    await expect(migratePostgres(latin)).rejects.toThrow(reason);
    expect((await latin.query(q(`SELECT to_regclass('migrations') AS made`))).rows).toEqual([
      { made: null },
    ]);
    await latin.end();
    await drop();
  });

  it.each([
    ['14.11', '140011', 'refused'],
    ['15.0', '150000', 'taken'],
  ])('is of PostgreSQL %s (%s): it is %s', async (version, number, outcome) => {
    const { url, drop } = await emptyDatabase();
    const client = await connect(url, 'tests');
    // Its own function of that name is found before that of PostgreSQL.
    await client.script(`CREATE SCHEMA older;
      CREATE FUNCTION older.current_setting(name text) RETURNS text LANGUAGE sql AS $$
        SELECT CASE name WHEN 'server_version' THEN '${version}' WHEN 'server_version_num' THEN '${number}'
          ELSE pg_catalog.current_setting(name) END $$;
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = older, pg_catalog', current_database()); END $$`);
    await client.end();
    const older = await connect(url, 'tests');
    const expected =
      outcome === 'taken'
        ? 'taken'
        : `UnusableDatabase: PostgreSQL ${version} is too old: it must be 15 or later`;
    expect(await said(examinePostgres(url))).toBe(expected);
    expect(await said(migratePostgres(older))).toBe(expected);
    await older.end();
    await drop();
  });

  it('is refused by a server that is not there', async () => {
    await expect(examinePostgres('postgres://nobody@127.0.0.1:1/none')).rejects.toThrow();
  });

  it.each([
    ['me:100%ff@127.0.0.1:1/none', 'URI malformed'],
    ['me%c3@127.0.0.1:1/none', 'URI malformed'],
    ['me@127.0.0.1:1/none%ff', 'URI malformed'],
    ['me@127.0.0.1:1/none?sslrootcert=/no/such.pem', '/no/such.pem'],
    ['me@127.0.0.1:1/none?sslmode=verify-full&sslkey=/no/such.key', '/no/such.key'],
  ])('says what of an address cannot be used: %s', async (rest, what) => {
    const refused = await said(examinePostgres(`postgres://${rest}`));
    expect(refused).toMatch(/^UnusableDatabase: its address cannot be used/);
    expect(refused).toContain(what);
    expect(refused).not.toContain('100%ff');
  });
});
