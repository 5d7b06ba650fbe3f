import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Position, decimal, id } from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import {
  NOON,
  aBook,
  aMail,
  aPosition,
  aPost,
  aStrategy,
  aSubscription,
  aUser,
  anOrder,
} from '@slipstream/port-contracts';
import fc from 'fast-check';
import { openPostgres } from '../../src/open-postgres.js';
import { openSqlite } from '../../src/open-sqlite.js';
import type { SqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { type TestDatabase, storageThrough, testDatabase } from './database.js';

/** How many times more than `npm test` asks for; `npm run verify` says 20. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.client.end());

const KINDS = [
  ...([
    'user',
    'end user',
    'strategy',
    'subscription',
    'cancel',
    'post',
    'unpost',
    'like',
  ] as const),
  ...(['unlike', 'mail', 'unmail', 'book', 'order', 'cancel order', 'look', 'throw'] as const),
];
const step = fc.record({ kind: fc.constantFrom(...KINDS), n: fc.nat(2), figure: fc.nat(2) });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
/** Works that arrive together, several times. */
const story = fc.array(
  fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
  { minLength: 1, maxLength: 4 },
);

/** Other positions than before, and of open orders what `change` says. */
async function changeBook(stores: Stores, n: number, figure: number, change: string) {
  const strategyId = id<'strategy'>(`strategy-${n}`);
  const stored = await stores.books.find(strategyId);
  const book = stored ?? aBook({ strategyId, version: 0, positions: new Map(), openOrders: [] });
  if (!stored) await stores.books.save(book, []);
  const stockId = id<'stock'>(`stock-${figure}`);
  const positions = new Map<typeof stockId, Position>(book.positions);
  if (!positions.delete(stockId))
    positions.set(stockId, aPosition({ stockId, amount: decimal(String(book.version + 1)) }));
  const version = book.version + 1;
  const [first, ...others] = book.openOrders;
  if (change === 'order') {
    const order = anOrder({ id: id(`order-${n}-${version}`), strategyId, stockId });
    await stores.books.save({ ...book, version, openOrders: [...book.openOrders, order] }, [
      { kind: 'opened', order },
    ]);
  } else if (change === 'cancel order' && first) {
    const { restingSince: _, ...request } = first;
    const order = { ...request, status: 'cancelled' as const, closedAt: NOON, reason: 'no' };
    await stores.books.save({ ...book, version, positions, openOrders: others }, [
      { kind: 'cancelled', order },
    ]);
  } else await stores.books.save({ ...book, version, positions }, []);
}

async function perform(stores: Stores, { kind, n, figure }: Step): Promise<unknown> {
  const userId = id<'user'>(`user-${n}`);
  const strategyId = id<'strategy'>(`strategy-${n}`);
  const postId = id<'post'>(`post-${n}`);
  switch (kind) {
    case 'user':
      // Two users may ask for one address.
      return stores.users.save(aUser({ id: userId, email: `${figure}@example.com` }));
    case 'end user':
      return stores.users.save(aUser({ id: userId, email: `${userId}@gone`, deletedAt: NOON }));
    case 'strategy':
      return stores.strategies.save(aStrategy({ id: strategyId, userId, private: figure === 1 }));
    case 'subscription':
    case 'cancel':
      return stores.subscriptions.save(
        aSubscription({
          id: id(`subscription-${n}-${figure}`),
          ...{ strategyId, userId: id('user-0'), relation: 'subscriber' },
          status: kind === 'cancel' ? 'cancelled' : 'active',
        }),
      );
    case 'post':
      return stores.posts.save(
        aPost({ id: postId, userId: id('user-1'), text: 'x'.repeat(figure) }),
      );
    case 'unpost':
      return stores.posts.remove(postId);
    case 'like':
      return stores.likes.save({ postId, userId: id(`user-${figure}`), createdAt: NOON });
    case 'unlike':
      return stores.likes.remove(postId, id(`user-${figure}`));
    case 'mail':
      return stores.mails.save(aMail({ id: id(`mail-${n}`), failure: figure === 1 ? 'no' : null }));
    case 'unmail':
      return stores.mails.remove(id(`mail-${n}`));
    case 'book':
    case 'order':
    case 'cancel order':
      return changeBook(stores, n, figure, kind);
    case 'look':
      return everything(stores);
    case 'throw':
      throw new Error('no');
  }
}

const USERS = [0, 1, 2].map((n) => id<'user'>(`user-${n}`));
const STRATEGIES = [0, 1, 2].map((n) => id<'strategy'>(`strategy-${n}`));
const POSTS = [0, 1, 2].map((n) => id<'post'>(`post-${n}`));

/** What reads see, in an order that says nothing. */
const everything = async (stores: ReadStores): Promise<unknown> => [
  await stores.users.list(USERS),
  [...(await stores.users.figures(USERS))].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  await Promise.all(USERS.map((userId) => stores.users.stored(userId))),
  await stores.strategies.list(STRATEGIES),
  await stores.subscriptions.listOfUser(id('user-0'), { limit: 20 }),
  await stores.posts.list(USERS, { limit: 20 }),
  [...(await stores.likes.countOfPosts(POSTS))].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  ),
  await stores.mails.due(NOON + 1e9, 20),
  await Promise.all(STRATEGIES.map((strategyId) => stores.books.find(strategyId))),
  await stores.books.all(),
  await stores.counts.all(),
];

const told = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : 'refused'));

async function lived(storage: SqlUnitOfWork, moments: readonly (readonly Step[][])[]) {
  const answers: unknown[] = [];
  for (const works of moments) {
    const asked = works.map((steps) =>
      storage.run(async (stores) => {
        const found: unknown[] = [];
        for (const one of steps) found.push(await perform(stores, one));
        return found;
      }),
    );
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
      fc.asyncProperty(story, async (moments) => {
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
