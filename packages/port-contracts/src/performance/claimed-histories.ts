import { describe, expect, it } from '../testing.js';
import { type ClaimedPoint, ONE, decimal, id } from '@slipstream/domain';
import { NOON, aStrategy } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach } from '../storage/storage.js';

const [first, second] = [id<'strategy'>('strategy-1'), id<'strategy'>('strategy-2')];
const points: readonly ClaimedPoint[] = [
  { at: NOON, value: ONE },
  { at: NOON + 1, value: decimal('123456789012.000000000000000001') },
];

export const claimedHistoriesContract = (open: OpenStorage): void => {
  describe('claimed histories', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = (strategyId = first, given = points) =>
      unitOfWork.run(async ({ strategies, claimedHistories }) => {
        await strategies.save(aStrategy({ id: strategyId }));
        await claimedHistories.save(strategyId, given);
      });
    const find = (strategyId = first) =>
      unitOfWork.read(({ claimedHistories }) => claimedHistories.find(strategyId));

    it('give back every digit, each of its strategy', async () => {
      expect(await find()).toBeUndefined();
      await save();
      expect(await find()).toEqual(points);
      expect(await find(second)).toBeUndefined();
    });

    it('are replaced whole', async () => {
      await save();
      const others = points.map(({ at, value }) => ({ at: at - 5, value: value.plus(ONE) }));
      await save(first, others);
      expect(await find()).toEqual(others);
    });

    it('are removed alone, and may be absent already', async () => {
      await save();
      await save(second);
      const remove = () => unitOfWork.run(({ claimedHistories }) => claimedHistories.remove(first));
      await remove();
      await remove();
      expect(await find()).toBeUndefined();
      expect(await find(second)).toEqual(points);
    });
  });
};
