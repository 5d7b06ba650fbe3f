import { describe, expect, it } from '@jest/globals';
import {
  aBot,
  aMail,
  aNotification,
  aPaymentSource,
  aWithdrawal,
  anAlertRecord,
  anEarning,
  anEndpoint,
  anInvoice,
} from '@slipstream/port-contracts';
import type { Stores } from '@slipstream/ports';
import type { Caller, UserExportView } from '../../src/index.js';
import { userOf } from '../accounts.js';
import { fixture } from '../fixture.js';

/** Ids of everything in a piece, by list. */
const idsIn = (piece: UserExportView): string[] => [
  ...piece.strategies.map(({ strategy }) => `strategy ${strategy.id}`),
  ...piece.subscriptions.map(({ id }) => `subscription ${id}`),
  ...piece.tokens.map(({ id }) => `token ${id}`),
  ...piece.posts.map(({ id }) => `post ${id}`),
  ...piece.likes.map(({ postId }) => `like ${postId}`),
];

async function world() {
  const made = await fixture();
  const [ada, bob] = [await made.user('ada'), await made.user('bob')];
  const followed = await made.strategy(bob);
  for (let count = 0; count < 3; count += 1) {
    await made.strategy(ada);
    const { post } = await made.app.newPost(ada, { text: `post ${count}` });
    await made.app.newLike(ada, { postId: post.id });
  }
  await made.app.newStrategySubscription(ada, { strategyId: followed });
  return { ...made, ada, bob };
}

describe('the export', () => {
  it.each([1, 2, 3, 5, 100])('in pieces of %d has everything once, in order', async (limit) => {
    const { app, ada } = await world();
    const whole = await app.getUserExport(ada, {});
    expect(whole.nextCursor).toBeNull();
    expect(idsIn(whole)).toHaveLength(3 + 4 + 2 + 3 + 3);
    const pieces: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const piece = await app.getUserExport(ada, { limit, cursor });
      const ids = idsIn(piece);
      expect(ids.length).toBeLessThanOrEqual(limit);
      pieces.push(...ids);
      ({ nextCursor: cursor } = piece);
    }
    expect(pieces).toEqual(idsIn(whole));
  });

  it('does not continue with a cursor of another user, and refuses an invalid one', async () => {
    const { app, ada, bob } = await world();
    const asked = (caller: Caller, cursor: string) =>
      app.getUserExport(caller, { limit: 1, cursor });
    const { nextCursor } = await app.getUserExport(ada, { limit: 1 });
    await expect(asked(bob, nextCursor ?? '')).rejects.toMatchObject({ code: 'conflict' });
    await expect(asked(ada, 'x')).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

describe('an item that is removed between two pieces', () => {
  /** The first piece that ends with a post, whose last post is deleted then. */
  async function endedByRemovedPost(limit: number) {
    const { app, ada } = await world();
    let piece = await app.getUserExport(ada, { limit });
    while (piece.posts.length === 0 || piece.likes.length > 0)
      piece = await app.getUserExport(ada, { limit, cursor: piece.nextCursor ?? undefined });
    await app.deletePost(ada, { postId: piece.posts.at(-1)?.id ?? '' });
    const cursor = piece.nextCursor ?? undefined;
    return { next: () => app.getUserExport(ada, { limit, cursor }) };
  }

  it.each([1, 2])('is refused, and not taken for the end, in pieces of %d', async (limit) => {
    const { next } = await endedByRemovedPost(limit);
    await expect(next()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('begin again without cursor'),
    });
  });

  it('is no matter when the next piece begins with another list', async () => {
    const { next } = await endedByRemovedPost(3);
    expect((await next()).likes).toHaveLength(2);
  });
});

/** Where the export has what each store keeps of a user, or why it has not. A new store has to say so to compile. */
const KEPT: {
  readonly [Name in keyof Stores]:
    | { readonly as: Exclude<keyof UserExportView, 'nextCursor'> }
    | { readonly not: string };
} = {
  users: { as: 'user' },
  tokens: { as: 'tokens' },
  strategies: { as: 'strategies' },
  subscriptions: { as: 'subscriptions' },
  bots: { as: 'bots' },
  alerts: { as: 'alerts' },
  notifications: { as: 'notifications' },
  posts: { as: 'posts' },
  likes: { as: 'likes' },
  mails: { as: 'mails' },
  paymentSources: { as: 'paymentSources' },
  invoices: { as: 'invoices' },
  earnings: { as: 'earnings' },
  withdrawals: { as: 'withdrawals' },
  endpoints: { as: 'endpoints' },
  endpointEvents: { not: 'sealed copies of other records, for 30 days' },
  deliveries: { not: 'has a read of its own: getDeliveries' },
  accountCodes: { not: 'a secret that was mailed, for at most seven days' },
  orders: { not: 'has a read of its own and grows without bound: getOrders' },
  trades: { not: 'has a read of its own and grows without bound: getTrades' },
  books: { not: 'has a read of its own: getPositions' },
  valueHistory: { not: 'has a read of its own and grows without bound: getStrategyHistory' },
  claimedHistories: { not: 'has a read of its own: getStrategyHistory with claimed' },
  valueDays: { not: 'is in the track record, which has a read of its own: getTrackRecord' },
  track: { not: 'has a read of its own and grows without bound: getTrackRecord' },
  anchors: { not: 'of no user, of hashes alone; getTrackRecord proves records by them' },
  adjustments: { not: 'has a read of its own: getStockActions' },
  botOrders: { not: 'has a read of its own and grows without bound: getBotOrders' },
  botHistory: { not: 'has a read of its own and grows without bound: getBotHistory' },
  brokerAccounts: { not: "the broker's: getBotAccount" },
  halts: { not: 'has a read of its own: getTradingHalts' },
  connections: { not: 'sealed access that no bot has taken yet, for at most an hour' },
  audit: { not: 'a chain that is kept for ever, of ids alone' },
  keptAnswers: { not: 'answers that the user got, sealed, for a day' },
  tallies: { not: 'digests, for a day at most' },
  plans: { not: 'sealed requests that the user prepared, for an hour or two' },
  stocks: { not: 'of no user' },
  quotes: { not: 'of no user' },
  dailyCloses: { not: 'of no user' },
  marketRuns: { not: 'of no user' },
  stockActions: { not: 'of no user' },
  announcedActions: { not: 'of no user' },
  quoteFeed: { not: 'of no user' },
  marketDays: { not: 'of no user' },
  keyProof: { not: 'of no user' },
  counts: { not: 'of no user' },
  events: { not: 'delivered at the commit, and kept nowhere' },
};

describe('the stored data of a user', () => {
  it('is completely in the export', async () => {
    const { app, ports, ada } = await world();
    const userId = userOf(ada);
    await ports.unitOfWork.run(async (stores) => {
      await stores.bots.save(aBot({ userId }));
      await stores.endpoints.save(anEndpoint({ userId }));
      await stores.alerts.add(anAlertRecord({ userId }));
      await stores.notifications.save(aNotification({ userId }));
      await stores.mails.save(aMail({ userId, failure: '550' }));
      await stores.paymentSources.save(aPaymentSource({ userId, sealedDetails: null }));
      await stores.invoices.save(anInvoice({ userId }));
      await stores.earnings.save(anEarning({ userId }));
      await stores.withdrawals.save(aWithdrawal({ userId }));
    });
    const whole = await app.getUserExport(ada, {});
    for (const where of Object.values(KEPT)) {
      if ('as' in where) expect([where.as, whole[where.as]]).not.toEqual([where.as, []]);
    }
    const pieces: UserExportView[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const piece = await app.getUserExport(ada, { limit: 1, cursor });
      pieces.push(piece);
      cursor = piece.nextCursor;
    }
    for (const name of ['alerts', 'earnings', 'mails', 'withdrawals'] as const)
      expect(pieces.flatMap((piece) => [...piece[name]])).toEqual(whole[name]);
  });
});
