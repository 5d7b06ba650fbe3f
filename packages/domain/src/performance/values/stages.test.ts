import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Stage, stageOf, standingAt, textOf, withoutFirst } from './stages.js';

const units = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const rest = fc.option(fc.record({ high: units, low: units, drawdown: units }));

/** Stages in the order of time; some have the very rest of the next one. */
const someStages = fc
  .array(
    fc.record({ gap: fc.integer({ min: 1, max: 1000 }), past: units, rest, isSame: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 20,
    },
  )
  .map((rows): Stage[] => {
    let leavesAt = 0;
    return rows.map(({ gap, past, rest: own, isSame }, index) => {
      leavesAt += gap;
      const next = rows.findIndex(
        (row, at) => at >= index && (!row.isSame || at === rows.length - 1),
      );
      return { leavesAt, past, rest: isSame ? (rows[next]?.rest ?? null) : own };
    });
  });

describe('stages as one text', () => {
  it('are what they were, also without the first ones', () => {
    fc.assert(
      fc.property(someStages, (stages) => {
        const text = textOf(stages);
        for (const [index, stage] of stages.entries()) {
          expect(stageOf(withoutFirst(text, index))).toEqual(stage);
          expect(withoutFirst(text, index)).toBe(textOf(stages.slice(index)));
        }
      }),
    );
  });

  it('begin with the first that has not ended', () => {
    fc.assert(
      fc.property(someStages, fc.nat({ max: 12_000 }), (stages, from) => {
        const standing = stages.findIndex(({ leavesAt }) => leavesAt > from);
        const expected = standing < 0 ? undefined : textOf(stages.slice(standing));
        expect(standingAt(textOf(stages), from)).toBe(expected);
      }),
    );
  });

  it('may never end', () => {
    const end: Stage = { leavesAt: Infinity, past: 1n, rest: null };
    const text = textOf([{ leavesAt: 5, past: 2n, rest: null }, end]);
    expect(stageOf(standingAt(text, 5) as string)).toEqual(end);
    expect(standingAt('', 0)).toBeUndefined();
  });
});
