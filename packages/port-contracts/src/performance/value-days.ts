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
    const unrecorded = (before: number, limit = 10, after?: StrategyId) =>
      unitOfWork.read(({ valueDays }) => valueDays.unrecorded(before, limit, after));

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

    it('are listed by strategy while no record has them, those after another one', async () => {
      await save(third, { lastAt: NOON });
      await save(first, { lastAt: NOON + 2 });
      await save(second, { lastAt: NOON + 1 });
      const idsOf = async (before: number, limit?: number, after?: StrategyId) =>
        (await unrecorded(before, limit, after)).map(({ strategyId }) => strategyId);
      expect(await idsOf(NOON + 3)).toEqual([first, second, third]);
      expect(await idsOf(NOON + 2)).toEqual([second, third]);
      expect(await idsOf(NOON)).toEqual([]);
      expect(await idsOf(NOON + 3, 1)).toEqual([first]);
      expect(await idsOf(NOON + 3, 1, first)).toEqual([second]);
      expect(await idsOf(NOON + 3, 10, third)).toEqual([]);
      await save(second, { lastAt: NOON + 1, isRecorded: true });
      await save(third, { lastAt: NOON, isRecorded: true });
      expect(await unrecorded(NOON + 3)).toEqual([
        { strategyId: first, day: aValueDay({ lastAt: NOON + 2 }) },
      ]);
    });
  });
};
