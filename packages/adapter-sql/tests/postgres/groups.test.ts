import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { id } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { NOON, aBook } from '@slipstream/port-contracts';
import fc from 'fast-check';
import { openPostgres } from '../../src/open-postgres.js';
import { openSqlite } from '../../src/open-sqlite.js';
import type { SqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { type Step, changeBook, everything, perform, worksInMoments } from '../works.js';
import { type TestDatabase, storageThrough, testDatabase } from './database.js';

/** How many times more than `npm test` asks for; `npm run verify` says 20. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

const told = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : 'refused'));

async function lived(storage: SqlUnitOfWork, moments: readonly (readonly Step[][])[]) {
  const answers: unknown[] = [];
  for (const works of moments) {
    const asked = works.map((steps) => storage.run((stores) => perform(stores, steps)));
    answers.push(told(await Promise.allSettled(asked)), await storage.read(everything));
  }
  return answers;
}

/** A storage, and the statements that it sends. */
async function listenedTo() {
  await database.empty();
  const sent: string[] = [];
  const storage = await storageThrough(database, (client) => ({
    ...{ isUsable: true, script: client.script, destroy: client.destroy },
    end: () => client.end(),
    query: (query) => {
      sent.push(query.sql);
      return client.query(query);
    },
  }));
  return { storage, sent };
}

describe('works that arrive together', () => {
  it('end in PostgreSQL, where their writes are put together, as in SQLite, which makes each by itself', async () => {
    await fc.assert(
      fc.asyncProperty(worksInMoments, async (moments) => {
        await database.empty();
        const postgres = await openPostgres({ url: database.url });
        const sqlite = await openSqlite({ path: ':memory:' });
        try {
          expect(await lived(postgres, moments)).toEqual(await lived(sqlite, moments));
        } finally {
          await postgres.close();
          await sqlite.close();
        }
      }),
      { numRuns: 25 * MORE },
    );
  });

  it('are at most 14 statements, however many they are', async () => {
    const { storage, sent } = await listenedTo();
    const strategies = Array.from({ length: 64 }, (_, n) => id<'strategy'>(`strategy-${n}`));
    await storage.run(async ({ books }) => {
      for (const strategyId of strategies) await books.save(aBook({ strategyId }), []);
    });
    sent.length = 0;
    const change = (strategyId: (typeof strategies)[number], n: number) =>
      storage.run(async (stores) => {
        await changeBook(stores, Number(strategyId.split('-')[1]), n % 3, n % 2 ? 'order' : 'book');
        await stores.track.save({
          ...{ strategyId, seq: 1, kind: 'trade' as const, at: NOON, body: '{}' },
          ...{ previousHash: '0', hash: strategyId },
        });
      });
    await Promise.all(strategies.map(change));
    expect(sent.length).toBeLessThanOrEqual(14);
    const found = await storage.read(({ books }) => books.all());
    expect(found.map(({ version }) => version)).toEqual(strategies.map(() => aBook().version + 1));
    await storage.close();
  });
});

describe('a read about thousands', () => {
  const names = <Kind extends 'user' | 'strategy' | 'post'>(kind: Kind) =>
    Array.from({ length: 2_000 }, (_, n) => id<Kind>(`${kind}-${n}`));
  it.each<[string, (stores: ReadStores) => Promise<unknown>]>([
    ['strategies', ({ strategies }) => strategies.list(names('strategy'))],
    ['subscribers', ({ subscriptions }) => subscriptions.countSubscribers(names('strategy'))],
    ['memberships', ({ subscriptions }) => subscriptions.memberships(names('strategy'))],
    ['users', ({ users }) => users.list(names('user'))],
    ['figures of users', ({ users }) => users.figures(names('user'))],
    ['likes', ({ likes }) => likes.countOfPosts(names('post'))],
  ])('asks for hundreds at once: %s', async (_, read) => {
    const { storage, sent } = await listenedTo();
    await storage.read(read);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(8);
    await storage.close();
  });
});
