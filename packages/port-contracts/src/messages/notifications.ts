import { describe, expect, it } from '../testing.js';
import { type Notification, id } from '@slipstream/domain';
import { NOON, aNotification } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const everyField: Notification = {
  id: id('notification-1'),
  userId: id('user-1'),
  type: 'subscription_email',
  text: 'Zoë subscribed 🚀',
  strategyId: id('strategy-1'),
  botId: id('bot-1'),
  postId: id('post-1'),
  actorId: id('user-2'),
  createdAt: NOON,
  readAt: NOON + 1,
};

export const notificationsContract = (open: OpenStorage): void => {
  describe('notifications', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Notification>(unitOfWork, ({ notifications }, notification) =>
      notifications.save(notification),
    );

    it('gives back every field', async () => {
      await save(everyField);
      const [found] = await unitOfWork.read(({ notifications }) =>
        notifications.find(everyField.userId, [everyField.id]),
      );
      expect(found).toEqual(everyField);
    });

    it('finds those of the user only, in the order asked for', async () => {
      await save(
        aNotification({ id: id('a') }),
        aNotification({ id: id('b') }),
        aNotification({ id: id('c'), userId: id('user-2') }),
      );
      const found = await unitOfWork.read(({ notifications }) =>
        notifications.find(id('user-1'), [id('b'), id('c'), id('none'), id('a'), id('b')]),
      );
      expect(idsOf(found)).toEqual(['b', 'a']);
    });

    it('lists newest first, ties by the later id, page by page', async () => {
      await save(
        aNotification({ id: id('a'), createdAt: NOON + 1 }),
        aNotification({ id: id('b') }),
        aNotification({ id: id('c') }),
        aNotification({ id: id('d'), userId: id('user-2') }),
      );
      const list = (cursor?: string) =>
        unitOfWork.read(({ notifications }) =>
          notifications.list(id('user-1'), { limit: 2, cursor }),
        );
      expect(idsOf(await list())).toEqual(['a', 'c']);
      expect(idsOf(await list('c'))).toEqual(['b']);
      expect(await list('d')).toEqual([]);
      expect(await list('none')).toEqual([]);
    });

    it('lists unread notifications, newest first', async () => {
      await save(
        aNotification({ id: id('a') }),
        aNotification({ id: id('b'), createdAt: NOON + 1 }),
        aNotification({ id: id('c'), readAt: NOON }),
        aNotification({ id: id('d'), userId: id('user-2') }),
      );
      await save(aNotification({ id: id('a'), readAt: NOON + 2 }));
      const unread = await unitOfWork.read(({ notifications }) =>
        notifications.unread(id('user-1')),
      );
      expect(idsOf(unread)).toEqual(['b']);
    });

    it.each([
      ['the same', {}, true],
      ['of another user', { userId: id('user-3') }, false],
      ['of another type', { type: 'subscription' }, false],
      ['by another actor', { actorId: id('user-3') }, false],
      ['by nobody', { actorId: null }, false],
      ['about another strategy', { strategyId: id('strategy-2') }, false],
      ['about none', { strategyId: null }, false],
      ['as long ago as asked', { createdAt: NOON - 1000 }, false],
      ['just after that', { createdAt: NOON - 999 }, true],
    ] as const)('tells whether a user was notified: %s', async (_, difference, wasNotified) => {
      const told = { actorId: id<'user'>('user-2'), strategyId: id<'strategy'>('strategy-1') };
      await save(aNotification({ ...told, ...(difference as Partial<Notification>) }));
      const answer = await unitOfWork.read(({ notifications }) =>
        notifications.wasNotified({ userId: id('user-1'), type: 'like', ...told }, NOON - 1000),
      );
      expect(answer).toBe(wasNotified);
    });

    it("removes a user's notifications older than the newest, a few at a time", async () => {
      await save(
        ...['a', 'b', 'c', 'd', 'e'].map((name, index) =>
          aNotification({ id: id(name), createdAt: NOON + index }),
        ),
        aNotification({ id: id('other'), userId: id('user-2') }),
      );
      const owner = id<'user'>('user-1');
      const beyond = (keep: number, limit: number) =>
        unitOfWork.read(({ notifications }) => notifications.beyond(owner, keep, limit));
      expect(await beyond(5, 9)).toEqual([]);
      expect(await beyond(2, 9)).toEqual(['c', 'b', 'a']);
      expect(await beyond(2, 2)).toEqual(['c', 'b']);
      await unitOfWork.run(({ notifications }) =>
        notifications.remove(owner, [id('c'), id('b'), id('other'), id('none')]),
      );
      expect(await beyond(0, 9)).toEqual(['e', 'd', 'a']);
      await unitOfWork.run(({ notifications }) => notifications.remove(owner, []));
      expect(await beyond(0, 9)).toEqual(['e', 'd', 'a']);
      const others = await unitOfWork.read(({ notifications }) =>
        notifications.unread(id('user-2')),
      );
      expect(idsOf(others)).toEqual(['other']);
    });

    it('removes all notifications of a user and none of another', async () => {
      await save(
        aNotification({ id: id('a') }),
        aNotification({ id: id('b'), userId: id('user-2') }),
      );
      await unitOfWork.run(({ notifications }) => notifications.remove(id('user-1')));
      const left = await unitOfWork.read(async ({ notifications }) => [
        ...(await notifications.unread(id('user-1'))),
        ...(await notifications.unread(id('user-2'))),
      ]);
      expect(idsOf(left)).toEqual(['b']);
    });
  });
};
