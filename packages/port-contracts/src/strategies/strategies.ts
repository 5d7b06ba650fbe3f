import { describe, expect, it } from '../testing.js';
import { type Strategy, decimal, id } from '@slipstream/domain';
import { NOON, aStrategy } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

const everyField: Strategy = {
  id: id('strategy-1'),
  productId: 'product-1',
  userId: id('user-1'),
  type: 'cryptocurrency',
  private: true,
  name: 'Früh',
  description: 'two\nlines',
  categories: ['swing', 'large, caps'],
  price: 25,
  invitedUserIds: [id('user-2'), id('user-3')],
  createdAt: NOON,
  updatedAt: NOON + 1,
  belowZeroFor: 61_000,
  endedAt: NOON + 1,
  deletedAt: NOON + 2,
  endUnderWay: { after: id('user-2') },
  alertWatch: 24,
  alertDueAt: NOON + 5,
  claimed: { start: NOON - 9, end: NOON - 8, importedAt: NOON - 1 },
  ownerTrades: { share: decimal('0.900000000000000001'), since: NOON - 2, bots: 2, at: NOON },
  segments: [
    {
      kind: 'simulated',
      reason: 'created',
      startedAt: NOON,
      startValue: decimal('1'),
      jump: null,
      end: { at: NOON + 1, value: decimal('1.2'), maxDrawdown: decimal('0.05') },
    },
    {
      kind: 'live',
      reason: 'market',
      startedAt: NOON + 2,
      startValue: decimal('1.1'),
      jump: decimal('-0.1'),
      end: { at: NOON + 3, value: decimal('0'), maxDrawdown: decimal('1') },
    },
  ],
  segmentOpening: { kind: 'live', reason: 'gap', openedAt: NOON + 4 },
};

export const strategiesContract = (open: OpenStorage): void => {
  describe('strategies', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Strategy>(unitOfWork, ({ strategies }, strategy) =>
      strategies.save(strategy),
    );

    it('gives back every field, of a deleted one too', async () => {
      await save(everyField);
      expect(await unitOfWork.read(({ strategies }) => strategies.find(everyField.id))).toEqual(
        everyField,
      );
    });

    it('answers undefined for one that does not exist', async () => {
      expect(
        await unitOfWork.read(({ strategies }) => strategies.find(id('none'))),
      ).toBeUndefined();
    });

    it('replaces by id', async () => {
      await save(aStrategy(), aStrategy({ name: 'Steadier', categories: ['new'] }));
      expect(await unitOfWork.read(({ strategies }) => strategies.find(id('strategy-1')))).toEqual(
        aStrategy({ name: 'Steadier', categories: ['new'] }),
      );
    });

    it('lists in the order asked for, each once, deleted ones too', async () => {
      await save(aStrategy({ id: id('a'), deletedAt: NOON }), aStrategy({ id: id('b') }));
      const list = await unitOfWork.read(({ strategies }) =>
        strategies.list([id('b'), id('none'), id('a'), id('b')]),
      );
      expect(idsOf(list)).toEqual(['b', 'a']);
    });

    it('lists strategies that are not deleted as live, by id', async () => {
      await save(
        aStrategy({ id: id('b') }),
        aStrategy({ id: id('c'), deletedAt: NOON }),
        aStrategy({ id: id('a'), private: true }),
      );
      expect(idsOf(await unitOfWork.read(({ strategies }) => strategies.live()))).toEqual([
        'a',
        'b',
      ]);
    });

    it('finds strategies that are at or below zero or have ended, and are not deleted, by id', async () => {
      await save(
        aStrategy({ id: id('d'), endedAt: NOON }),
        aStrategy({ id: id('c'), belowZeroFor: 1, deletedAt: NOON }),
        aStrategy({ id: id('b') }),
        aStrategy({ id: id('a'), belowZeroFor: 1 }),
      );
      const found = await unitOfWork.read(({ strategies }) => strategies.belowZero());
      expect(idsOf(found)).toEqual(['a', 'd']);
    });

    it('finds strategies whose end is not completed, deleted ones too, by id', async () => {
      await save(
        aStrategy({ id: id('c'), deletedAt: NOON, endUnderWay: { after: null } }),
        aStrategy({ id: id('b'), deletedAt: NOON }),
        aStrategy({ id: id('a'), endedAt: NOON, endUnderWay: { after: id('user-2') } }),
      );
      const endsUnderWay = async () =>
        idsOf(await unitOfWork.read(({ strategies }) => strategies.endsUnderWay()));
      expect(await endsUnderWay()).toEqual(['a', 'c']);
      await save(aStrategy({ id: id('c'), deletedAt: NOON }));
      expect(await endsUnderWay()).toEqual(['a']);
    });

    it('finds strategies whose alerts are due, deleted ones too, longest due first, ties by id', async () => {
      await save(
        aStrategy({ id: id('d'), alertWatch: 1, alertDueAt: NOON }),
        aStrategy({ id: id('c'), alertWatch: 1, alertDueAt: NOON - 1, deletedAt: NOON }),
        aStrategy({ id: id('b'), alertWatch: 1, alertDueAt: NOON }),
        aStrategy({ id: id('later'), alertWatch: 1, alertDueAt: NOON + 1 }),
        aStrategy({ id: id('told'), alertWatch: 1, alertDueAt: null }),
      );
      const due = async (limit: number) =>
        idsOf(await unitOfWork.read(({ strategies }) => strategies.alertsDue(NOON, limit)));
      expect(await due(2)).toEqual(['c', 'b']);
      await save(aStrategy({ id: id('c') }));
      expect(await due(9)).toEqual(['b', 'd']);
    });

    it('finds strategies whose next segment has no value yet, and are not deleted, by id', async () => {
      const segmentOpening = { kind: 'live', reason: 'market', openedAt: NOON } as const;
      await save(
        aStrategy({ id: id('c'), segmentOpening }),
        aStrategy({ id: id('d'), segmentOpening, deletedAt: NOON }),
        aStrategy({ id: id('b') }),
        aStrategy({ id: id('a'), segmentOpening }),
      );
      const opening = async () =>
        idsOf(await unitOfWork.read(({ strategies }) => strategies.segmentsOpening()));
      expect(await opening()).toEqual(['a', 'c']);
      await save(aStrategy({ id: id('c') }));
      expect(await opening()).toEqual(['a']);
    });
  });
};
