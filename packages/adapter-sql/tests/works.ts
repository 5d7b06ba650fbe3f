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
  ...([
    'unlike',
    'mail',
    'unmail',
    'book',
    'order',
    'cancel order',
    'look',
    'throw',
    'keep',
  ] as const),
];
const step = fc.record({ kind: fc.constantFrom(...KINDS), n: fc.nat(2), figure: fc.nat(2) });
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
/** Works that arrive together, several times. */
export const worksInMoments = fc.array(
  fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
  { minLength: 1, maxLength: 4 },
);

/** Other positions than before, and of open orders what `change` says. */
export async function changeBook(stores: Stores, n: number, figure: number, change: string) {
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

/** What the work finds, when it looks. */
export async function perform(stores: Stores, steps: readonly Step[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const step of steps) found.push(await performOne(stores, step));
  return found;
}

async function performOne(stores: Stores, { kind, n, figure }: Step): Promise<unknown> {
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
    case 'keep':
      return stores.keptAnswers.add(
        { name: `key-${n}`, bodyMac: 'mac', userId: null, createdAt: NOON, sealedAnswer: null },
        NOON - 1,
      );
    case 'throw':
      throw new Error('no');
  }
}

const USERS = [0, 1, 2].map((n) => id<'user'>(`user-${n}`));
const STRATEGIES = [0, 1, 2].map((n) => id<'strategy'>(`strategy-${n}`));
const POSTS = [0, 1, 2].map((n) => id<'post'>(`post-${n}`));

/** What reads see, in an order that says nothing. */
export const everything = async (stores: ReadStores): Promise<unknown> => [
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
  await Promise.all([0, 1, 2].map((n) => stores.keptAnswers.find(`key-${n}`))),
];
