import { type Delivery, type EndpointId, id } from '@slipstream/domain';
import { NOON, aDelivery } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';
import { describe, expect, it } from '../testing.js';

const OVER = { status: 'delivered', nextAt: null } as const;

export const deliveriesContract = (open: OpenStorage): void => {
  describe('deliveries', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Delivery>(unitOfWork, ({ deliveries }, one) => deliveries.save(one));
    const named = (name: string, overrides: Partial<Delivery> = {}): Delivery =>
      aDelivery({ id: id(name), ...overrides });
    const mine: EndpointId = id('endpoint-1');
    const others = { endpointId: id<'endpoint'>('endpoint-2') };

    it('gives back every field', async () => {
      const over = named('b', {
        status: 'failed',
        attempt: 9,
        responseStatus: 503,
        reason: 'it answered 503',
        nextAt: null,
      });
      await save(aDelivery(), over);
      const find = (name: string) =>
        unitOfWork.read(({ deliveries }) => deliveries.find(id<'delivery'>(name)));
      expect([await find('delivery-1'), await find('b')]).toEqual([aDelivery(), over]);
      expect(await find('none')).toBeUndefined();
    });

    it('pages those of an endpoint, newest first', async () => {
      await save(named('a'), named('b'), named('c', { createdAt: NOON + 1 }), named('x', others));
      const page = async (cursor?: string) =>
        idsOf(
          await unitOfWork.read(({ deliveries }) => deliveries.list(mine, { limit: 2, cursor })),
        );
      expect(await page()).toEqual(['c', 'b']);
      expect(await page('b')).toEqual(['a']);
      expect(await page('x')).toEqual([]);
    });

    it('finds the first that was never tried in the order of events, whatever its age', async () => {
      await save(
        named('a', { place: 1, ...OVER }),
        named('b', { place: 3, createdAt: NOON - 9 }),
        named('c', { place: 2 }),
        named('d', { place: 1, ...others }),
      );
      const untried = async (endpointId: EndpointId) =>
        (await unitOfWork.read(({ deliveries }) => deliveries.untried(endpointId)))?.id;
      expect([await untried(mine), await untried(id('none'))]).toEqual(['c', undefined]);
    });

    it('finds the one that is tried again longest due', async () => {
      const retrying = { status: 'retrying', attempt: 1 } as const;
      await save(
        named('a', { ...retrying, nextAt: NOON }),
        named('b', { ...retrying, nextAt: NOON - 1 }),
        named('c', { ...retrying, nextAt: NOON - 1 }),
        named('d', { ...retrying, ...others, nextAt: NOON - 5 }),
        named('e', { nextAt: NOON - 9 }),
      );
      const retried = async (now: number) =>
        (await unitOfWork.read(({ deliveries }) => deliveries.retried(mine, now)))?.id;
      const found = [await retried(NOON), await retried(NOON - 1), await retried(NOON - 2)];
      expect(found).toEqual(['b', 'b', undefined]);
    });

    it('tells when the next one is due', async () => {
      const nextAt = () => unitOfWork.read(({ deliveries }) => deliveries.nextAt(mine));
      const retrying = { status: 'retrying', nextAt: NOON } as const;
      await save(named('x', others), named('y', { ...others, ...retrying }), named('a', OVER));
      expect(await nextAt()).toBeNull();
      await save(
        named('b', { status: 'retrying', nextAt: NOON + 9 }),
        named('c', { status: 'retrying', nextAt: NOON + 5 }),
      );
      expect(await nextAt()).toBe(NOON + 5);
      await save(named('d', { nextAt: NOON + 1 }));
      expect(await nextAt()).toBe(NOON + 1);
    });

    it('tells whether one of a later event was delivered', async () => {
      await save(
        named('a', { place: 5, ...OVER }),
        named('b', { place: 7 }),
        named('x', { place: 9, ...OVER, ...others }),
      );
      const after = (place: number) =>
        unitOfWork.read(({ deliveries }) => deliveries.isDeliveredAfter(mine, place));
      expect([await after(4), await after(5)]).toEqual([true, false]);
    });

    it('lists those of an endpoint and old ones, to remove them', async () => {
      await save(named('a', { createdAt: NOON - 1 }), named('b'), named('x', others));
      await unitOfWork.run(async ({ deliveries }) => {
        expect((await deliveries.ofEndpoint(mine, 9)).toSorted()).toEqual(['a', 'b']);
        expect(await deliveries.ofEndpoint(mine, 1)).toHaveLength(1);
        expect(await deliveries.expired(NOON, 9)).toEqual(['a']);
        expect(await deliveries.expired(NOON + 1, 2)).toEqual(['a', 'b']);
        await deliveries.remove([id('a'), id('b'), id('none')]);
        expect(await deliveries.expired(NOON + 1, 9)).toEqual(['x']);
      });
    });
  });
};
