import { describe, expect, it } from '../testing.js';
import { type AuditEntry, FIRST_HASH, id } from '@slipstream/domain';
import { NOON } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, saveAll } from '../storage/storage.js';

const anEntry = (seq: number, changes: Partial<AuditEntry> = {}): AuditEntry => ({
  seq,
  at: NOON,
  actor: 'user-1',
  tokenId: id('token-1'),
  ip: '192.0.2.1',
  action: 'newOrder',
  objects: ['strategy:strategy-1', 'order:order-1'],
  outcome: 'ok',
  code: null,
  requestId: 'request-1',
  prevHash: FIRST_HASH,
  hash: String(seq).repeat(64),
  ...changes,
});

export const auditContract = (open: OpenStorage): void => {
  describe('the audit log', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<AuditEntry>(unitOfWork, ({ audit }, entry) => audit.save(entry));
    const all = (): Promise<AuditEntry[]> =>
      unitOfWork.read(({ audit }) => audit.listAfter(0, 100));

    it('has no last entry at first', async () => {
      expect(await unitOfWork.read(({ audit }) => audit.last())).toBeUndefined();
      expect(await all()).toEqual([]);
    });

    it('gives back every field, oldest first', async () => {
      const nobody = { actor: 'system', tokenId: null, ip: null, objects: [], requestId: null };
      const denied = { outcome: 'denied', code: 'not_owner' } as const;
      const entries = [anEntry(1), anEntry(2, nobody), anEntry(3, denied)];
      await save(...entries);
      expect(await all()).toEqual(entries);
      expect(await unitOfWork.read(({ audit }) => audit.listAfter(1, 1))).toEqual([entries[1]]);
    });

    it('gives a transaction the last entry, its own entries included', async () => {
      await save(anEntry(1));
      const seen = await unitOfWork.run(async ({ audit }) => {
        const before = await audit.last();
        await audit.save(anEntry(2));
        return [before?.seq, (await audit.last())?.seq];
      });
      expect(seen).toEqual([1, 2]);
      expect(await unitOfWork.read(({ audit }) => audit.last())).toMatchObject({
        seq: 2,
        hash: '2'.repeat(64),
      });
    });

    it('continues after the last committed entry if another transaction is rolled back', async () => {
      const append = (fails: boolean): Promise<void> =>
        unitOfWork.run(async ({ audit }) => {
          const last = await audit.last();
          await audit.save(anEntry((last?.seq ?? 0) + 1));
          if (fails) throw new Error('taken back');
        });
      const ends = await Promise.allSettled([false, true, false].map(append));
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await all()).map(({ seq }) => seq)).toEqual([1, 2]);
    });

    it('removes archived entries, oldest first, and continues the chain', async () => {
      await save(...[1, 2, 3, 4].map((seq) => anEntry(seq)));
      const third = { seq: 3, hash: '3'.repeat(64) };
      const remove = (limit: number) => unitOfWork.run(({ audit }) => audit.remove(third, limit));
      const archived = () => unitOfWork.read(({ audit }) => audit.archived());
      expect(await archived()).toBeUndefined();
      expect(await remove(2)).toBe(2);
      expect(await archived()).toEqual(third);
      expect((await all()).map(({ seq }) => seq)).toEqual([3, 4]);
      expect(await remove(2)).toBe(1);
      expect(await remove(2)).toBe(0);
      await save(anEntry(5));
      expect((await all()).map(({ seq }) => seq)).toEqual([4, 5]);
      expect(await unitOfWork.read(({ audit }) => audit.listAfter(4, 9))).toEqual([anEntry(5)]);
    });

    it.each([
      ['the last one', { seq: 3, hash: '3'.repeat(64) }],
      ['one that is not there', { seq: 4, hash: '4'.repeat(64) }],
      ['one of another hash', { seq: 2, hash: '3'.repeat(64) }],
    ])('removes nothing up to %s', async (_, upTo) => {
      await save(...[1, 2, 3].map((seq) => anEntry(seq)));
      await expect(unitOfWork.run(({ audit }) => audit.remove(upTo, 9))).rejects.toThrow();
      expect((await all()).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    });

    it('refuses an entry whose place is taken or skips one', async () => {
      await save(anEntry(1));
      await expect(save(anEntry(1, { actor: 'user-2' }))).rejects.toThrow();
      await expect(save(anEntry(3))).rejects.toThrow();
      expect(await all()).toEqual([anEntry(1)]);
    });
  });
};
