import { describe, expect, it } from '../testing.js';
import { FIRST_HASH, type TrackEntry, id } from '@slipstream/domain';
import { NOON } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, saveAll } from '../storage/storage.js';

const anEntry = (changes: Partial<TrackEntry> = {}): TrackEntry => ({
  strategyId: id('strategy-1'),
  seq: 1,
  kind: 'trade',
  at: NOON,
  body: '{"price":"1"}',
  previousHash: FIRST_HASH,
  hash: 'a'.repeat(64),
  ...changes,
});

export const trackContract = (open: OpenStorage): void => {
  describe('track records', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<TrackEntry>(unitOfWork, ({ track }, entry) => track.save(entry));
    const strategyId = id<'strategy'>('strategy-1');

    it('have no head at first', async () => {
      expect(await unitOfWork.read(({ track }) => track.head(strategyId))).toBeUndefined();
    });

    it('give the heads of all strategies, in the order of their ids', async () => {
      const entries = ['c', 'a', 'b'].map((of) =>
        anEntry({ strategyId: id(of), hash: of.repeat(64) }),
      );
      const second = anEntry({ strategyId: id('a'), seq: 2, hash: 'e'.repeat(64) });
      await save(...entries, second);
      const heads = (after?: 'a' | 'c', limit = 10) =>
        unitOfWork.read(({ track }) =>
          track.headsAfter(after === undefined ? undefined : id(after), limit),
        );
      expect(await heads()).toEqual([
        { strategyId: 'a', seq: 2, hash: second.hash },
        { strategyId: 'b', seq: 1, hash: 'b'.repeat(64) },
        { strategyId: 'c', seq: 1, hash: 'c'.repeat(64) },
      ]);
      expect((await heads('a', 1)).map(({ strategyId }) => strategyId)).toEqual(['b']);
      expect(await heads('c')).toEqual([]);
    });

    it('return every field, oldest first, for each strategy', async () => {
      const entries = [1, 2, 3].map((seq) => anEntry({ seq, hash: String(seq).repeat(64) }));
      await save(...entries, anEntry({ strategyId: id('strategy-2') }));
      const [head, all, later] = await unitOfWork.read(async ({ track }) => [
        await track.head(strategyId),
        await track.listAfter(strategyId, 0, 100),
        await track.listAfter(strategyId, 1, 1),
      ]);
      expect(head).toEqual({ seq: 3, hash: '3'.repeat(64) });
      expect(all).toEqual(entries);
      expect(later).toEqual([entries[1]]);
    });

    it('refuse a second entry at the same place', async () => {
      await save(anEntry());
      await expect(save(anEntry({ hash: 'b'.repeat(64) }))).rejects.toThrow();
    });
  });
};
