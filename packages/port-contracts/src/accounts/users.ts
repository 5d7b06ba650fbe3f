import { describe, expect, it } from '../testing.js';
import {
  type Strategy,
  type Subscription,
  type Token,
  type User,
  decimal,
  id,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import {
  NOON,
  aPost,
  aStrategy,
  aSubscription,
  aToken,
  aUser,
  anAlertRecord,
} from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const everyFieldOfUser: User = {
  id: id('user-1'),
  email: 'ada@example.com',
  name: 'Ada',
  nameKey: 'ada',
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  profile: {
    bio: 'Zoë 🚀 "quoted"',
    x: '@ada',
    website: 'https://a.example',
    youtube: '',
    telegram: '',
  },
  commission: 15,
  notifications: ['subscription', 'like'],
  paymentsEnabled: true,
  verified: false,
  confirmBy: NOON + 7,
  secondFactor: { sealedSecret: 'sealed', since: NOON, lastStep: 7, recovery: ['a', 'b'] },
  devices: ['new', 'old'],
  refId: 'ref',
  referredBy: id('user-9'),
  createdAt: NOON,
  updatedAt: NOON + 1,
  deletedAt: NOON + 2,
};

const everyFieldOfToken: Token = {
  id: id('token-1'),
  userId: id('user-1'),
  type: 'refresh',
  name: 'laptop',
  scope: ['newOrder', 'getOrders'],
  strategyIds: [id('strategy-1'), id('strategy-2')],
  limits: { maxNotionalPerDay: decimal('0.100000000000000001'), maxOrdersPerDay: 7 },
  digest: 'ab'.repeat(32),
  parentId: id('token-0'),
  createdAt: NOON,
  expiresAt: NOON + 86_400_000,
  renewedByUse: true,
  lastUsedAt: NOON + 5,
};

export const usersContract = (open: OpenStorage): void => {
  describe('users', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<User>(unitOfWork, ({ users }, user) => users.save(user));

    it('gives back every field', async () => {
      await save(everyFieldOfUser);
      expect(await unitOfWork.read(({ users }) => users.find(everyFieldOfUser.id))).toEqual(
        everyFieldOfUser,
      );
    });

    it('update their figures with every change of their things', async () => {
      const [ada, bob] = [id<'user'>('user-1'), id<'user'>('user-2')];
      const mine = aStrategy({ id: id('mine'), userId: ada });
      const other = aStrategy({ id: id('other'), userId: ada });
      const follows = (of: Strategy, changes: Partial<Subscription> = {}) =>
        aSubscription({ id: id(`of-${of.id}`), strategyId: of.id, userId: bob, ...changes });
      const like = (postId: string) => ({
        postId: id<'post'>(postId),
        userId: bob,
        createdAt: NOON,
      });
      const steps: [string, (stores: Stores) => Promise<unknown>, number[]][] = [
        ['nothing', async () => undefined, [0, 0, 0, 0, 0]],
        ['a strategy', ({ strategies }) => strategies.save(mine), [1, 1, 0, 0, 0]],
        ['a private one', (s) => s.strategies.save({ ...other, private: true }), [2, 1, 0, 0, 0]],
        ['the same again', ({ strategies }) => strategies.save(mine), [2, 1, 0, 0, 0]],
        ['a follower', (s) => s.subscriptions.save(follows(mine)), [2, 1, 1, 0, 0]],
        [
          'past due',
          (s) => s.subscriptions.save(follows(mine, { status: 'past_due' })),
          [2, 1, 1, 0, 0],
        ],
        ['one of the private one', (s) => s.subscriptions.save(follows(other)), [2, 1, 1, 0, 0]],
        ['it becomes public', ({ strategies }) => strategies.save(other), [2, 2, 2, 0, 0]],
        [
          'the first one private',
          (s) => s.strategies.save({ ...mine, private: true }),
          [2, 1, 1, 0, 0],
        ],
        [
          'its follower goes',
          (s) => s.subscriptions.save(follows(mine, { status: 'cancelled' })),
          [2, 1, 1, 0, 0],
        ],
        ['public again', ({ strategies }) => strategies.save(mine), [2, 2, 1, 0, 0]],
        [
          'one is deleted',
          (s) => s.strategies.save({ ...other, deletedAt: NOON }),
          [1, 1, 0, 0, 0],
        ],
        [
          'its follower goes',
          (s) => s.subscriptions.save(follows(other, { status: 'cancelled' })),
          [1, 1, 0, 0, 0],
        ],
        [
          'one that is pending',
          (s) => s.subscriptions.save(follows(mine, { id: id('again'), status: 'pending' })),
          [1, 1, 0, 0, 0],
        ],
        [
          'and active',
          (s) => s.subscriptions.save(follows(mine, { id: id('again') })),
          [1, 1, 1, 0, 0],
        ],
        ['a post', ({ posts }) => posts.save(aPost({ id: id('a'), userId: ada })), [1, 1, 1, 1, 0]],
        ['a like', ({ likes }) => likes.save(like('a')), [1, 1, 1, 1, 1]],
        ['the like again', ({ likes }) => likes.save(like('a')), [1, 1, 1, 1, 1]],
        [
          'another post',
          ({ posts }) => posts.save(aPost({ id: id('b'), userId: ada })),
          [1, 1, 1, 2, 1],
        ],
        ['a like of it', ({ likes }) => likes.save(like('b')), [1, 1, 1, 2, 2]],
        ['a like less', ({ likes }) => likes.remove(id('b'), bob), [1, 1, 1, 2, 1]],
        ['a post less', ({ posts }) => posts.remove(id('a')), [1, 1, 1, 1, 0]],
      ];
      for (const [step, change, expected] of steps) {
        await unitOfWork.run(change);
        const found = (await unitOfWork.read(({ users }) => users.figures([bob, ada]))).get(ada);
        const {
          strategies = 0,
          publicStrategies = 0,
          subscribers = 0,
          posts = 0,
          likes = 0,
        } = found ?? {};
        expect([step, strategies, publicStrategies, subscribers, posts, likes]).toEqual([
          step,
          ...expected,
        ]);
      }
    });

    it('count the stored bytes of their data with every change', async () => {
      const ada = id<'user'>('user-1');
      const text = 'é'.repeat(1_000);
      const alert = anAlertRecord({ userId: ada, body: text });
      const answer = { name: 'a', bodyMac: 'm', createdAt: NOON };
      const strategy = aStrategy({ userId: ada, description: 'x' });
      const steps: [string, (stores: Stores) => Promise<unknown>, number][] = [
        ['nothing', async () => undefined, 0],
        ['an alert', ({ alerts }) => alerts.add(alert), 3_024],
        ['what became of it', ({ alerts }) => alerts.save({ ...alert, reason: text }), 3_024],
        ['without its body', ({ alerts }) => alerts.save({ ...alert, body: null }), 1_024],
        ['with it', ({ alerts }) => alerts.save(alert), 3_024],
        [
          'a post',
          ({ posts }) => posts.save(aPost({ id: id('a'), userId: ada, text: '12' })),
          4_050,
        ],
        ['a strategy', ({ strategies }) => strategies.save(strategy), 5_075],
        ['described', (s) => s.strategies.save({ ...strategy, description: '1234' }), 5_078],
        ['deleted', (s) => s.strategies.save({ ...strategy, deletedAt: NOON }), 5_075],
        [
          'what was done under a key',
          (s) => s.keptAnswers.save({ ...answer, userId: ada, sealedAnswer: null }),
          6_099,
        ],
        [
          'its answer',
          (s) => s.keptAnswers.save({ ...answer, userId: ada, sealedAnswer: '12345' }),
          6_104,
        ],
        [
          "somebody else's",
          (s) => s.alerts.add({ ...alert, id: id('other'), userId: id('user-2') }),
          6_104,
        ],
        [
          "nobody's",
          (s) => s.keptAnswers.save({ ...answer, userId: null, sealedAnswer: null }),
          5_075,
        ],
        ['the answer gone', ({ keptAnswers }) => keptAnswers.remove(['a']), 5_075],
        ['the post gone', ({ posts }) => posts.remove(id('a')), 4_049],
        ['the alert gone', ({ alerts }) => alerts.remove([alert.id]), 1_025],
      ];
      for (const [step, change, expected] of steps) {
        await unitOfWork.run(change);
        const stored = await unitOfWork.read(({ users }) => users.stored(ada));
        expect([step, stored]).toEqual([step, expected]);
      }
      const refused = unitOfWork.run(async (stores) => {
        await stores.alerts.add(alert);
        throw new Error('no');
      });
      await expect(refused).rejects.toThrow('no');
      expect(await unitOfWork.read(({ users }) => users.stored(ada))).toBe(1_025);
    });

    it('answers undefined for a user that does not exist', async () => {
      expect(await unitOfWork.read(({ users }) => users.find(id('nobody')))).toBeUndefined();
      expect(await unitOfWork.read(({ users }) => users.findByEmail('nobody'))).toBeUndefined();
    });

    it('replaces a user by id', async () => {
      await save(aUser({ commission: 20 }), aUser({ commission: 10, email: 'new@example.com' }));
      const found = await unitOfWork.read(({ users }) => users.find(id('user-1')));
      expect(found).toEqual(aUser({ commission: 10, email: 'new@example.com' }));
      expect(
        await unitOfWork.read(({ users }) => users.findByEmail('user-1@example.com')),
      ).toBeUndefined();
    });

    it('finds by e-mail address', async () => {
      await save(aUser({ id: id('user-1') }), aUser({ id: id('user-2') }));
      const found = await unitOfWork.read(({ users }) => users.findByEmail('user-2@example.com'));
      expect(found?.id).toBe('user-2');
    });

    it('finds by the key of the name, and tells names', async () => {
      await save(
        aUser({ id: id('user-1'), name: 'Ada', nameKey: 'ada' }),
        aUser({ id: id('user-2') }),
      );
      await unitOfWork.read(async ({ users }) => {
        expect((await users.findByName('ada'))?.id).toBe('user-1');
        expect(await users.findByName('Ada')).toBeUndefined();
        const names = await users.names([id('user-2'), id('user-1'), id('nobody')]);
        expect([...names]).toEqual([['user-1', 'Ada']]);
        expect([...(await users.names([]))]).toEqual([]);
      });
    });

    it('refuses a name that another user has, until they drop it', async () => {
      await save(aUser({ id: id('user-1'), name: 'Ada', nameKey: 'ada' }));
      const second = aUser({ id: id('user-2'), name: 'ADA', nameKey: 'ada' });
      await expect(save(second)).rejects.toThrow();
      await save(aUser({ id: id('user-1') }), second);
      const found = await unitOfWork.read(({ users }) => users.findByName('ada'));
      expect(found?.id).toBe('user-2');
    });

    it('lists users whose confirmation is due, earliest first, at most the limit', async () => {
      await save(
        aUser({ id: id('user-1'), confirmBy: NOON }),
        aUser({ id: id('user-2'), confirmBy: NOON + 1 }),
        aUser({ id: id('user-3') }),
        aUser({ id: id('user-5'), confirmBy: NOON - 1 }),
        aUser({ id: id('user-4'), confirmBy: NOON - 1 }),
      );
      const due = (limit: number) =>
        unitOfWork.read(async ({ users }) => idsOf(await users.toConfirmBy(NOON, limit)));
      expect(await due(9)).toEqual(['user-4', 'user-5', 'user-1']);
      expect(await due(1)).toEqual(['user-4']);
    });

    it('lists all that are not deleted page by page, newest first, ties by the later id', async () => {
      await save(
        aUser({ id: id('user-1'), createdAt: NOON + 1 }),
        aUser({ id: id('user-2') }),
        aUser({ id: id('user-3') }),
        aUser({ id: id('user-4'), createdAt: NOON + 2, deletedAt: NOON + 3 }),
      );
      const page = (limit: number, cursor?: string) =>
        unitOfWork.read(async ({ users }) => idsOf(await users.page({ limit, cursor })));
      expect(await page(9)).toEqual(['user-1', 'user-3', 'user-2']);
      expect(await page(1)).toEqual(['user-1']);
      expect(await page(9, 'user-3')).toEqual(['user-2']);
      expect(await page(9, 'user-4')).toEqual(['user-1', 'user-3', 'user-2']);
      expect(await page(9, 'nobody')).toEqual([]);
    });

    it('finds those whose address or name starts with a text, each once, at most the limit', async () => {
      await save(
        aUser({ id: id('user-1'), email: 'bob@example.com', name: 'Ada', nameKey: 'ada' }),
        aUser({ id: id('user-2'), email: 'adam@example.com' }),
        aUser({ id: id('user-3'), email: 'ada@example.com', name: 'Adam', nameKey: 'adam' }),
        aUser({ id: id('user-4'), email: 'adz@example.com', deletedAt: NOON }),
        aUser({ id: id('user-5'), email: 'za@example.com', name: 'Zoë', nameKey: 'zoë' }),
      );
      const found = (text: string, limit = 9) =>
        unitOfWork.read(async ({ users }) =>
          idsOf(await users.startingWith({ email: text, nameKey: text }, limit)),
        );
      expect(await found('ad')).toEqual(['user-3', 'user-2', 'user-1']);
      expect(await found('ad', 2)).toEqual(['user-3', 'user-2']);
      expect(await found('adam@')).toEqual(['user-2']);
      expect(await found('zo')).toEqual(['user-5']);
      expect(await found('da')).toEqual([]);
      expect(await found('')).toEqual([]);
    });

    it('refuses an e-mail address that another user has', async () => {
      await save(aUser({ id: id('user-1'), email: 'a@example.com' }));
      await expect(save(aUser({ id: id('user-2'), email: 'a@example.com' }))).rejects.toThrow();
    });

    it('lists users in the requested order, each once, without those that do not exist', async () => {
      await save(aUser({ id: id('user-1') }), aUser({ id: id('user-2') }));
      const list = await unitOfWork.read(({ users }) =>
        users.list([id('user-2'), id('nobody'), id('user-1'), id('user-2')]),
      );
      expect(idsOf(list)).toEqual(['user-2', 'user-1']);
      expect(await unitOfWork.read(({ users }) => users.list([]))).toEqual([]);
    });
  });

  describe('tokens', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Token>(unitOfWork, ({ tokens }, token) => tokens.save(token));

    it('gives back every field, by id and by digest', async () => {
      await save(everyFieldOfToken);
      const [byId, byDigest] = await unitOfWork.read(async ({ tokens }) => [
        await tokens.find(everyFieldOfToken.id),
        await tokens.findByDigest(everyFieldOfToken.digest),
      ]);
      expect(byId).toEqual(everyFieldOfToken);
      expect(byDigest).toEqual(everyFieldOfToken);
    });

    it('keeps a token that is bound to no strategy apart from one bound to none at all', async () => {
      await save(aToken({ id: id('free') }), aToken({ id: id('useless'), strategyIds: [] }));
      const found = await unitOfWork.read(async ({ tokens }) => [
        (await tokens.find(id('free')))?.strategyIds,
        (await tokens.find(id('useless')))?.strategyIds,
      ]);
      expect(found).toEqual([null, []]);
    });

    it('finds each token by its own digest', async () => {
      const names = ['token-2', 'token-1', 'token-3'];
      await save(...names.map((name) => aToken({ id: id(name), digest: `digest ${name}` })));
      const byDigest = async (name: string) =>
        (await unitOfWork.read(({ tokens }) => tokens.findByDigest(`digest ${name}`)))?.id;
      for (const name of names) expect(await byDigest(name)).toBe(name);
      expect(await byDigest('none')).toBeUndefined();
    });

    it('refuses a digest that another token has', async () => {
      await save(aToken({ id: id('token-1'), digest: 'same' }));
      await expect(save(aToken({ id: id('token-2'), digest: 'same' }))).rejects.toThrow();
    });

    it('lists those of a user, newest first, ties by the later id', async () => {
      await save(
        aToken({ id: id('token-1'), createdAt: NOON + 1 }),
        aToken({ id: id('token-2') }),
        aToken({ id: id('token-3') }),
        aToken({ id: id('token-4'), userId: id('user-2') }),
      );
      const list = await unitOfWork.read(({ tokens }) => tokens.listOf(id('user-1')));
      expect(idsOf(list)).toEqual(['token-1', 'token-3', 'token-2']);
    });

    it('records the use of a token by id and by digest; an unknown one changes nothing', async () => {
      const token = aToken({ expiresAt: NOON + 9, renewedByUse: true });
      await save(token);
      await unitOfWork.read(({ tokens }) => tokens.findByDigest(token.digest));
      await unitOfWork.run(async ({ tokens }) => {
        await tokens.used(token.id, NOON + 60_000, NOON + 99);
        await tokens.used(id('token-9'), NOON, null);
      });
      const used = { ...token, lastUsedAt: NOON + 60_000, expiresAt: NOON + 99 };
      const found = await unitOfWork.read(async ({ tokens }) => [
        await tokens.find(token.id),
        await tokens.findByDigest(token.digest),
        await tokens.find(id('token-9')),
      ]);
      expect(found).toEqual([used, used, undefined]);
    });

    it('lists expired tokens, longest expired first, at most the limit', async () => {
      await save(
        aToken({ id: id('token-1'), expiresAt: NOON }),
        aToken({ id: id('token-2'), expiresAt: NOON + 1 }),
        aToken({ id: id('token-3'), expiresAt: null }),
        aToken({ id: id('token-5'), expiresAt: NOON - 1 }),
        aToken({ id: id('token-4'), expiresAt: NOON - 1 }),
      );
      const expired = (limit: number) =>
        unitOfWork.read(({ tokens }) => tokens.expired(NOON, limit));
      expect(await expired(9)).toEqual(['token-4', 'token-5', 'token-1']);
      expect(await expired(2)).toEqual(['token-4', 'token-5']);
    });

    it('no longer finds a removed token; removing an unknown one changes nothing', async () => {
      await save(aToken());
      await unitOfWork.run(async ({ tokens }) => {
        await tokens.remove(id('token-1'));
        await tokens.remove(id('token-9'));
      });
      expect(
        await unitOfWork.read(({ tokens }) => tokens.findByDigest('digest of token-1')),
      ).toBeUndefined();
    });
  });
};
