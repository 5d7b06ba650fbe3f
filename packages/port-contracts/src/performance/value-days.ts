import { describe, expect, it } from '../testing.js';
import { type StrategyId, type ValueDay, decimal, id } from '@slipstream/domain';
import { NOON, aValueDay } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach } from '../storage/storage.js';

const [first, second, third] = [
  id<'strategy'>('strategy-1'),
  id<'strategy'>('strategy-2'),
  id<'strategy'>('strategy-3'),
];

export const valueDaysContract = (open: OpenStorage): void => {
  describe('days of values', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = (strategyId: StrategyId, changes: Partial<ValueDay> = {}) =>
      unitOfWork.run(({ valueDays }) => valueDays.save(strategyId, aValueDay(changes)));
    const find = (strategyId: StrategyId) =>
      unitOfWork.read(({ valueDays }) => valueDays.find(strategyId));
    const unrecorded = (before: number, limit = 10) =>
      unitOfWork.read(({ valueDays }) => valueDays.unrecorded(before, limit));

    it('are not there at first', async () => {
      expect(await find(first)).toBeUndefined();
      expect(await unrecorded(Infinity)).toEqual([]);
    });

    it('give back every field of the day saved last', async () => {
      await save(first);
      const day: ValueDay = {
        last: decimal('1.012345678901234567'),
        lastAt: NOON + 59_999,
        high: decimal('123456789012345678.5'),
        low: decimal('-0.5'),
        drawdown: decimal('0.000000000000000001'),
        gross: decimal('1.75'),
        heldFor: 86_399_999,
        isRecorded: true,
      };
      await save(first, day);
      expect(await find(first)).toEqual(day);
    });

    it('are listed by strategy where their last samples are of one time, whichever was saved first', async () => {
      for (const strategyId of [third, first, second]) await save(strategyId, { lastAt: NOON });
      const listed = await unrecorded(NOON + 1);
      expect(listed.map(({ strategyId }) => strategyId)).toEqual([first, second, third].sort());
    });

    it('are listed by their last sample while no record has them', async () => {
      await save(first, { lastAt: NOON + 2 });
      await save(second, { lastAt: NOON + 1 });
      await save(third, { lastAt: NOON, isRecorded: true });
      const idsOf = async (before: number, limit?: number) =>
        (await unrecorded(before, limit)).map(({ strategyId }) => strategyId);
      expect(await idsOf(NOON + 3)).toEqual([second, first]);
      expect(await idsOf(NOON + 2)).toEqual([second]);
      expect(await idsOf(NOON + 1)).toEqual([]);
      expect(await idsOf(NOON + 3, 1)).toEqual([second]);
      await save(second, { lastAt: NOON + 1, isRecorded: true });
      expect(await unrecorded(NOON + 3)).toEqual([
        { strategyId: first, day: aValueDay({ lastAt: NOON + 2 }) },
      ]);
    });
  });
};
