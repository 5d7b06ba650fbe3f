import { type EndpointEvent, decimal, id } from '@slipstream/domain';
import { NOON, anEndpointEvent } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';
import { describe, expect, it } from '../testing.js';

export const endpointEventsContract = (open: OpenStorage): void => {
  describe('events for endpoints', () => {
    const unitOfWork = emptyBeforeEach(open);
    const add = saveAll<EndpointEvent>(unitOfWork, ({ endpointEvents }, one) =>
      endpointEvents.add(one),
    );
    const named = (name: string, overrides: Partial<EndpointEvent> = {}): EndpointEvent =>
      anEndpointEvent({ id: id(name), ...overrides });
    const unaddressed = (limit = 9) =>
      unitOfWork.read(({ endpointEvents }) => endpointEvents.unaddressed(limit));

    it('gives back every field, and is added once', async () => {
      const full = named('b', {
        userId: id('user-1'),
        strategyId: null,
        moved: { from: decimal('1.1'), to: decimal('0.000000000000000001') },
      });
      await add(anEndpointEvent(), full);
      const find = (name: string) =>
        unitOfWork.read(({ endpointEvents }) => endpointEvents.find(id<'endpoint_event'>(name)));
      expect([await find('event-1'), await find('b')]).toEqual([anEndpointEvent(), full]);
      expect(await find('none')).toBeUndefined();
      await expect(add(full)).rejects.toThrow();
    });

    it('waits in the order of adding until all endpoints are addressed', async () => {
      await add(named('c', { createdAt: NOON + 9 }), named('a'), named('b'));
      const waiting = async () =>
        (await unaddressed()).map((event) => [event.id, event.addressedTo]);
      expect(await waiting()).toEqual([
        ['c', null],
        ['a', null],
        ['b', null],
      ]);
      expect(idsOf(await unaddressed(1))).toEqual(['c']);
      await unitOfWork.run(async ({ endpointEvents }) => {
        await endpointEvents.addressed(id('c'), null);
        await endpointEvents.addressed(id('a'), id('endpoint-7'));
      });
      expect(await waiting()).toEqual([
        ['a', 'endpoint-7'],
        ['b', null],
      ]);
      const [first, second] = (await unaddressed()).map(({ place }) => place);
      expect(first).toBeLessThan(second ?? 0);
    });

    it('lists those of a user alone, and old ones, to remove them', async () => {
      const userId = id<'user'>('user-1');
      await add(
        named('a', { userId }),
        named('b', { createdAt: NOON - 2 }),
        named('c'),
        named('d', { userId }),
        named('e', { userId: id('user-2') }),
      );
      await unitOfWork.run(async ({ endpointEvents }) => {
        expect((await endpointEvents.ofUser(userId, 9)).toSorted()).toEqual(['a', 'd']);
        expect(await endpointEvents.ofUser(userId, 1)).toHaveLength(1);
        expect(await endpointEvents.expired(NOON - 2, 9)).toEqual([]);
        expect(await endpointEvents.expired(NOON - 1, 9)).toEqual(['b']);
        expect(await endpointEvents.expired(NOON, 9)).toEqual(['b']);
        expect(await endpointEvents.expired(NOON + 1, 1)).toEqual(['b']);
        await endpointEvents.remove(['a', 'b', 'd', 'e', 'none'].map((name) => id(name)));
      });
      expect(idsOf(await unaddressed())).toEqual(['c']);
    });
  });
};
