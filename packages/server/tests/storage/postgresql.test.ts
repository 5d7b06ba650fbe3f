import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type TestDatabase,
  q,
  testDatabase,
} from '../../../adapter-sql/tests/postgres/database.js';
import { SettingError, readSettings } from '../../src/index.js';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';

const SECRET_KEY = 'the master key of the tests and their servers';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());
beforeEach(() => database.empty());

const environment = () => ({ DATABASE_URL: database.url, SECRET_KEY, LOG_LEVEL: 'silent' });

describe('a server over PostgreSQL', () => {
  let server: ComposedServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  const start = async () => (server = await composedServer({ environment: environment() }));

  it('needs a master key: there is no folder of the database in which it could make one', async () => {
    const without = composedServer({ environment: { DATABASE_URL: database.url } });
    await expect(without).rejects.toThrow('set SECRET_KEY or SECRET_KEY_FILE');
  });

  it('is the only one: a second one and a command that writes are refused while it runs', async () => {
    await start();
    const second = composedServer({ environment: environment() });
    await expect(second).rejects.toMatchObject({ name: 'DatabaseInUse' });
    const { complaints, code } = await runCommand(['migrate'], environment());
    expect({ complaints, code }).toMatchObject({ code: 1 });
    expect(complaints).toContain('is in use by another process');
  });

  it('loses nothing when its connections are cut: it connects again', async () => {
    const { attempt, user } = await start();
    const ada = await user('ada');
    await database.client.query(
      q(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'slipstream %'`,
      ),
    );
    const change = () => attempt('newStrategy', { type: 'stock', name: 'Kept' }, ada);
    const outcomes = [(await change()).status, (await change()).status];
    expect([
      [200, 200],
      [503, 200],
    ]).toContainEqual(outcomes);
    const { rows } = await database.client.query(q('SELECT count(*) AS count FROM strategies'));
    expect(rows).toEqual([{ count: outcomes.filter((status) => status === 200).length }]);
  });

  it('has an audit log that the command prints and checks while the server runs', async () => {
    const { user } = await start();
    await user('ada');
    const { out } = await runCommand(['audit'], environment());
    expect(out).toContain('"action":"issueToken"');
    const checked = await runCommand(['audit', '--verify'], environment());
    expect(checked.out).toMatch(/^The audit log is intact: \d+ entries/);
  });

  it('is copied by the tools of PostgreSQL: the command says so', async () => {
    const { complaints, code } = await runCommand(['backup', 'copy.db'], environment());
    expect(code).toBe(1);
    expect(complaints).toContain('pg_dump');
  });
});

describe('the address of a PostgreSQL database', () => {
  it.each([
    'postgres://ada:secret@a b/name',
    'postgres:/name',
    'mysql://host/name',
    'postgres://a b/name',
  ])('is refused when it is none, and the error does not show it: %s', (url) => {
    const read = () => readSettings({ DATABASE_URL: url });
    expect(read).toThrow(SettingError);
    expect(read).not.toThrow(url);
  });
});
