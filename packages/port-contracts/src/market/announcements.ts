import { describe, expect, it } from '../testing.js';
import type { Stock, Timestamp } from '@slipstream/domain';
import type { AnnouncedActions } from '@slipstream/ports';

/** A source under test that has announced at least two actions of two of its stocks, at different moments. */
export interface AnnouncementsFixture {
  readonly announced: AnnouncedActions;
  readonly stocks: readonly Stock[];
  /** All its actions are between these. */
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** Its next answers cannot be read, or do not come. */
  spoil(): void;
}

/** The specification of `AnnouncedActions`. */
export const announcementsContract = (name: string, open: () => AnnouncementsFixture): void => {
  describe(`announced actions contract: ${name}`, () => {
    const ask = async (
      { announced }: Pick<AnnouncementsFixture, 'announced'>,
      stocks: readonly Stock[],
      from: Timestamp,
      to: Timestamp,
    ) => {
      const { actions, unanswered } = await announced.between(stocks, from, to);
      expect(unanswered).toEqual([]);
      return actions;
    };

    it('AA-01 answers each action once, by an id that stays, with the figures of its kind', async () => {
      const { announced, stocks, from, to } = open();
      const found = await ask({ announced }, stocks, from, to);
      expect(new Set(found.map(({ stockId }) => stockId)).size).toBeGreaterThan(1);
      expect(new Set(found.map(({ sourceId }) => sourceId)).size).toBe(found.length);
      for (const { kind, newShares, oldShares, amount, dueAt, name: text } of found) {
        expect([newShares !== null, oldShares !== null]).toEqual(
          Array.from({ length: 2 }, () => kind === 'split'),
        );
        expect(amount !== null).toBe(kind === 'cash_dividend');
        expect(Number.isInteger(dueAt) && text.length > 0).toBe(true);
      }
      expect(await ask({ announced }, stocks, from, to)).toEqual(found);
    });

    it('AA-02 answers actions of the given stocks only', async () => {
      const { announced, stocks, from, to } = open();
      const [first] = await ask({ announced }, stocks, from, to);
      const others = stocks.filter(({ id }) => id !== first?.stockId);
      const left = await ask({ announced }, others, from, to);
      expect(left.every(({ stockId }) => stockId !== first?.stockId)).toBe(true);
      expect(await ask({ announced }, [], from, to)).toEqual([]);
    });

    it('AA-03 answers actions of the given time only: the end is not in it', async () => {
      const { announced, stocks, from, to } = open();
      const found = await ask({ announced }, stocks, from, to);
      const [first, ...others] = found.toSorted((one, other) => one.dueAt - other.dueAt);
      if (!first) throw new Error('the source announced nothing');
      const upTo = await ask({ announced }, stocks, from, first.dueAt);
      const since = await ask({ announced }, stocks, first.dueAt, to);
      expect([upTo.length, since.length]).toEqual([0, others.length + 1]);
    });

    it('AA-04 throws when an answer cannot be read or does not come', async () => {
      const { announced, stocks, from, to, spoil } = open();
      spoil();
      await expect(announced.between(stocks, from, to)).rejects.toThrow();
    });
  });
};
