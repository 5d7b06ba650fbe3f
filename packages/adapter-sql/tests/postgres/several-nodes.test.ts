import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type UserId, id } from '@slipstream/domain';
import {
  NOON,
  aBook,
  aFilledOrder,
  aPost,
  aStrategy,
  aUser,
  anOrder,
} from '@slipstream/port-contracts';
import type { Event, UnitOfWork } from '@slipstream/ports';
import { type PostgresNode, joinPostgres, openPostgres } from '../../src/open-postgres.js';
import { migratePostgres } from '../../src/postgres/migrate.js';
import { postgresMigrations } from '../../src/postgres/migrations.js';
import { connect } from '../../src/postgres/client.js';
import { drainPostgresNode, postgresNodes } from '../../src/postgres/nodes/node-list.js';
import { endNode, listNodes, sessionName } from '../../src/postgres/nodes/roster.js';
import type { SqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { type TestDatabase, q, testDatabase } from './database.js';

const ada: UserId = id('ada');

let database: TestDatabase;
let joined: PostgresNode[] = [];
/** Storages of those that owned the database. */
let opened: SqlUnitOfWork[] = [];
let ended: string[] = [];
let drained: string[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());
beforeEach(async () => {
  await database.empty();
  [joined, opened, ended, drained] = [[], [], [], []];
});
afterEach(async () => {
  for (const node of joined) await node.end();
  for (const storage of opened) await storage.close();
});

const join = async (name: string): Promise<PostgresNode> => {
  const node = await joinPostgres({
    url: database.url,
    nodeUrl: `http://${name}.example:3001`,
    onEnded: () => ended.push(name),
    onDrained: () => drained.push(name),
  });
  joined.push(node);
  void node.storage().then(
    (storage) => opened.push(storage),
    () => undefined,
  );
  return node;
};
/** Ends the node, as others do that find it silent; it may show a sign of life meanwhile. */
async function endListed(id: string): Promise<void> {
  for (;;) {
    const listed = (await listNodes(database.client)).find((one) => one.id === id);
    if (!listed) return;
    await endNode(database.client, listed);
  }
}
const save = (storage: UnitOfWork) => storage.run(({ users }) => users.save(aUser({ id: ada })));
const found = (storage: Pick<UnitOfWork, 'read'>) => storage.read(({ users }) => users.find(ada));

describe('several nodes over a PostgreSQL database', () => {
  it('have one owner; another one follows when it gives the database back, and finds every commit', async () => {
    const first = await join('first');
    await save(await first.storage());
    const second = await join('second');
    const later = second.storage();
    expect([first.isOwner(), second.isOwner()]).toEqual([true, false]);
    expect(first.owner()).toEqual({ id: first.id, url: 'http://first.example:3001' });
    await first.end();
    const storage = await later;
    expect(second.isOwner()).toBe(true);
    expect(second.owner()?.id).toBe(second.id);
    expect(await found(storage)).toMatchObject({ id: ada });
  });

  it('read each commit of the owner while they wait, none of it from memory', async () => {
    const first = await join('first');
    const storage = await first.storage();
    const second = await join('second');
    const { id: strategyId } = aStrategy();
    // An owner keeps strategies in memory.
    const name = async () =>
      (await second.read(({ strategies }) => strategies.find(strategyId)))?.name;
    expect(await name()).toBeUndefined();
    for (const next of ['One', 'Two', 'Three']) {
      await storage.run(({ strategies }) => strategies.save(aStrategy({ name: next })));
      expect(await name()).toBe(next);
      expect(await name()).toBe(next);
    }
  });

  it('know when they had to connect anew: the database may have lost commits', async () => {
    const node = await join('node');
    await node.storage();
    expect(node.connection()).toBe(0);
    await database.client.query(
      q(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?',
        sessionName(node.id),
      ),
    );
    await seen(() => node.connection() === 1);
  });

  it('take the database over from one that was ended: it commits nothing any more, and is told', async () => {
    const first = await join('first');
    const before = await first.storage();
    await save(before);
    const second = await join('second');
    await database.client.query(q('DELETE FROM nodes WHERE id = ?', first.id));
    const storage = await second.storage();
    await expect(save(before)).rejects.toMatchObject({ name: 'StorageUnavailable' });
    expect(ended).toEqual(['first']);
    expect(await found(storage)).toMatchObject({ id: ada });
  });

  it('end when the database does not know them as its owner: a replica took its place, without the claim', async () => {
    const node = await join('node');
    await node.storage();
    const other = await join('other');
    await database.client.query(q('UPDATE shards SET node = NULL WHERE node = ?', node.id));
    await other.storage();
    await seen(() => ended.includes('node'));
    expect([node.isOwner(), other.isOwner()]).toEqual([false, true]);
  });

  it('end one that shows no sign of life, even amid a transaction', async () => {
    await database.client.script(`INSERT INTO nodes (id, url) VALUES ('silent', 'http://silent:1');
      INSERT INTO heartbeats (node, renewed_at) VALUES ('silent', now() - interval '1 minute');
      UPDATE shards SET node = 'silent'`);
    const session = await testSession('silent');
    await session.script(`BEGIN; SELECT 1 FROM shards WHERE node = 'silent' FOR SHARE`);
    const node = await join('node');
    await node.storage();
    await expect(session.script('COMMIT')).rejects.toThrow();
    await session.end();
  });

  it('judge each other by the lease of the one that is silent', async () => {
    await database.client.script(`INSERT INTO nodes VALUES ('patient', 'http://patient:1', 600000);
      INSERT INTO heartbeats (node, renewed_at) VALUES ('patient', now() - interval '1 minute');
      UPDATE shards SET node = 'patient'`);
    const session = await testSession('patient');
    const node = await join('node');
    await seen(() => node.owner()?.id === 'patient');
    await session.end();
    await node.storage();
    expect(node.isOwner()).toBe(true);
  });

  it('leave one alone that has shown a sign of life since it was found silent', async () => {
    const node = await join('node');
    const storage = await node.storage();
    const [listed] = await listNodes(database.client);
    if (!listed) throw new Error('it is not there');
    await database.client.query(
      q(`UPDATE heartbeats SET renewed_at = renewed_at + interval '1 minute'`),
    );
    await endNode(database.client, listed);
    await save(storage);
    expect(node.isOwner()).toBe(true);
    await endListed(node.id);
    await expect(save(storage)).rejects.toMatchObject({ name: 'StorageUnavailable' });
  });

  it('serve when the answer to their claim was lost: the next sign of life shows that they own the database', async () => {
    await database.client.script(`INSERT INTO nodes VALUES ('other', 'http://other:1', 600000);
      INSERT INTO heartbeats (node, renewed_at) VALUES ('other', now()); UPDATE shards SET node = 'other'`);
    const session = await testSession('other');
    const node = await join('node');
    await seen(() => node.owner()?.id === 'other');
    await database.client.query(q('UPDATE shards SET node = ?', node.id));
    await node.storage();
    expect(node.isOwner()).toBe(true);
    await session.end();
  });

  it('leave those alone whose database theirs is a copy of, on the same server', async () => {
    await database.client.script(`INSERT INTO nodes VALUES ('copied', 'http://copied:1', 600000);
      INSERT INTO heartbeats (node, renewed_at) VALUES ('copied', now());
      UPDATE shards SET node = 'copied'`);
    const elsewhere = database.url.replace(/[^/]*$/, 'postgres');
    const session = await connect(elsewhere, 'slipstream copied');
    const node = await join('node');
    await node.storage();
    expect(await session.query(q('SELECT 1'))).toMatchObject({ count: 1 });
    await session.end();
  });

  it('are asked to end by the operator one by one, who hears when another one serves', async () => {
    const before = Date.now();
    const first = await join('first');
    await first.storage();
    const second = await join('second');
    const draining = drainPostgresNode(database.url, first.id, 60_000);
    await seen(() => drained.length > 0);
    expect(await drainPostgresNode(database.url, first.id, 0)).toBe('late');
    expect(await drainPostgresNode(database.url, 'nobody', 0)).toBe('unknown');
    await first.end();
    const left = await draining;
    if (typeof left === 'string') throw new Error(left);
    expect(left).toMatchObject([{ id: second.id, state: 'serves' }]);
    expect(drained).toEqual(['first']);
    // The clock of the database is that of this machine.
    expect(left[0]?.since).toBeGreaterThanOrEqual(before);
    expect(await postgresNodes(database.url)).toMatchObject(left.map(({ since }) => ({ since })));
  });

  it.each([
    ['one after the other', false],
    ['at once', true],
  ])('are not all asked to end %s: one of them serves on', async (_, isAtOnce) => {
    const nodes = [await join('first'), await join('second'), await join('third')];
    // On a busy machine a later one may be the first to claim it.
    await Promise.race(nodes.map((one) => one.storage()));
    const told: (() => Promise<unknown>)[] = nodes.map(
      (one) => () => drainPostgresNode(database.url, one.id, 0),
    );
    const outcomes: unknown[] = [];
    if (isAtOnce) outcomes.push(...(await Promise.all(told.map((ask) => ask()))));
    else for (const ask of told) outcomes.push(await ask());
    expect(outcomes.sort()).toEqual(['alone', 'late', 'late']);
  });

  it('know of a request whether one that has ended, or has nothing of it under way, committed anything for it', async () => {
    const first = await join('first');
    const second = await join('second');
    await database.client
      .script(`INSERT INTO audit_entries (seq, at, actor, action, objects, outcome,
      request_id, prev_hash, hash) VALUES (1, 0, 'a', 'newOrder', '[]', 'ok', 'done', '', '')`);
    const ask = (isSettled: boolean) =>
      Promise.all(['done', 'not done'].map((id) => second.wasDone(first.id, id, () => isSettled)));
    expect(await ask(true)).toEqual([true, false]);
    const asked = ask(false);
    await first.end();
    expect(await asked).toEqual([true, false]);
  });

  it('refuse the first commit of one that wakes after another took its place: the fence does, 100 of 100 times', async () => {
    const refusals = new Map<unknown, number>();
    let owner = await join('node 0');
    let storage = await owner.storage();
    for (let time = 1; time <= 100; time += 1) {
      const next = await join(`node ${time}`);
      const zombie = owner;
      let taken: SqlUnitOfWork | undefined;
      // Its transaction has shown that it owns the database, and pauses.
      const late = storage.run(async ({ users }) => {
        await users.find(ada);
        await endListed(zombie.id);
        next.look();
        taken = await next.storage();
        await taken.run((stores) => stores.posts.save(aPost({ id: id(`post ${time}`) })));
        await users.save(aUser({ id: ada }));
      });
      await expect(late).rejects.toMatchObject({ name: 'StorageUnavailable' });
      const refused: unknown = await save(storage).catch((error: unknown) => error);
      const by = refused instanceof Error ? (refused.cause as Error).name : 'nobody';
      refusals.set(by, (refusals.get(by) ?? 0) + 1);
      await storage.close();
      if (!taken) throw new Error('nobody took its place');
      [owner, storage] = [next, taken];
    }
    await storage.close();
    expect(refusals).toEqual(new Map([['NodeEnded', 100]]));
    expect(ended).toHaveLength(100);
    const stored = q('SELECT (SELECT count(*) FROM users) AS users, count(*) AS posts FROM posts');
    expect((await database.client.query(stored)).rows).toEqual([{ users: 0, posts: 100 }]);
  });

  it('start together over an empty database: each waits for the one that makes the tables', async () => {
    await database.client.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await Promise.all(['first', 'second', 'third'].map(join));
    expect(joined).toHaveLength(3);
  });

  it('are refused by a server that shares the database with none', async () => {
    const alone = await openPostgres({ url: database.url });
    const node = await join('node');
    await expect(node.storage()).rejects.toMatchObject({ name: 'DatabaseInUse' });
    await alone.close();
  });

  it('refuse a server that shares the database with none also while none of them owns it', async () => {
    const alive = await testSession('22222222-2222');
    await alive.script(`INSERT INTO nodes (id, url, lease) VALUES ('22222222-2222', 'http://two.example:3001', 60000);
      INSERT INTO heartbeats (node, renewed_at) VALUES ('22222222-2222', clock_timestamp())`);
    await expect(openPostgres({ url: database.url })).rejects.toMatchObject({
      name: 'DatabaseInUse',
    });
    await alive.end();
  });

  it('keep the schema of their release: one of a later release does not change it while they run', async () => {
    const node = await join('node');
    await node.storage();
    const later = { ...postgresMigrations, '9999-later': 'CREATE TABLE of_later (id TEXT)' };
    const session = await testSession('11111111-1111');
    await expect(migratePostgres(session, later)).rejects.toThrow('stop all of them');
    await node.end();
    await session.end();
  });

  it('are ended by a later release that changes the schema while they cannot reach the database', async () => {
    const node = await join('node');
    const storage = await node.storage();
    const later = { ...postgresMigrations, '9999-later': 'SELECT 1' };
    let isChanged = false;
    // It connects anew all the time; once it was changed without it, it owns nothing.
    while (!isChanged) {
      await database.cut();
      isChanged = await migratePostgres(database.client, later).then(
        () => true,
        () => false,
      );
    }
    await expect(save(storage)).rejects.toMatchObject({ name: 'StorageUnavailable' });
    await seen(() => ended.includes('node'));
    await database.client.query(q(`DELETE FROM migrations WHERE name = '9999-later'`));
  });
});

const testSession = (node: string) => connect(database.url, `slipstream ${node}`);

/** Resolves when it is so. */
async function seen(isSo: () => boolean): Promise<void> {
  while (!isSo()) await database.client.query(q('SELECT 1'));
}

describe('what a node finds of those before it', () => {
  const { strategyId } = aBook();
  const order = aFilledOrder({ reason: 'cut to 0.001' });
  const open = anOrder({ dependsOn: [order.id] });
  const changed = (version: number, changes: readonly unknown[]): Event =>
    ({
      ...{ kind: 'book_changed', strategyId, at: NOON, before: aBook(), changes },
      after: aBook({ version }),
    }) as Event;

  it('is what their commits told of orders', async () => {
    const first = await join('first');
    const storage = await first.storage();
    const tell = (version: number, ...changes: unknown[]) =>
      storage.run(async ({ events, users }) => {
        await users.save(aUser({ id: ada }));
        await events.add(changed(version, changes));
        if (version === 4) throw new Error('not done');
      });
    const rested = { kind: 'rested', order: open };
    await tell(1, { kind: 'opened', order: open });
    await Promise.allSettled([tell(2, { kind: 'filled', order }, rested), tell(4, rested, rested)]);
    await Promise.allSettled([tell(4, { kind: 'filled', order }), tell(3, rested)]);
    await first.end();
    const second = await join('second');
    await second.storage();
    const told = { strategyId, at: NOON };
    // The clock of the database was set back between the two commits.
    await database.client.query(
      q("UPDATE journal SET at = at - interval '2 s' WHERE node = ? AND seq > 1", first.id),
    );
    expect(await second.toldOrders()).toEqual([
      { ...told, version: 1, changes: [{ kind: 'opened', order: open }] },
      { ...told, version: 2, changes: [{ kind: 'filled', order }] },
    ]);
  });

  it('is what the last of them told, so that it is read soon however much all told', async () => {
    const first = await join('first');
    const storage = await first.storage();
    await storage.run(async ({ events, users }) => {
      await users.save(aUser({ id: ada }));
      const changes = Array.from({ length: 500 }, () => ({ kind: 'opened', order: open }));
      await events.add(changed(1, changes));
    });
    const more = `INSERT INTO journal (node, seq, orders) SELECT node, seq + n, orders
      FROM journal, generate_series(1, 200) AS n WHERE orders IS NOT NULL`;
    await database.client.query(q(more));
    await first.end();
    const second = await join('second');
    await second.storage();
    const orders = await second.toldOrders();
    expect(orders.length).toBeGreaterThan(50);
    expect(orders.length).toBeLessThan(150);
  });
});
