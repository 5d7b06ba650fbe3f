import { describe, expect, it } from '../testing.js';
import { type DailyClose, decimal, id } from '@slipstream/domain';
import { NOON } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach } from '../storage/storage.js';

const [first, second] = [id<'stock'>('stock-1'), id<'stock'>('stock-2')];

const aClose = (day: number, changes: Partial<DailyClose> = {}): DailyClose => ({
  ...{ stockId: first, day, at: NOON, last: decimal('100') },
  ...changes,
});

export const dailyClosesContract = (open: OpenStorage): void => {
  describe('daily closes', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = (...closes: readonly DailyClose[]) =>
      unitOfWork.run(({ dailyCloses }) => dailyCloses.save(closes));
    const list = (stockId = first, after = -1, limit = 10) =>
      unitOfWork.read(({ dailyCloses }) => dailyCloses.listAfter(stockId, after, limit));

    it('give back every field', async () => {
      expect(await list()).toEqual([]);
      const close = aClose(20_000, {
        at: NOON + 1,
        last: decimal('123456789012.000000000000000001'),
      });
      await save(close);
      expect(await list()).toEqual([close]);
    });

    it('are of one stock, after a day, oldest first, at most as many as asked for', async () => {
      await save(aClose(10), aClose(9), aClose(11), aClose(10, { stockId: second }));
      const daysOf = async (...given: Parameters<typeof list>) =>
        (await list(...given)).map(({ day }) => day);
      expect(await daysOf()).toEqual([9, 10, 11]);
      expect(await daysOf(first, 9)).toEqual([10, 11]);
      expect(await daysOf(first, 9, 1)).toEqual([10]);
      expect(await daysOf(second)).toEqual([10]);
      expect(await daysOf(second, 10)).toEqual([]);
    });

    it('are replaced by stock and day', async () => {
      await save(aClose(10), aClose(10, { stockId: second }));
      const later = aClose(10, { at: NOON + 5, last: decimal('101') });
      await save(later);
      await save();
      expect(await list()).toEqual([later]);
      expect(await list(second)).toEqual([aClose(10, { stockId: second })]);
    });
  });
};
