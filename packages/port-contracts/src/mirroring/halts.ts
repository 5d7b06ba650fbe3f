import { describe, expect, it } from '../testing.js';
import { type Halt, id } from '@slipstream/domain';
import { NOON, aHalt } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

export const haltsContract = (open: OpenStorage): void => {
  describe('halts', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Halt>(unitOfWork, ({ halts }, halt) => halts.save(halt));
    const ofBroker = aHalt({ id: id('h-2'), scope: 'broker', target: 'simulated' });
    const ofUser = aHalt({ id: id('h-3'), scope: 'user', target: 'user-2', by: id('user-2') });

    it('gives back every field, until the halt is removed', async () => {
      await save(aHalt(), ofUser);
      const find = () =>
        unitOfWork.read(async ({ halts }) => [
          await halts.find(id('halt-1')),
          await halts.find(id('h-3')),
        ]);
      expect(await find()).toEqual([aHalt(), ofUser]);
      await unitOfWork.run(async ({ halts }) => {
        await halts.remove(id('halt-1'));
        await halts.remove(id('none'));
      });
      expect(await find()).toEqual([undefined, ofUser]);
    });

    it('lists those with one subject, oldest first', async () => {
      await save(
        aHalt({ id: id('b') }),
        aHalt({ id: id('c'), createdAt: NOON - 1 }),
        aHalt({ id: id('a') }),
        ofBroker,
        ofUser,
        aHalt({ id: id('other'), scope: 'bot', target: 'user-2' }),
      );
      const on = (scope: Halt['scope'], target: string | null) =>
        unitOfWork.read(async ({ halts }) => idsOf(await halts.on({ scope, target })));
      expect(await on('all', null)).toEqual(['c', 'a', 'b']);
      expect(await on('broker', 'simulated')).toEqual(['h-2']);
      expect(await on('user', 'user-2')).toEqual(['h-3']);
      expect(await on('user', 'user-3')).toEqual([]);
    });

    it('pages through all of them, newest first, and counts them by scope', async () => {
      await save(
        aHalt({ id: id('b') }),
        aHalt({ id: id('c'), createdAt: NOON - 1 }),
        aHalt({ id: id('a') }),
        ofBroker,
      );
      const list = (limit: number, cursor?: string) =>
        unitOfWork.read(async ({ halts }) => idsOf(await halts.list({ limit, cursor })));
      expect(await list(10)).toEqual(['h-2', 'b', 'a', 'c']);
      expect(await list(1, 'b')).toEqual(['a']);
      expect(await list(10, 'none')).toEqual([]);
      const counts = await unitOfWork.read(({ halts }) => halts.count());
      expect(counts).toEqual({ all: 3, broker: 1, user: 0, bot: 0 });
    });
  });
};
