import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from './database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const [audit, track] = [`'', NULL, NULL, '', '[]', 'ok', NULL, NULL`, `'s', 1, 'value', 0, '{}'`];
  await database.client.script(`
    INSERT INTO audit_entries VALUES (1, 0, ${audit}, '', 'a'), (2, 0, ${audit}, 'a', 'b');
    INSERT INTO audit_archives VALUES (1, 'a');
    INSERT INTO track_entries (strategy_id, seq, kind, at, body, previous_hash, hash) VALUES (${track}, '', 'a')`);
});
afterAll(() => database.client.end());

describe.each([
  ['audit_entries', 'audit entries'],
  ['audit_archives', 'audit archives'],
  ['track_entries', 'track entries'],
])('the rows of %s', (table, name) => {
  it.each([
    ['changed', `UPDATE ${table} SET hash = 'c'`],
    ['removed', `DELETE FROM ${table} WHERE hash = (SELECT max(hash) FROM ${table})`],
    ['removed', `TRUNCATE ${table}`],
    ['removed', `TRUNCATE strategies, ${table} CASCADE`],
  ])('are not %s, not even by the owner: %s', async (what, sql) => {
    await expect(database.client.script(sql)).rejects.toThrow(`${name} are not ${what}`);
  });
});
