import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examinePostgres } from '../../src/examine.js';
import { type TestDatabase, q, testDatabase } from './database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

describe('a look at a PostgreSQL database', () => {
  it('tells its version, and that its schema is of this release', async () => {
    expect(await examinePostgres(database.url)).toMatchObject({
      what: expect.stringMatching(/^the PostgreSQL \d+/),
      ...{ problems: [], unknown: [], missing: [] },
    });
  });

  it('names what the next start adds, and what only a later release knows', async () => {
    await database.client.query(q(`DELETE FROM migrations WHERE name LIKE '%0065%'`));
    await database.client.query(q(`INSERT INTO migrations VALUES ('9999-tomorrow')`));
    const { unknown, missing } = await examinePostgres(database.url);
    expect(unknown).toEqual(['9999-tomorrow']);
    expect(missing).toHaveLength(1);
  });

  it('is refused by a server that is not there', async () => {
    await expect(examinePostgres('postgres://nobody@127.0.0.1:1/none')).rejects.toThrow();
  });
});
