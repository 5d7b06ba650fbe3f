import { describe, expect, it } from '../testing.js';
import { type Anchor, type AnchorLeaf, type TimeStamp } from '@slipstream/domain';
import { NOON } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach } from '../storage/storage.js';

const DAY = '2026-01-05';
const LATER = '2026-01-06';
const STAMP: TimeStamp = { token: 'MIIB', nonce: '0a1b', at: NOON + 1 };

const anAnchor = (changes: Partial<Anchor> = {}): Anchor => ({
  day: DAY,
  madeAt: NOON,
  size: 3,
  root: 'a'.repeat(64),
  branches: ['b'.repeat(64), 'c'.repeat(64)],
  stamp: null,
  ...changes,
});

const leaf = (chain: string, seq = 1): AnchorLeaf => ({ chain, seq, hash: 'd'.repeat(64) });
const LEAVES = [
  [leaf('audit', 12), leaf('track:b', 1234)],
  [leaf('track:d'), leaf('track:f')],
];

export const anchorsContract = (open: OpenStorage): void => {
  describe('anchors', () => {
    const unitOfWork = emptyBeforeEach(open);
    const add = (anchor: Anchor, leaves: readonly AnchorLeaf[][] = LEAVES) =>
      unitOfWork.run(({ anchors }) => anchors.save(anchor, leaves));
    const stamp = (anchor: Anchor) => unitOfWork.run(({ anchors }) => anchors.save(anchor));

    it('are not there at first', async () => {
      await unitOfWork.read(async ({ anchors }) => {
        expect(await anchors.last()).toBeUndefined();
        expect(await anchors.find(DAY)).toBeUndefined();
        expect(await anchors.listFrom('2000-01-01', 10)).toEqual([]);
        expect(await anchors.unstamped(10)).toEqual([]);
        expect(await anchors.branchWith(DAY, 'audit')).toBeUndefined();
        expect(await anchors.branchesFrom(DAY, 0, 10)).toEqual([]);
      });
    });

    it('give back every field, with and without a stamp', async () => {
      await add(anAnchor());
      await add(anAnchor({ day: LATER, stamp: STAMP }));
      await unitOfWork.read(async ({ anchors }) => {
        expect(await anchors.find(DAY)).toEqual(anAnchor());
        expect(await anchors.find(LATER)).toEqual(anAnchor({ day: LATER, stamp: STAMP }));
      });
    });

    it('are listed by their days', async () => {
      const days = ['2026-01-07', DAY, LATER];
      for (const day of days) await add(anAnchor({ day }));
      await unitOfWork.read(async ({ anchors }) => {
        const listed = async (from: string, limit: number) =>
          (await anchors.listFrom(from, limit)).map(({ day }) => day);
        expect(await listed(DAY, 2)).toEqual([DAY, LATER]);
        expect(await listed(LATER, 5)).toEqual([LATER, '2026-01-07']);
        expect(await listed('2026-01-08', 5)).toEqual([]);
        expect((await anchors.last())?.day).toBe('2026-01-07');
      });
    });

    it('find the branch of a chain, whether the chain is in it or not', async () => {
      await add(anAnchor());
      await unitOfWork.read(async ({ anchors }) => {
        const branchWith = async (chain: string) => (await anchors.branchWith(DAY, chain))?.index;
        expect(await anchors.branchWith(DAY, 'track:b')).toEqual({ index: 0, leaves: LEAVES[0] });
        expect(await branchWith('audit')).toBe(0);
        expect(await branchWith('track:c')).toBe(1);
        expect(await branchWith('track:f')).toBe(1);
        expect(await branchWith('track:g')).toBeUndefined();
        expect(await anchors.branchWith(LATER, 'audit')).toBeUndefined();
      });
    });

    it('give their leaves branch by branch', async () => {
      await add(anAnchor());
      await add(anAnchor({ day: LATER }), [[leaf('audit', 13)]]);
      await unitOfWork.read(async ({ anchors }) => {
        expect(await anchors.branchesFrom(DAY, 0, 1)).toEqual([{ index: 0, leaves: LEAVES[0] }]);
        expect((await anchors.branchesFrom(DAY, 0, 9)).map(({ index }) => index)).toEqual([0, 1]);
        expect(await anchors.branchesFrom(DAY, 1, 9)).toEqual([{ index: 1, leaves: LEAVES[1] }]);
        expect(await anchors.branchesFrom(LATER, 0, 9)).toHaveLength(1);
      });
    });

    it('wait for their stamps, the newest first', async () => {
      await add(anAnchor());
      await add(anAnchor({ day: LATER }));
      const waiting = (limit = 10) =>
        unitOfWork.read(async ({ anchors }) =>
          (await anchors.unstamped(limit)).map(({ day }) => day),
        );
      expect(await waiting()).toEqual([LATER, DAY]);
      expect(await waiting(1)).toEqual([LATER]);
      await stamp(anAnchor({ day: LATER, stamp: STAMP }));
      expect(await waiting()).toEqual([DAY]);
    });

    it('change in nothing but their stamp', async () => {
      await add(anAnchor());
      await stamp(anAnchor({ root: 'e'.repeat(64), size: 9, branches: [], stamp: STAMP }));
      await unitOfWork.read(async ({ anchors }) => {
        expect(await anchors.find(DAY)).toEqual(anAnchor({ stamp: STAMP }));
        expect(await anchors.branchesFrom(DAY, 0, 9)).toHaveLength(2);
      });
    });

    it('are made once a day', async () => {
      await add(anAnchor());
      await expect(add(anAnchor({ root: 'e'.repeat(64) }))).rejects.toThrow();
      expect(await unitOfWork.read(({ anchors }) => anchors.find(DAY))).toEqual(anAnchor());
    });

    it('cannot be stamped before they are made', async () => {
      await expect(stamp(anAnchor({ stamp: STAMP }))).rejects.toThrow();
      expect(await unitOfWork.read(({ anchors }) => anchors.find(DAY))).toBeUndefined();
    });
  });
};
