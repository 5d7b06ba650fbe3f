import { describe, expect, it } from '../testing.js';
import {
  type StrategyId,
  type Subscription,
  type SubscriptionId,
  type UserId,
  decimal,
  id,
} from '@slipstream/domain';
import type { Page } from '@slipstream/ports';
import { NOON, aSubscription } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const everyField: Subscription = {
  id: id('subscription-1'),
  strategyId: id('strategy-1'),
  userId: id('user-2'),
  relation: 'subscriber',
  status: 'past_due',
  statusReason: 'the charge was declined',
  price: 30,
  inputValue: decimal('12345.678900000000000001'),
  inputDate: NOON - 1,
  inputMultiplier: decimal('9876.543210987654321'),
  renewsAt: NOON + 1,
  endsAt: NOON + 2,
  createdAt: NOON,
  updatedAt: NOON + 3,
};

export const subscriptionsContract = (open: OpenStorage): void => {
  describe('subscriptions', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Subscription>(unitOfWork, ({ subscriptions }, subscription) =>
      subscriptions.save(subscription),
    );
    const find = (subscriptionId: SubscriptionId) =>
      unitOfWork.read(({ subscriptions }) => subscriptions.find(subscriptionId));

    it('gives back every field, an unknown multiplier as null', async () => {
      const unknown = aSubscription({ id: id('subscription-2'), userId: id('user-3') });
      await save(everyField, unknown);
      expect(await find(everyField.id)).toEqual(everyField);
      expect(await find(unknown.id)).toEqual(unknown);
      expect(await find(id('none'))).toBeUndefined();
    });

    it.each([
      ['pending', true],
      ['active', true],
      ['past_due', true],
      ['cancelled', false],
    ] as const)('finds as current a %s one: %s', async (status, current) => {
      await save(aSubscription({ status }));
      const found = await unitOfWork.read(({ subscriptions }) =>
        subscriptions.findCurrent(id('strategy-1'), id('user-2')),
      );
      expect(found).toEqual(current ? aSubscription({ status }) : undefined);
    });

    it('finds the current one among cancelled ones, of that strategy and user only', async () => {
      await save(
        aSubscription({ id: id('s-1'), status: 'cancelled' }),
        aSubscription({ id: id('s-2') }),
        aSubscription({ id: id('s-3'), userId: id('user-3') }),
        aSubscription({ id: id('s-4'), strategyId: id('strategy-2') }),
      );
      const found = await unitOfWork.read(({ subscriptions }) =>
        subscriptions.findCurrent(id('strategy-1'), id('user-2')),
      );
      expect(found?.id).toBe('s-2');
    });

    it('refuses a second one that is not cancelled', async () => {
      await save(aSubscription({ id: id('s-1'), status: 'pending' }));
      await expect(save(aSubscription({ id: id('s-2') }))).rejects.toThrow();
      await save(
        aSubscription({ id: id('s-1'), status: 'cancelled' }),
        aSubscription({ id: id('s-2') }),
      );
      expect((await find(id('s-2')))?.status).toBe('active');
    });

    it('lists those of a user, newest first, cancelled ones too', async () => {
      await save(
        aSubscription({ id: id('s-1'), status: 'cancelled', createdAt: NOON - 1 }),
        aSubscription({ id: id('s-2') }),
        aSubscription({ id: id('s-3'), strategyId: id('strategy-2'), createdAt: NOON + 1 }),
        aSubscription({ id: id('s-4'), userId: id('user-3') }),
      );
      const ofUser = await unitOfWork.read(({ subscriptions }) =>
        subscriptions.listOfUser(id('user-2'), { limit: 9 }),
      );
      expect(idsOf(ofUser)).toEqual(['s-3', 's-2', 's-1']);
    });

    it('pages through the subscriptions of a strategy that are not cancelled, by user', async () => {
      await save(
        aSubscription({ id: id('s-1'), userId: id('user-4'), status: 'past_due' }),
        aSubscription({ id: id('s-2'), userId: id('user-2'), relation: 'owner' }),
        aSubscription({ id: id('s-3'), userId: id('user-3'), status: 'cancelled' }),
        aSubscription({ id: id('s-4'), userId: id('user-5'), strategyId: id('strategy-2') }),
        aSubscription({ id: id('s-5'), userId: id('user-1'), status: 'pending' }),
      );
      const next = async (after: UserId | null) =>
        idsOf(
          await unitOfWork.read(({ subscriptions }) =>
            subscriptions.currentOf(id('strategy-1'), { after, limit: 2 }),
          ),
        );
      expect(await next(null)).toEqual(['s-5', 's-2']);
      expect(await next(id('user-2'))).toEqual(['s-1']);
      expect(await next(id('user-4'))).toEqual([]);
    });

    it('pages those of a user, also of some strategies', async () => {
      await save(
        aSubscription({ id: id('s-1'), status: 'cancelled', createdAt: NOON - 1 }),
        aSubscription({ id: id('s-2') }),
        aSubscription({ id: id('s-3'), strategyId: id('strategy-2'), createdAt: NOON + 1 }),
        aSubscription({ id: id('s-4'), userId: id('user-3') }),
      );
      const list = async (page: Page, ...strategyIds: StrategyId[]) =>
        idsOf(
          await unitOfWork.read(({ subscriptions }) =>
            strategyIds.length === 0
              ? subscriptions.listOfUser(id('user-2'), page)
              : subscriptions.listOfUser(id('user-2'), page, strategyIds),
          ),
        );
      expect(await list({ limit: 2 })).toEqual(['s-3', 's-2']);
      expect(await list({ limit: 2, cursor: 's-2' })).toEqual(['s-1']);
      expect(await list({ limit: 2, cursor: 's-4' })).toEqual([]);
      expect(await list({ limit: 1 }, id('strategy-1'))).toEqual(['s-2']);
      expect(await list({ limit: 9, cursor: 's-2' }, id('strategy-1'))).toEqual(['s-1']);
      expect(await list({ limit: 9, cursor: 's-4' }, id('strategy-1'))).toEqual([]);
    });

    it('lists the owners that a user follows: without cancelled and own subscriptions, by id', async () => {
      const of = (place: number) => ({
        id: id<'subscription'>(`s-${place}`),
        strategyId: id<'strategy'>(`strategy-${place}`),
      });
      await save(
        aSubscription({ ...of(3), status: 'pending' }),
        aSubscription({ ...of(1), status: 'cancelled' }),
        aSubscription({ ...of(2), relation: 'owner' }),
        aSubscription(of(4)),
        aSubscription({ ...of(5), userId: id('user-3') }),
      );
      const found = await unitOfWork.read(({ subscriptions }) =>
        subscriptions.following(id('user-2')),
      );
      expect(idsOf(found)).toEqual(['s-3', 's-4']);
    });

    it('counts active and past due subscribers without the owner; a strategy without any is absent', async () => {
      await save(
        aSubscription({ id: id('s-1'), userId: id('user-1'), relation: 'owner' }),
        aSubscription({ id: id('s-2'), userId: id('user-2') }),
        aSubscription({ id: id('s-3'), userId: id('user-3'), status: 'past_due' }),
        aSubscription({ id: id('s-4'), userId: id('user-4'), status: 'pending' }),
        aSubscription({ id: id('s-5'), userId: id('user-5'), status: 'cancelled' }),
        aSubscription({ id: id('s-6'), strategyId: id('strategy-2') }),
        aSubscription({ id: id('s-7'), strategyId: id('strategy-3'), relation: 'owner' }),
      );
      const counts = await unitOfWork.read(({ subscriptions }) =>
        subscriptions.countSubscribers([id('strategy-1'), id('strategy-3'), id('strategy-1')]),
      );
      expect([...counts]).toEqual([['strategy-1', 2]]);
    });

    it('finds when the subscribers of a strategy came and left, oldest first, without the owner and those who never counted', async () => {
      await save(
        aSubscription({
          id: id('s-1'),
          userId: id('user-1'),
          createdAt: NOON + 1,
          relation: 'owner',
        }),
        aSubscription({ id: id('s-2'), createdAt: NOON + 1 }),
        aSubscription({
          id: id('s-3'),
          userId: id('user-3'),
          createdAt: NOON + 2,
          status: 'past_due',
        }),
        aSubscription({ id: id('s-4'), userId: id('user-4'), createdAt: NOON }),
        aSubscription({
          id: id('s-5'),
          userId: id('user-5'),
          createdAt: NOON + 1,
          status: 'pending',
        }),
        aSubscription({
          id: id('s-6'),
          userId: id('user-6'),
          status: 'cancelled',
          endsAt: NOON + 1,
        }),
        aSubscription({ id: id('s-7'), userId: id('user-7'), status: 'cancelled', endsAt: NOON }),
        aSubscription({ id: id('s-8'), userId: id('user-8'), status: 'cancelled' }),
        aSubscription({
          id: id('s-9'),
          strategyId: id('strategy-2'),
          status: 'cancelled',
          endsAt: NOON + 1,
        }),
      );
      const found = await unitOfWork.read(({ subscriptions }) =>
        subscriptions.memberships(
          ['strategy-1', 'strategy-2', 'strategy-3'].map((name) => id<'strategy'>(name)),
        ),
      );
      expect([...found].toSorted(([one], [other]) => (one < other ? -1 : 1))).toEqual([
        [
          'strategy-1',
          [
            { since: NOON, until: null },
            { since: NOON, until: NOON + 1 },
            { since: NOON, until: NOON },
            { since: NOON + 1, until: null },
            { since: NOON + 2, until: null },
          ],
        ],
        ['strategy-2', [{ since: NOON, until: NOON + 1 }]],
      ]);
    });

    it('counts for thousands of strategies at once', async () => {
      await save(aSubscription());
      const asked = Array.from({ length: 40_000 }, (_, n) => id<'strategy'>(`strategy-${n}`));
      const counts = await unitOfWork.read(({ subscriptions }) =>
        subscriptions.countSubscribers(asked),
      );
      expect([...counts]).toEqual([['strategy-1', 1]]);
    });
  });
};
