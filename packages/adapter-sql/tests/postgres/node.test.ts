import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type UserId, id } from '@slipstream/domain';
import { aPost, aUser } from '@slipstream/port-contracts';
import type { UnitOfWork } from '@slipstream/ports';
import { openPostgres } from '../../src/open-postgres.js';
import type { Client } from '../../src/postgres/client.js';
import { ConnectionLost, ServerError } from '../../src/storage/failures.js';
import type { SqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { type TestDatabase, q, storageThrough, testDatabase } from './database.js';

const first: UserId = id('user-1');
const second: UserId = id('user-2');

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());
beforeEach(() => database.empty());

const save = (storage: UnitOfWork, userId: UserId) =>
  storage.run(({ users }) => users.save(aUser({ id: userId, email: `${userId}@example.com` })));
const stored = async (): Promise<unknown[]> =>
  (await database.client.query(q('SELECT id FROM users ORDER BY id'))).rows;

describe('a database in PostgreSQL', () => {
  it('is of one process: another one that opens it is refused, until the first gives it back', async () => {
    const storage = await openPostgres({ url: database.url });
    await expect(openPostgres({ url: database.url })).rejects.toMatchObject({
      name: 'DatabaseInUse',
    });
    await save(storage, first);
    await storage.close();
    const next = await openPostgres({ url: database.url });
    expect(await next.read(({ users }) => users.find(first))).toMatchObject({ id: first });
    await next.close();
  });

  it('can be opened after a process that ended without giving it back', async () => {
    await database.client.script(`INSERT INTO nodes VALUES ('crashed');
      INSERT INTO heartbeats (node, renewed_at) VALUES ('crashed', now() - interval '1 minute');
      UPDATE shards SET node = 'crashed'`);
    const storage = await openPostgres({ url: database.url });
    await save(storage, first);
    expect(await stored()).toEqual([{ id: first }]);
    await storage.close();
  });

  it('keeps a text whole but for its NUL characters, which it cannot hold', async () => {
    const storage = await openPostgres({ url: database.url });
    const text = `'"\\{},\u0000\u{1F600}\n`;
    await storage.run(({ posts }) => posts.save(aPost({ text })));
    const found = await storage.read(({ posts }) => posts.find(aPost().id));
    expect(found?.text).toBe(text.replace('\u0000', '\uFFFD'));
    await storage.close();
  });

  it('can be opened at once after a process that was killed a moment ago: that one is waited for, in vain', async () => {
    await database.client.script(`INSERT INTO nodes VALUES ('crashed');
      INSERT INTO heartbeats (node, renewed_at) VALUES ('crashed', now());
      UPDATE shards SET node = 'crashed'`);
    const storage = await openPostgres({ url: database.url });
    await save(storage, first);
    await storage.close();
  });

  it('can be opened at once after a process that was killed before the clock of the database was set back', async () => {
    await database.client.script(`INSERT INTO nodes VALUES ('crashed');
      INSERT INTO heartbeats (node, renewed_at) VALUES ('crashed', now() + interval '1 hour');
      UPDATE shards SET node = 'crashed'`);
    const storage = await openPostgres({ url: database.url });
    await save(storage, first);
    await storage.close();
  });

  it('takes no commit of a process that was ended, which is told so', async () => {
    let ended = 0;
    const storage = await openPostgres({ url: database.url, onEnded: () => (ended += 1) });
    await save(storage, first);
    await database.client.script('DELETE FROM nodes');
    await expect(save(storage, second)).rejects.toMatchObject({ name: 'StorageUnavailable' });
    await expect(save(storage, second)).rejects.toMatchObject({ name: 'StorageUnavailable' });
    expect(await stored()).toEqual([{ id: first }]);
    expect(ended).toBe(1);
    await storage.close();
  });

  it.each([
    ['has lost a commit: it is told that it ended', true],
    ['has them all, and goes on', false],
  ])(
    'is looked into by a process that connects again: one whose database %s',
    async (_, isLost) => {
      let ended = 0;
      const storage = await openPostgres({ url: database.url, onEnded: () => (ended += 1) });
      await save(storage, first);
      // As a replica that took over without the newest commit.
      if (isLost) await database.client.script('DELETE FROM users; DELETE FROM journal');
      await database.cut();
      let isSaved = false;
      while (ended === 0 && !isSaved)
        isSaved = await save(storage, second).then(
          () => true,
          () => false,
        );
      expect([ended, isSaved]).toEqual(isLost ? [1, false] : [0, true]);
      expect(await stored()).toEqual(isLost ? [] : [{ id: first }, { id: second }]);
      await storage.close();
    },
  );

  it('waits with the end of a process for its transaction under way', async () => {
    const storage = await openPostgres({ url: database.url });
    let ending: Promise<void> = Promise.resolve();
    await storage.run(async ({ users }) => {
      await users.save(aUser({ id: first }));
      await users.find(first);
      ending = database.client.script('DELETE FROM nodes');
      await users.save(aUser({ id: second, email: 'second@example.com' }));
    });
    await ending;
    expect(await stored()).toEqual([{ id: first }, { id: second }]);
    await storage.close();
  });

  it('is not touched when it has tables of something else', async () => {
    await database.client.script(`DROP SCHEMA public CASCADE; CREATE SCHEMA public;
      CREATE TABLE of_others (id TEXT)`);
    await expect(openPostgres({ url: database.url })).rejects.toMatchObject({
      name: 'UnusableDatabase',
    });
    const { rows } = await database.client.query(
      q(`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`),
    );
    expect(rows).toEqual([{ name: 'of_others' }]);
    await database.client.end();
    database = await testDatabase();
  });
});

describe('a commit whose answer is lost', () => {
  let storage: SqlUnitOfWork;
  let endings = 0;
  /** What happens to the next commit. */
  let loss: 'none' | 'before' | 'after' | 'shut down' = 'none';

  /** A connection that is lost at a commit, before or after the server made it. */
  const faulty = (client: Client): Client => ({
    get isUsable() {
      return client.isUsable;
    },
    script: (sql) => client.script(sql),
    end: () => client.end(),
    destroy: () => client.destroy(),
    async query(query) {
      if (query.sql !== 'COMMIT' || loss === 'none') return client.query(query);
      if (loss !== 'before') await client.query(query);
      const told =
        loss === 'shut down'
          ? new ServerError('terminating connection due to administrator command', '57P01')
          : new ConnectionLost();
      loss = 'none';
      client.destroy();
      throw told;
    },
  });

  beforeEach(async () => {
    endings = 0;
    storage = await storageThrough(database, faulty, { onEnded: () => (endings += 1) });
  });
  afterEach(() => storage.close());

  it.each(['after', 'shut down'] as const)(
    'was made when its journal row is there: the works are answered (%s)',
    async (how) => {
      loss = how;
      await Promise.all([save(storage, first), save(storage, second)]);
      expect(await stored()).toEqual([{ id: first }, { id: second }]);
      expect(await storage.read(({ users }) => users.find(first))).toMatchObject({ id: first });
    },
  );

  it('was not made when it is not there: the works are refused, and nothing of them is stored', async () => {
    loss = 'before';
    const results = await Promise.allSettled([save(storage, first), save(storage, second)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await stored()).toEqual([]);
    await save(storage, first);
    expect(await stored()).toEqual([{ id: first }]);
  });

  it('was made by a database that is gone when the commit before is not there: the process ends', async () => {
    await save(storage, first);
    await database.client.script('DELETE FROM users; DELETE FROM journal');
    loss = 'before';
    // Also not by what waited meanwhile: it would rest on what is gone.
    for (let time = 0; time < 2; time += 1)
      await expect(save(storage, second)).rejects.toMatchObject({ name: 'StorageUnavailable' });
    expect([await stored(), endings]).toEqual([[], 1]);
  });

  it('leaves a row for each commit that wrote something, numbered without gaps', async () => {
    await save(storage, first);
    await storage.run(({ users }) => users.find(first));
    loss = 'before';
    await save(storage, second).catch(() => undefined);
    await save(storage, second);
    const { rows } = await database.client.query(q('SELECT seq FROM journal ORDER BY seq'));
    expect(rows).toEqual([{ seq: 1 }, { seq: 2 }]);
  });
});
