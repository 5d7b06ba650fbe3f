import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Listed } from '../../src/postgres/nodes/roster.js';
import { Silence } from '../../src/postgres/nodes/silence.js';

const NODE = {
  ...{ id: 'other', url: 'http://other:1', lease: 5_000, readLease: 500, connections: 1 },
  ...{ shards: 1, since: 0, drained: 0 },
};

/** A beat of the process that looks. */
interface Beat {
  /** Since the last one, and how long the list took to come, in milliseconds. */
  readonly after: number;
  readonly took: number;
  /** By how much the clock of the database is set before the list, and whether the other one shows a sign of life before or after that. */
  readonly set: number;
  readonly sign: 'before' | 'after' | 'none';
}
const aBeat: fc.Arbitrary<Beat> = fc.record({
  after: fc.oneof(fc.constant(250), fc.nat(10_000)),
  took: fc.nat(1_000),
  set: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    fc.constantFrom(-3_600_000, -5_000, 5_000, 3_600_000),
  ),
  sign: fc.constantFrom('before', 'after', 'none'),
});

/** What a process finds at each of its beats, and for how long the other one was silent indeed. */
function watched(beats: readonly Beat[], isFirst = true) {
  const silence = new Silence();
  let [now, ahead, renewed, shownAt] = [1_000_000, 0, 990_000, 990_000];
  const list = (): Listed => {
    const age = Math.round(now + ahead - renewed);
    return { ...NODE, renewed: renewed * 1_000, age };
  };
  if (!isFirst) silence.watched([list()], now, now);
  return beats.map(({ after, took, set, sign }) => {
    const show = (): void => void ([renewed, shownAt] = [now + ahead, now]);
    now += after;
    const askedAt = now;
    now += took / 2;
    if (sign === 'before') show();
    ahead += set;
    if (sign === 'after') show();
    const listed = list();
    const at = now;
    now += took / 2;
    const [found] = silence.watched([listed], askedAt, now);
    return { found: found!, indeed: at - shownAt, took };
  });
}

describe('the silence of another process', () => {
  it('is never taken for longer than it is, however the clock of the database is set', () => {
    fc.assert(
      fc.property(fc.array(aBeat, { maxLength: 20 }), (beats) => {
        for (const { found, indeed } of watched(beats))
          expect(found.silentFor).toBeLessThanOrEqual(indeed + 1);
      }),
    );
  });

  it('is known to the last beats in time, whatever the clock of the database was set to before', () => {
    fc.assert(
      fc.property(fc.array(aBeat, { maxLength: 5 }), fc.nat(20), (beats, silent) => {
        const quiet = { after: 250, took: 2, set: 0, sign: 'none' } as const;
        const all = watched([...beats, ...Array.from({ length: silent + 1 }, () => quiet)]);
        expect(all.at(-1)!.found.silentFor).toBeGreaterThanOrEqual(silent * 250);
      }),
    );
  });

  it('is what the database says while its clock goes on as that of the process', () => {
    const beats = [1, 2, 3, 4].map(
      (one) => ({ after: 250, took: 4, set: 0, sign: one === 2 ? 'before' : 'none' }) as const,
    );
    const found = watched(beats, false).map((one) => [one.found.age, one.indeed]);
    expect(found.every(([age = 0, indeed = 0]) => Math.abs(age - indeed) <= 10)).toBe(true);
  });

  it('is unknown at the first look: the clock may have been set just before', () => {
    const [first] = watched([{ after: 0, took: 2, set: 0, sign: 'none' }]);
    expect([first!.found.age, first!.found.silentFor]).toEqual([10_001, 0]);
  });
});
