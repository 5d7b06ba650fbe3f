import { describe, expect, it } from '../testing.js';
import type { Tally } from '@slipstream/ports';
import { NOON } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, saveAll } from '../storage/storage.js';

export const talliesContract = (open: OpenStorage): void => {
  describe('tallies', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Tally>(unitOfWork, ({ tallies }, tally) => tallies.save(tally));
    const find = (name: string) => unitOfWork.read(({ tallies }) => tallies.find(name));
    const expired = (now: number, limit = 10) =>
      unitOfWork.read(({ tallies }) => tallies.expired(now, limit));

    it('are kept by name, the last one saved', async () => {
      await save({ name: 'a', count: 1, endsAt: NOON }, { name: 'b', count: 7, endsAt: NOON });
      await save({ name: 'a', count: 2, endsAt: NOON + 1 });
      expect(await find('a')).toEqual({ name: 'a', count: 2, endsAt: NOON + 1 });
      expect(await find('c')).toBeUndefined();
    });

    it('are listed after their end, longest ended first, ties by name', async () => {
      await save(
        { name: 'c', count: 1, endsAt: NOON },
        { name: 'b', count: 1, endsAt: NOON },
        { name: 'd', count: 1, endsAt: NOON - 1 },
        { name: 'a', count: 1, endsAt: NOON + 1 },
      );
      expect(await expired(NOON)).toEqual(['d', 'b', 'c']);
      expect(await expired(NOON, 2)).toEqual(['d', 'b']);
    });

    it('are gone after their removal', async () => {
      await save({ name: 'a', count: 1, endsAt: NOON }, { name: 'b', count: 1, endsAt: NOON });
      await unitOfWork.run(({ tallies }) => tallies.remove(['a', 'none']));
      expect(await expired(NOON)).toEqual(['b']);
    });
  });
};
