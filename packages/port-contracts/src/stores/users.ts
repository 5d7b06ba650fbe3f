import { describe, expect, it } from '@jest/globals';
import { type Token, type User, id } from '@slipstream/domain';
import { NOON, aToken, aUser } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage.js';

const everyFieldOfUser: User = {
  id: id('user-1'),
  email: 'ada@example.com',
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

    it('refuses an e-mail address that another user has', async () => {
      await save(aUser({ id: id('user-1'), email: 'a@example.com' }));
      await expect(save(aUser({ id: id('user-2'), email: 'a@example.com' }))).rejects.toThrow();
    });

    it('lists in the order asked for, each once, without those that do not exist', async () => {
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

    it('notes a use, by id and by digest, and of an unknown one nothing', async () => {
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

    it('lists those that have expired, longest ended first, at most as many as asked', async () => {
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

    it('knows a removed one no more, and removes an unknown one without a word', async () => {
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
