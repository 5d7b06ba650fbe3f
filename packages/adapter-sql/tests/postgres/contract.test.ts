import { afterAll, beforeAll } from '@jest/globals';
import { unitOfWorkContract } from '@slipstream/port-contracts';
import type { Storage } from '@slipstream/ports';
import { openPostgres } from '../../src/open-postgres.js';
import { noCache } from '../storage/no-cache.js';
import { type TestDatabase, ownDatabase, storageThrough, testDatabase } from './database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.client.script(`
    CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER disk_is_full BEFORE INSERT ON journal EXECUTE FUNCTION disk_is_full();
    ALTER TABLE journal DISABLE TRIGGER disk_is_full`);
});
let forgetful: Storage | undefined;
afterAll(async () => {
  await forgetful?.close();
  await database.client.end();
});

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
  // One for all cases: to open the database takes far longer than most of them.
  openForgetful: async () => {
    await database.empty();
    if (forgetful) await ownDatabase(database);
    forgetful ??= await storageThrough(database, (client) => client, { records: noCache });
    return { ...forgetful, close: async () => undefined };
  },
  openFillable: async () => ({
    storage: await open(),
    fill: () => setFull('ENABLE'),
    makeRoom: () => setFull('DISABLE'),
  }),
});
