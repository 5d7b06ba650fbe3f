import { describe, expect, it } from '../testing.js';
import { NOON } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach } from '../storage/storage.js';

export const marketRunsContract = (open: OpenStorage): void => {
  describe('the last run of the market', () => {
    const unitOfWork = emptyBeforeEach(open);
    const last = () => unitOfWork.read(({ marketRuns }) => marketRuns.last());

    it('is not there at first', async () => {
      expect(await last()).toBeUndefined();
    });

    it('is the one saved last', async () => {
      await unitOfWork.run(({ marketRuns }) => marketRuns.save({ market: 'demo', at: NOON }));
      await unitOfWork.run(({ marketRuns }) => marketRuns.save({ market: 'live', at: NOON + 1 }));
      expect(await last()).toEqual({ market: 'live', at: NOON + 1 });
    });
  });
};
