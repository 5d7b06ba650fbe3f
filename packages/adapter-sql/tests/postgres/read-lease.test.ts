import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ReadLease } from '../../src/postgres/nodes/read-lease.js';

const BEAT = 250;

/** The lease after so many signs of life, each answered after so many milliseconds. */
function leaseAfter(lease: ReadLease, from: number, answers: readonly number[]) {
  let now = from;
  for (const took of answers) {
    const sentAt = now;
    const told = lease.sent(sentAt);
    lease.heard(sentAt, told, sentAt + took);
    now = sentAt + Math.max(BEAT, took);
  }
  return { now, lease: lease.sent(now) };
}
const quick = Array.from({ length: 1_000 }, () => 5);

describe('the read lease', () => {
  it('is short while the database answers soon', () => {
    const lease = new ReadLease(0);
    expect(lease.sent(0)).toBe(500);
    expect(leaseAfter(lease, 0, quick).lease).toBe(510);
  });

  it.each([
    ['twice what the last sign of life had grown old by', 200, 900],
    ['at most a second and a half, however long the process stood still', 60_000, 1_500],
  ])('is, after one slow answer, %s', (_, took, expected) => {
    const lease = new ReadLease(0);
    const { now } = leaseAfter(lease, 0, quick);
    expect(leaseAfter(lease, now, [took]).lease).toBe(expected);
  });

  it('stays longer for a while', () => {
    const lease = new ReadLease(0);
    const { now } = leaseAfter(lease, 0, [5, 200]);
    expect(leaseAfter(lease, now, quick.slice(0, 100)).lease).toBe(737);
  });

  it('is short again minutes after the process stood still', () => {
    const lease = new ReadLease(0);
    const { now } = leaseAfter(lease, 0, [60_000]);
    expect(leaseAfter(lease, now, quick).lease).toBe(510);
  });

  it('covers the next sign of life of a database that is as slow as it was', () => {
    const lease = new ReadLease(0);
    const { now } = leaseAfter(lease, 0, quick);
    leaseAfter(lease, now, [5, 5]);
    expect([BEAT + 240, BEAT + 270].map((age) => lease.holds(now + BEAT + age))).toEqual([
      true,
      false,
    ]);
  });

  it('never holds when others may have ended the process, whichever signs of life arrived late, or without an answer', () => {
    const time = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 0, max }));
    /** After `wait` a sign of life is sent. It reaches the database on its way out, and its answer comes, or neither. */
    const sign = fc.record({
      ...{ wait: time(900), there: time(700), back: time(700) },
      fate: fc.constantFrom('answered', 'answered', 'answered', 'arrived', 'lost' as const),
    });
    fc.assert(
      fc.property(fc.array(sign, { minLength: 1, maxLength: 60 }), (signs) => {
        const lease = new ReadLease(0);
        let now = 0;
        /** What the database has: others end the process from then on. */
        let endsAt = Infinity;
        const pass = (milliseconds: number): void => {
          const first = Math.max(now, endsAt);
          now += milliseconds;
          if (first <= now) expect(lease.holds(first)).toBe(false);
        };
        for (const { wait, there, back, fate } of signs) {
          pass(wait);
          const sentAt = now;
          const told = lease.sent(sentAt);
          pass(there);
          if (fate !== 'lost') endsAt = now + told;
          pass(back);
          if (fate === 'answered') lease.heard(sentAt, told, now);
        }
        pass(2_000);
      }),
      { numRuns: 500 },
    );
  });
});
