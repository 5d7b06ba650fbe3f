import { describe, expect, it } from './testing.js';
import type { Clock, Ids } from '@slipstream/ports';

/** The specification of `Clock`. */
export const clockContract = (name: string, open: () => Clock): void => {
  describe(`clock contract: ${name}`, () => {
    it('answers whole milliseconds that a date can name', () => {
      const now = open().now();
      expect(Number.isSafeInteger(now)).toBe(true);
      expect(() => new Date(now).toISOString()).not.toThrow();
    });
  });
};

/** The specification of `Ids`. */
export const idsContract = (name: string, open: () => Ids): void => {
  describe(`ids contract: ${name}`, () => {
    const made = (): string[] => {
      const ids = open();
      return Array.from({ length: 10_000 }, () => ids.next<'order'>());
    };

    it('never makes the same id twice', () => {
      expect(new Set(made()).size).toBe(10_000);
    });

    it('makes later ids that sort after earlier ones', () => {
      const ids = made();
      expect(ids.toSorted()).toEqual(ids);
    });

    it('makes ids of 1 to 50 plain characters', () => {
      expect(made().every((one) => /^[\w-]{1,50}$/.test(one))).toBe(true);
    });
  });
};
