import { afterAll, beforeAll } from '@jest/globals';
import { unitOfWorkContract } from '@slipstream/port-contracts';
import { openPostgres } from '../../src/open-postgres.js';
import { type TestDatabase, testDatabase } from './database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.client.script(`
    CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER disk_is_full BEFORE INSERT ON journal EXECUTE FUNCTION disk_is_full();
    ALTER TABLE journal DISABLE TRIGGER disk_is_full`);
});
afterAll(() => database.client.end());

/** A work that waits for another one is given up after that many milliseconds. */
const patience = 500;
const reopened = () => openPostgres({ url: database.url, patience });
const open = async () => {
  await database.empty();
  return reopened();
};
const setFull = (state: 'ENABLE' | 'DISABLE') =>
  database.client.script(`ALTER TABLE journal ${state} TRIGGER disk_is_full`);

unitOfWorkContract('PostgreSQL', {
  open,
  reopen: async (storage) => {
    await storage.close();
    return reopened();
  },
  openFillable: async () => ({
    storage: await open(),
    fill: () => setFull('ENABLE'),
    makeRoom: () => setFull('DISABLE'),
  }),
});
