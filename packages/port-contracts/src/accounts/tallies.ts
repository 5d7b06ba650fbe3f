import { describe, expect, it } from '../testing.js';
import { decimal } from '@slipstream/domain';
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

    const tally = (name: string, endsAt: number): Tally => ({
      ...{ name, count: 1, total: decimal('0'), endsAt },
    });

    it('are kept by name, the last one saved', async () => {
      const total = decimal('123456789.000000000000000001');
      await save(tally('a', NOON), { ...tally('b', NOON), count: 7 });
      await save({ name: 'a', count: 2, total, endsAt: NOON + 1 });
      expect(await find('a')).toEqual({ name: 'a', count: 2, total, endsAt: NOON + 1 });
      expect(await find('c')).toBeUndefined();
    });

    it('are listed after their end, longest ended first, ties by name', async () => {
      await save(tally('c', NOON), tally('b', NOON), tally('d', NOON - 1), tally('a', NOON + 1));
      expect(await expired(NOON)).toEqual(['d', 'b', 'c']);
      expect(await expired(NOON, 2)).toEqual(['d', 'b']);
    });

    it('are gone after their removal', async () => {
      await save(tally('a', NOON), tally('b', NOON), tally('c', NOON));
      await unitOfWork.run(({ tallies }) => tallies.remove(['a', 'none', 'c']));
      expect(await expired(NOON)).toEqual(['b']);
    });
  });
};
