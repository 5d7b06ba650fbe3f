import { describe, expect, it } from '../testing.js';
import { type AccountBucket, MINUTE, decimal, id } from '@slipstream/domain';
import { NOON, aBot, anAccountBucket } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, saveAll } from '../storage/storage.js';

const botId = id<'bot'>('bot-1');
const minute = (n: number, length = MINUTE): AccountBucket =>
  anAccountBucket({ start: NOON + n * MINUTE, length });
const starts = (buckets: readonly AccountBucket[]): number[] =>
  buckets.map(({ start }) => (start - NOON) / MINUTE);

export const botHistoryContract = (open: OpenStorage): void => {
  describe('history of a bot', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<AccountBucket>(unitOfWork, ({ botHistory }, bucket) =>
      botHistory.save(botId, bucket),
    );
    const list = (from: number) =>
      unitOfWork.read(({ botHistory }) => botHistory.list(botId, from));

    it('gives back every field, unknown ones as null', async () => {
      const known = anAccountBucket({
        length: 15 * MINUTE,
        at: NOON + 59_999,
        equity: decimal('1.012345678901234567'),
        cash: decimal('-123456789012345678.5'),
        flow: decimal('-0.000000000000000001'),
        target: decimal('1.1'),
        unheld: { notHeld: decimal('-0.000000000000000001'), leverageAndCaps: decimal('7') },
      });
      const nothing = { flow: null, target: null, unheld: null };
      const unknown = anAccountBucket({ start: NOON + 15 * MINUTE, ...nothing });
      await save(known, unknown);
      expect(await list(NOON)).toEqual([known, unknown]);
      expect(await unitOfWork.read(({ botHistory }) => botHistory.last(botId))).toEqual(unknown);
      expect(
        await unitOfWork.read(({ botHistory }) => botHistory.last(id('other'))),
      ).toBeUndefined();
    });

    it('lists those that end after a moment, oldest first', async () => {
      await save(minute(3), minute(0), minute(1));
      expect(starts(await list(NOON - 1))).toEqual([0, 1, 3]);
      expect(starts(await list(NOON + MINUTE - 1))).toEqual([0, 1, 3]);
      expect(starts(await list(NOON + MINUTE))).toEqual([1, 3]);
      expect(starts(await list(NOON + 4 * MINUTE))).toEqual([]);
    });

    it('lists the shorter ones before a moment, after the last that is as long', async () => {
      await save(minute(0, 15 * MINUTE), minute(15), minute(16), minute(20));
      const shorter = async (before: number) =>
        starts(
          await unitOfWork.read(({ botHistory }) =>
            botHistory.shorterBefore(botId, before, 15 * MINUTE),
          ),
        );
      expect(await shorter(NOON + 20 * MINUTE)).toEqual([15, 16]);
      expect(await shorter(NOON + 20 * MINUTE + 1)).toEqual([15, 16, 20]);
    });

    it('replaces one with the same start, and removes by starts', async () => {
      await save(minute(0), minute(1), minute(0, 15 * MINUTE));
      await unitOfWork.run(({ botHistory }) => botHistory.remove(botId, [NOON + MINUTE]));
      expect(await list(NOON)).toEqual([minute(0, 15 * MINUTE)]);
    });

    it('ends with its bot', async () => {
      await unitOfWork.run(({ bots }) => bots.save(aBot({ id: botId })));
      await save(minute(0));
      await unitOfWork.run(({ bots }) => bots.remove(botId));
      expect(await list(NOON)).toEqual([]);
    });
  });
};
