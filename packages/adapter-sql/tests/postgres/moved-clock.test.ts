import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from '../../src/postgres/client.js';
import { type PostgresNode, joinIn } from '../../src/postgres/join.js';
import { hostTime } from '../../src/storage/host-time.js';
import { type TestDatabase, q, testDatabase } from './database.js';

/** `clock_timestamp()` is this one: it is found before the database's own. */
const SEARCH_PATH = 'public,virtual,pg_catalog';
const CLOCK = `CREATE SCHEMA virtual; CREATE TABLE virtual.clock (ahead INTERVAL NOT NULL);
  INSERT INTO virtual.clock VALUES ('0');
  CREATE FUNCTION virtual.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE
    AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM virtual.clock'`;

/** In milliseconds; the clock is set by more than that, and no machine stands still for so long. */
const LEASE = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.client.script(CLOCK);
});
afterAll(() => database.client.end());

const join = (node: string, onEnded: () => void): Promise<PostgresNode> =>
  joinIn(
    {
      connect: (name, settings) =>
        connect(database.url, name, { ...settings, search_path: SEARCH_PATH }),
      ...{ time: hostTime, node, database: 'of tests' },
    },
    { nodeUrl: `http://${node}.example:3001`, lease: LEASE, onEnded },
  );

/** Each of them has shown a sign of life since. */
async function allShowLife(): Promise<void> {
  const signs = async () =>
    (await database.client.query(q('SELECT renewed_at::text AS at FROM heartbeats'))).rows.map(
      (row) => (row as { readonly at: string }).at,
    );
  const before = await signs();
  while ((await signs()).some((sign) => before.includes(sign)));
}

it('is no reason to end anybody: each goes on when the clock of the database is set ahead, and back', async () => {
  const ended: string[] = [];
  const first = await join('first', () => ended.push('first'));
  const storage = await first.storage();
  const second = await join('second', () => ended.push('second'));
  second.storage().catch(() => undefined);
  while (second.owner()?.id !== 'first') await allShowLife();
  for (const ahead of ['1 hour', '1 day', '-1 hour', '0', '1 hour']) {
    await database.client.query(q('UPDATE virtual.clock SET ahead = ?::interval', ahead));
    await allShowLife();
    await allShowLife();
    expect([ahead, ended, second.owner()?.id]).toEqual([ahead, [], 'first']);
  }
  await second.end();
  await storage.close();
});
