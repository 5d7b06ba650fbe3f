import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { NOON, aBook, aStrategy, aToken, aUser } from '@slipstream/port-contracts';
import fc from 'fast-check';
import { openPostgres } from '../../src/open-postgres.js';
import { type TestDatabase, storageThrough, testDatabase } from './database.js';

/** How many times more than `npm test` asks for; `npm run verify` says 20. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A storage of which each answer to a `COMMIT` of the writer waits while `held` is there, and the statements that were sent. */
async function heldStorage() {
  await database.empty();
  const sent: string[] = [];
  const door: { held: Promise<void> | undefined; arrived: () => void } = {
    held: undefined,
    arrived: () => undefined,
  };
  const storage = await storageThrough(database, (client) => ({
    ...{ isUsable: true, script: client.script, destroy: client.destroy },
    end: () => client.end(),
    query: async (query) => {
      sent.push(query.sql);
      const answer = await client.query(query);
      if (query.sql === 'COMMIT' && door.held) {
        door.arrived();
        await door.held;
      }
      return answer;
    },
  }));
  return { storage, sent, door };
}

const token = (name: string, at = NOON) =>
  aToken({ id: id(name), digest: `digest of ${name}`, lastUsedAt: at });
const used = (name: string) => async (stores: ReadStores) =>
  (await stores.tokens.findByDigest(`digest of ${name}`))?.lastUsedAt;

describe('while a commit is under way', () => {
  it('reads answer from memory what it does not change, and ask the database for what it does', async () => {
    const { storage, sent, door } = await heldStorage();
    await storage.run(async ({ users, tokens }) => {
      await users.save(aUser());
      for (const name of ['kept', 'changed']) await tokens.save(token(name));
    });
    let release = (): void => undefined;
    door.held = new Promise((resolve) => (release = resolve));
    const arrived = new Promise<void>((resolve) => (door.arrived = resolve));
    const changing = storage.run(({ tokens }) => tokens.save(token('changed', NOON + 1)));
    await arrived;
    sent.length = 0;
    expect(await storage.read(used('kept'))).toBe(NOON);
    expect(sent).toEqual([]);
    // Made, though nobody here has heard so.
    expect(await storage.read(used('changed'))).toBe(NOON + 1);
    expect(sent.length).toBeGreaterThan(0);
    release();
    await changing;
    sent.length = 0;
    expect(await storage.read(used('changed'))).toBe(NOON + 1);
    expect(sent).toEqual([]);
    await storage.close();
  });

  it('a read that has what it changes from memory, and then asks the database, begins anew', async () => {
    const { storage, door } = await heldStorage();
    const write = (at: number) =>
      storage.run(async ({ users, tokens }) => {
        await users.save(aUser({ updatedAt: at }));
        await tokens.save(token('changed', at));
      });
    await write(NOON);
    let release = (): void => undefined;
    door.held = new Promise((resolve) => (release = resolve));
    const arrived = new Promise<void>((resolve) => (door.arrived = resolve));
    let changing: Promise<void> | undefined;
    const seen = await storage.read(async (stores) => {
      const fromMemory = await used('changed')(stores);
      changing ??= write(NOON + 1);
      await arrived;
      return [fromMemory, (await stores.users.find(aUser().id))?.updatedAt];
    });
    expect(seen).toEqual([NOON + 1, NOON + 1]);
    release();
    await changing;
    await storage.close();
  });
});

/** A work that changes all that a read looks at, or a part that no read looks at, after so many turns of the event loop; and a read. */
const doing = fc.oneof(
  fc.record({ do: fc.constant('change' as const), turns: fc.nat(6) }),
  fc.record({ do: fc.constant('change another' as const), turns: fc.nat(6) }),
  fc.record({ do: fc.constant('fail' as const), turns: fc.nat(6) }),
  fc.record({
    do: fc.constant('read' as const),
    turns: fc.nat(12),
    /** What is looked at, in that order; a user is never in memory. */
    looks: fc.array(fc.constantFrom('token', 'strategy', 'book', 'user', 'wait'), {
      minLength: 2,
      maxLength: 7,
    }),
  }),
);

describe('a read beside commits', () => {
  it('sees one moment, whatever of it comes from memory', async () => {
    await database.empty();
    const storage = await openPostgres({ url: database.url });
    const strategyId = id<'strategy'>('strategy');
    let count = 0;
    const at = (n: number) => NOON + n;
    const write = (n: number, name: string) =>
      storage.run(async ({ users, tokens, strategies, books }) => {
        await users.save(aUser({ updatedAt: at(n) }));
        await tokens.save(token(name, at(n)));
        if (name === 'other') return;
        await strategies.save(aStrategy({ id: strategyId, updatedAt: at(n) }));
        await books.save(aBook({ strategyId, version: n }), []);
      });
    await storage.run(async ({ users, tokens, strategies, books }) => {
      await users.save(aUser({ updatedAt: at(1) }));
      await tokens.save(token('own', at(1)));
      await tokens.save(token('other', at(1)));
      await strategies.save(aStrategy({ id: strategyId, updatedAt: at(1) }));
      await books.save(aBook({ strategyId, version: 1 }), []);
    });
    count = 1;
    const look = {
      token: async (stores: ReadStores) => ((await used('own')(stores)) ?? 0) - NOON,
      strategy: async ({ strategies }: ReadStores) =>
        ((await strategies.find(strategyId))?.updatedAt ?? 0) - NOON,
      book: async ({ books }: ReadStores) => (await books.find(strategyId))?.version ?? 0,
    };
    let fromBoth = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(doing, { minLength: 4, maxLength: 14 }), async (all) => {
        const changed = all.map(async (one) => {
          for (let left = one.turns; left > 0; left -= 1) await turn();
          if (one.do === 'read')
            return storage.read(async (stores) => {
              const seen = new Set<number>();
              for (const what of one.looks) {
                if (what === 'wait') await turn();
                else if (what === 'user') await stores.users.find(aUser().id);
                else seen.add(await look[what](stores));
              }
              if (one.looks.includes('user')) fromBoth += 1;
              return [...seen];
            });
          if (one.do === 'fail')
            return storage
              .run(async ({ tokens }) => {
                await tokens.save(token('own', at(0)));
                throw new Error('no');
              })
              .catch(() => []);
          if (one.do === 'change another') await write(count, 'other');
          else {
            count += 1;
            await write(count, 'own');
          }
          return [];
        });
        for (const seen of await Promise.all(changed)) expect(seen.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 * MORE },
    );
    expect(fromBoth).toBeGreaterThan(20);
    await storage.close();
  });
});
