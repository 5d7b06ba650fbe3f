import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '../../src/postgres/client.js';
import { build, once } from '../../src/storage/queries.js';
import { type TestDatabase, q, testDatabase } from './database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

/** How many statements the session of the connection has prepared. */
async function prepared(text: string): Promise<number> {
  const { rows } = await database.client.query(
    q('SELECT count(*) AS count FROM pg_prepared_statements WHERE statement LIKE ?', text),
  );
  return (rows as { readonly count: number }[])[0]?.count ?? NaN;
}

const byIds = (count: number) =>
  once(
    build
      .selectFrom('books')
      .select('version')
      .where('strategy_id', 'in', Array.from({ length: count }, (_, n) => `s${n}`) as never[]),
  );

describe('the statements of a connection', () => {
  it('are prepared, however many lists of ids of other lengths came before', async () => {
    for (let count = 1; count <= 600; count += 1) await database.client.query(byIds(count));
    const lists = await prepared('select "version" from "books" where "strategy_id" in%');
    expect(lists).toBeGreaterThan(0);
    expect(lists).toBeLessThanOrEqual(200);
    await database.client.query(q('SELECT 1 AS late'));
    expect(await prepared('SELECT 1 AS late')).toBe(1);
  });
});

describe('a connection', () => {
  it('shows the network that it is used, also when nothing is asked for minutes: some forget idle ones, and tell nobody', async () => {
    const { setKeepAlive } = Socket.prototype;
    const told: (readonly unknown[])[] = [];
    Socket.prototype.setKeepAlive = function (this: Socket, ...given) {
      told.push(given);
      return setKeepAlive.apply(this, given);
    };
    const client = await connect(database.url, 'tests');
    Socket.prototype.setKeepAlive = setKeepAlive;
    expect(told).toEqual([[true, 30_000]]);
    await client.end();
  });
});
