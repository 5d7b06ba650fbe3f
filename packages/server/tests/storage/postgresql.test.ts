import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import {
  type TestDatabase,
  emptyDatabase,
  oneMoreDatabase,
  q,
  testDatabase,
} from '../../../adapter-sql/tests/postgres/database.js';
import { connect } from '@slipstream/adapter-sql/testing';
import { someDetails } from '../../../wire/src/billing/examples.js';
import { SettingError, readSettings } from '../../src/index.js';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import {
  type ComposedServer,
  IN_SESSION,
  ask,
  attempt,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';
import { CHILD_OPERATOR, freshFolders, serveIn } from '../helpers/child-server.js';
import { runCommand } from '../helpers/run-command.js';
import { itOne } from '../helpers/three-nodes.js';

const it = itOne('it names its database');
const AAPL = 'AAPL:NASDAQ';
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
    await database.cut();
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

  it('takes a new master key by a command, and then needs the old one no more', async () => {
    const { ask, user } = await start();
    const ada = await user('ada');
    await ask('newPaymentSource', { token: 'test_card_paid', ...someDetails }, ada);
    const next = 'another master key of the tests and their servers';
    const keys = { ...environment(), SECRET_KEY: `${next},${SECRET_KEY}` };
    const meanwhile = await runCommand(['rotate-key'], keys);
    expect(meanwhile.complaints).toContain('is in use by another process');
    await server?.close();
    const { out } = await runCommand(['rotate-key'], keys);
    expect(out).toMatch(/payment sources +1 +0\n/);
    server = await composedServer({ environment: { ...environment(), SECRET_KEY: next } });
    const [source] = await server.ask('getPaymentSources', {}, ada);
    expect(source).toMatchObject({ name: someDetails.name });
  });

  it('is copied by the tools of PostgreSQL: the command says so', async () => {
    const { complaints, code } = await runCommand(['backup', 'copy.db'], environment());
    expect(code).toBe(1);
    expect(complaints).toContain('pg_dump');
  });
});

describe('a SQLite database', () => {
  /** Links to the service are the same on every port. */
  const LINKED = { PUBLIC_URL: 'https://slip.example' };
  const paths = newFolder();
  afterAll(() => rmSync(paths, { recursive: true, force: true }));

  it('is imported whole: the server over PostgreSQL answers the same, and goes on', async () => {
    const clock = fixedClock(IN_SESSION);
    const folder = join(paths, 'first');
    mkdirSync(folder);
    const file = join(folder, 'slipstream.db');
    const before = await composedServer({
      ...{ storage: 'sqlite', folder, clock },
      environment: { SECRET_KEY, ...LINKED },
    });
    const ada = await before.user('ada');
    const { strategy_id } = await before.ask('newStrategy', { type: 'stock', name: 'Kept' }, ada);
    await before.quotes({ [AAPL]: [199.9, 200.1] });
    const order = { strategy_id, stock_id: AAPL, action: 'buy', amount: '0.001' };
    await before.ask('newOrder', order, ada);
    await before.ask('newOrder', { ...order, type: 'limit', price: 100 }, ada);
    await before.ask('newPost', { text: 'It moves.' }, ada);
    const reads = async ({ attempt }: ComposedServer) => [
      (await attempt('getPositions', { strategy_id }, ada)).text,
      (await attempt('getOrders', { strategy_id }, ada)).text,
      (await attempt('getTrades', { strategy_id }, ada)).text,
      (await attempt('getStrategies', { strategy_id: [strategy_id] }, ada)).text,
    ];
    const told = await reads(before);
    await before.close();

    const copy = join(folder, 'copy.db');
    await runCommand(['export', copy], { DATABASE_URL: `sqlite:${file}`, SECRET_KEY });
    const { out } = await runCommand(['import', copy], environment());
    expect(out).toMatch(/^Copied \d+ rows of \d+ tables/);
    const after = await composedServer({ clock, environment: { ...environment(), ...LINKED } });
    await after.quotes({ [AAPL]: [199.9, 200.1] });
    expect(await reads(after)).toEqual(told);
    await after.ask('newOrder', order, ada);
    expect(await after.ask('getTrades', { strategy_id }, ada)).toHaveLength(2);
    await after.ask('newPost', { text: 'It still does.' }, ada);
    const beside = await runCommand(['import', file], environment());
    expect(beside.complaints).toContain('is in use');
    await after.close();
    const verified = await runCommand(['audit', '--verify'], environment());
    expect(verified.out).toMatch(/^The audit log is intact/);
    const again = await runCommand(['import', file], environment());
    expect(again.complaints).toContain('import into an empty one');
  });

  it('is imported only into PostgreSQL', async () => {
    const { complaints, code } = await runCommand(['import', 'a.db'], {
      DATABASE_URL: `sqlite:${join(paths, 'b.db')}`,
    });
    expect(code).toBe(1);
    expect(complaints).toContain('must name the PostgreSQL database');
  });
});

describe('a process over PostgreSQL', () => {
  const freshFolder = freshFolders();
  const QUOTE = { stock_id: AAPL, bid: 199.9, ask: 200.1, last: 200 };
  const serving = () => serveIn(freshFolder(), environment());

  it('ends when another one took the database, and does not speak of its disk', async () => {
    const { ended, url } = await serving();
    await ask(url, 'newQuotes', { quotes: [QUOTE] }, CHILD_OPERATOR);
    await database.client.script('DELETE FROM nodes');
    const { complaints } = await ended;
    expect(complaints).toContain('another process took over the database, or it has lost commits');
    expect(complaints).not.toContain('disk');
  });

  it('that the database does not let in refuses what it is asked, and says why it could not store its last', async () => {
    const { ended, process: child, url } = await serving();
    const { drop, url: beside } = await emptyDatabase();
    const name = database.url.slice(database.url.lastIndexOf('/') + 1);
    const elsewhere = await connect(beside, 'tests');
    const letIn = (is: boolean) =>
      elsewhere.script(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${String(is)}`);
    await letIn(false);
    await database.cut();
    const asked = async () =>
      (await attempt(url, 'newUser', { email: 'ada@example.com', password: 'a long password' }))
        .status;
    const statuses = [await asked(), await asked()];
    await attempt(url, 'newQuotes', { quotes: [QUOTE] }, CHILD_OPERATOR);
    child.kill('SIGTERM');
    const { complaints } = await ended;
    await letIn(true);
    await elsewhere.end();
    await drop();
    expect(statuses).toEqual([503, 503]);
    expect(complaints).toContain('is not currently accepting connections');
    expect(complaints).not.toContain('disk');
  });
});

describe('a PostgreSQL database that cannot be used', () => {
  it.each([
    ['audit', 'update it with "migrate" first'],
    ['nodes', 'update it with "migrate" first'],
  ])('has no tables yet: %s says what to do, in one line', async (command, advice) => {
    const { drop, url } = await oneMoreDatabase();
    const client = await connect(url, 'tests');
    await client.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.end();
    const { complaints, code } = await runCommand([command], { DATABASE_URL: url });
    await drop();
    expect(code).toBe(1);
    expect(complaints).toMatch(/^The database could not be used: .*\n$/);
    expect(complaints).toContain(advice);
  });

  it('is of something else: the doctor does not say to start PostgreSQL', async () => {
    const { drop, url } = await oneMoreDatabase();
    const client = await connect(url, 'tests');
    await client.script('DROP TABLE migrations');
    await client.end();
    const { out } = await runCommand(['doctor'], { DATABASE_URL: url, SECRET_KEY });
    await drop();
    expect(out).toContain('tables that are not of Slipstream');
    expect(out).toContain('Name a database in DATABASE_URL that is set up as docs/postgresql.md');
    expect(out).not.toContain('Start PostgreSQL');
  });

  it('has no connection left: the doctor does not say to start PostgreSQL either', async () => {
    const { drop, url } = await emptyDatabase();
    const [name] = url.split('/').slice(-1);
    const client = await connect(url, 'tests');
    await client.script(`CREATE ROLE ${name} LOGIN; ALTER DATABASE ${name} CONNECTION LIMIT 0`);
    const asked = { DATABASE_URL: url.replace(/\/\/[^@]*@/, `//${name}@`), SECRET_KEY };
    const { out } = await runCommand(['doctor'], asked);
    await client.script(`DROP ROLE ${name}`);
    await client.end();
    await drop();
    expect(out).toContain('too many connections');
    expect(out).toContain('docs/several-nodes.md');
    expect(out).not.toContain('Start PostgreSQL');
  });

  it('is not there: the command says so in one line, without the password', async () => {
    const url = 'postgres://ada:secret@127.0.0.1:1/nothing';
    const { complaints, code } = await runCommand(['nodes'], { DATABASE_URL: url });
    expect({ complaints, code }).toEqual({
      complaints: 'DATABASE_URL: the database cannot be reached (ECONNREFUSED)\n',
      code: 1,
    });
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
