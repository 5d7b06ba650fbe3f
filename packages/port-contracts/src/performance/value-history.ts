import { describe, expect, it } from '../testing.js';
import { type ValueBucket, decimal, id, MINUTE } from '@slipstream/domain';
import { NOON, aBucket } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, saveAll } from '../storage/storage.js';

const strategyId = id<'strategy'>('strategy-1');
const minute = (n: number): ValueBucket => aBucket({ start: NOON + n * MINUTE });

export const valueHistoryContract = (open: OpenStorage): void => {
  describe('value history', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<ValueBucket>(unitOfWork, ({ valueHistory }, bucket) =>
      valueHistory.save(strategyId, bucket),
    );
    const list = (from: number) =>
      unitOfWork.read(({ valueHistory }) => valueHistory.list(strategyId, from));

    it('gives back every field', async () => {
      const bucket: ValueBucket = {
        start: NOON,
        length: 15 * MINUTE,
        last: decimal('1.012345678901234567'),
        lastAt: NOON + 59_999,
        high: decimal('123456789012345678.5'),
        low: decimal('-0.5'),
        drawdown: decimal('0.000000000000000001'),
      };
      await save(bucket);
      expect(await list(NOON)).toEqual([bucket]);
    });

    // Buckets: minutes 0, 1 and 3; a bucket ends where the next may start.
    it.each([
      ['before all', -5 * MINUTE, [0, 1, 3]],
      ['inside the first', 1, [0, 1, 3]],
      ['where the first ends', MINUTE, [0, 1, 3]],
      ['inside the second', MINUTE + 1, [0, 1, 3]],
      ['just before the second ends', 2 * MINUTE - 1, [0, 1, 3]],
      ['where the second ends', 2 * MINUTE, [1, 3]],
      ['in a gap', 2.5 * MINUTE, [1, 3]],
      ['inside the last', 3.5 * MINUTE, [1, 3]],
      ['after all', 9 * MINUTE, [3]],
    ] as const)(
      'lists from the last bucket that ended at or before a moment %s',
      async (_, from, expected) => {
        await save(minute(3), minute(0), minute(1));
        expect(await list(NOON + from)).toEqual(expected.map(minute));
      },
    );

    it.each([
      ['where the second starts', MINUTE, [0]],
      ['a moment later', MINUTE + 1, [0, 1]],
      ['before all', 0, []],
    ] as const)('lists only those that start before a moment %s', async (_, before, expected) => {
      await save(minute(3), minute(0), minute(1));
      const found = await unitOfWork.read(({ valueHistory }) =>
        valueHistory.list(strategyId, NOON, NOON + before),
      );
      expect(found).toEqual(expected.map(minute));
    });

    it('lists shorter buckets before a time, back to the first that is long enough', async () => {
      const [long, quarter] = [
        aBucket({ start: NOON - 60 * MINUTE, length: 60 * MINUTE }),
        aBucket({ start: NOON, length: 15 * MINUTE }),
      ];
      await save(minute(16), quarter, minute(15), long, minute(-70), minute(17));
      const shorter = (before: number, length: number) =>
        unitOfWork.read(({ valueHistory }) =>
          valueHistory.shorterBefore(strategyId, before, length),
        );
      const at = NOON + 17 * MINUTE;
      expect(await shorter(at, 15 * MINUTE)).toEqual([minute(15), minute(16)]);
      expect(await shorter(at, 60 * MINUTE)).toEqual([quarter, minute(15), minute(16)]);
      expect(await shorter(at, 24 * 60 * MINUTE)).toEqual([
        minute(-70),
        long,
        quarter,
        minute(15),
        minute(16),
      ]);
      expect(await shorter(at + 1, 15 * MINUTE)).toEqual([15, 16, 17].map((n) => minute(n)));
      expect(await shorter(NOON - 70 * MINUTE, 60 * MINUTE)).toEqual([]);
    });

    it('returns the last bucket, or undefined', async () => {
      const last = () => unitOfWork.read(({ valueHistory }) => valueHistory.last(strategyId));
      expect(await last()).toBeUndefined();
      await save(minute(2), minute(0));
      expect(await last()).toEqual(minute(2));
    });

    it('returns the last bucket of each strategy', async () => {
      const other = id<'strategy'>('strategy-2');
      const lasts = () =>
        unitOfWork.read(({ valueHistory }) => valueHistory.lastOfEach([other, strategyId]));
      expect(await lasts()).toEqual([undefined, undefined]);
      await save(minute(0), minute(2));
      expect(await lasts()).toEqual([undefined, minute(2)]);
      await unitOfWork.run(async ({ valueHistory }) => {
        await valueHistory.remove(strategyId, [minute(2).start]);
        expect(await valueHistory.lastOfEach([strategyId])).toEqual([minute(0)]);
      });
      expect(await lasts()).toEqual([undefined, minute(0)]);
    });

    it('returns the last committed bucket', async () => {
      const last = async () =>
        (await unitOfWork.read(({ valueHistory }) => valueHistory.lastOfEach([strategyId])))[0];
      expect(await last()).toBeUndefined();
      const failing = unitOfWork.run(async ({ valueHistory }) => {
        expect(await valueHistory.last(strategyId)).toBeUndefined();
        await valueHistory.save(strategyId, minute(0));
        expect(await valueHistory.last(strategyId)).toEqual(minute(0));
        throw new Error('taken back');
      });
      await expect(failing).rejects.toThrow('taken back');
      expect(await last()).toBeUndefined();
    });

    it('replaces the bucket with the same start', async () => {
      await save(minute(0), { ...minute(0), last: decimal('2') });
      expect(await list(NOON)).toEqual([{ ...minute(0), last: decimal('2') }]);
    });

    it('removes by start, and keeps strategies apart', async () => {
      await save(minute(0), minute(1), minute(2));
      await unitOfWork.run(async ({ valueHistory }) => {
        await valueHistory.save(id('strategy-2'), minute(1));
        await valueHistory.remove(strategyId, [minute(0).start, minute(1).start, 1]);
      });
      expect(await list(0)).toEqual([minute(2)]);
      expect(
        await unitOfWork.read(({ valueHistory }) => valueHistory.list(id('strategy-2'), 0)),
      ).toEqual([minute(1)]);
    });
  });
};
