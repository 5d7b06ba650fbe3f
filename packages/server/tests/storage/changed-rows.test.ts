import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../adapter-sql/tests/postgres/database.js';
import {
  type ComposedServer,
  OPERATOR_TOKEN,
  composedServer,
  newFolder,
} from '../helpers/composed-server.js';
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

/** What somebody with the database does to a table whose entries are otherwise not changed. */
const change = (table: string, ...statements: readonly string[]): Promise<void> =>
  database.client.script(`ALTER TABLE ${table} DISABLE TRIGGER USER;
    ${statements.join(';')};
    ALTER TABLE ${table} ENABLE TRIGGER USER`);

describe('rows that somebody changed in the database', () => {
  const folder = newFolder();
  const file = join(folder, 'record.json');
  let server: ComposedServer | undefined;
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  const start = async () => (server = await composedServer({ environment: environment() }));

  /** A strategy whose record has a trade, and what downloads that record. */
  const recorded = async () => {
    const { ask, quotes, url, user } = await start();
    const token = await user('ada');
    const { strategy_id } = await ask('newStrategy', { type: 'stock', name: 'Changed' }, token);
    await quotes({ [AAPL]: [199.9, 200.1] });
    const allocations = [{ stock_id: AAPL, percent: '0.5' }];
    await ask('newOrderAllocations', { strategy_id, allocations }, token);
    return {
      ask,
      download: () =>
        runCommand(['track', strategy_id, file], { SLIPSTREAM_URL: url, SLIPSTREAM_TOKEN: token }),
    };
  };

  it.each([
    ['of no objects', `objects = '['`],
    ['of no time', 'at = 9000000000000000000'],
  ])('are named in the audit log when they are %s any more', async (_, set) => {
    const { user } = await start();
    await user('ada');
    await change('audit_entries', `UPDATE audit_entries SET ${set} WHERE seq = 2`);
    const checked = await runCommand(['audit', '--verify'], environment());
    expect(checked.complaints).toBe(
      'The audit log is NOT intact at entry 2: it was changed after it was made.\n',
    );
    const printed = await runCommand(['audit'], environment());
    expect(printed.complaints).toBe(
      'audit entry 2 cannot be read: it was changed after it was made\n',
    );
  });

  it.each(['0', '-9223372036854775808'])(
    'are named in the audit log when somebody inserted entry %s',
    async (seq) => {
      const { user } = await start();
      await user('ada');
      await change(
        'audit_entries',
        `CREATE TEMPORARY TABLE inserted AS SELECT * FROM audit_entries WHERE seq = 1`,
        `UPDATE inserted SET seq = ${seq}`,
        `INSERT INTO audit_entries SELECT * FROM inserted`,
        'DROP TABLE inserted',
      );
      const checked = await runCommand(['audit', '--verify'], environment());
      expect(checked.complaints).toBe(
        `The audit log is NOT intact at entry ${Number(seq)}: it is before the first one.\n`,
      );
      const printed = await runCommand(['audit'], environment());
      expect(printed.out).toContain('"action":"issueToken"');
      expect(printed.complaints).toBe(
        `audit entry ${Number(seq)} cannot be read: it is before the first one\n`,
      );
    },
  );

  it.each([
    ['no JSON', `body = 'nonsense'`],
    ['nothing', `body = 'null'`],
    ['a list', `body = '[]'`],
    ['of a stock without a name', `body = '{"stock_id":""}'`],
    ['later than any time', 'at = 9000000000000000000'],
    ['earlier than any time', 'at = -9000000000000000000'],
  ])('are downloaded when an entry is %s, and then named', async (_, set) => {
    const { download } = await recorded();
    await change('track_entries', `UPDATE track_entries SET ${set} WHERE kind = 'trade'`);
    expect(await download()).toMatchObject({ code: 0, complaints: '' });
    const { complaints, code } = await runCommand(['verify', file], {});
    expect(code).toBe(1);
    expect(complaints).toMatch(
      /is NOT intact at entry \d+: (it was changed|its at is none that an entry can have)/,
    );
  });

  const NONE = 'There are no anchors';
  const noneCanHave = (field: string) =>
    `is NOT intact at the anchor of 2026-03-04: its ${field} is none that an anchor can have`;
  const fails = (why: string) => `The anchor of 2026-03-04 does NOT hold: ${why}`;

  it.each([
    ['anchors', `day = 'yesterday'`, NONE],
    ['anchors', `day = '2026-00-00'`, NONE],
    ['anchors', 'made_at = 9000000000000000000', noneCanHave('made_at')],
    ['anchors', 'size = -1', fails('its path does not lead to its root')],
    ['anchors', 'size = 9000000000000000000', noneCanHave('size')],
    ['anchors', `root = ''`, noneCanHave('root')],
    ['anchors', `branches = '[null]'`, '1 anchors of 2026-03-04 to 2026-03-04 hold'],
    ['anchors', `stamp = 'nonsense'`, noneCanHave('stamp')],
    ['anchors', `stamp = '{}'`, noneCanHave('stamp')],
    ['anchors', `stamp = '{"token":"AAAA","nonce":"1","at":9e18}'`, noneCanHave('stamp')],
    ['anchor_branches', `leaves = 'nonsense'`, NONE],
    ['anchor_branches', `leaves = '[null]'`, NONE],
    ['anchor_branches', `leaves = '[{"chain":"' || last_chain || '"}]'`, NONE],
    ['anchor_branches', 'branch = 9000000000000000000', noneCanHave('index')],
    ['anchor_branches', `last_chain = ''`, NONE],
  ])('are downloaded when %s have %s, and named or missing', async (table, set, said) => {
    const { download, ask } = await recorded();
    await ask('newAnchor', {}, OPERATOR_TOKEN);
    await change(table, `UPDATE ${table} SET ${set}`);
    expect(await download()).toMatchObject({ code: 0, complaints: '' });
    const { out, complaints } = await runCommand(['verify', file, '--anchors', file], {});
    expect(out + complaints).toContain(said);
  });
});
