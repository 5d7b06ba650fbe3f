import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  NO_STRETCH,
  type ValueBucket,
  type ValueWindow,
  addSample,
  decimal,
  valueWindows,
  withBucket,
} from '@slipstream/domain';
import type { Reach, ReadHistory } from '../../src/performance/known-history.js';
import { packHistory, unpackHistory } from '../../src/performance/packed-history.js';

const MINUTE = 60_000;

/** A value of up to 18 places; few of them, so that figures occur again. */
const value = fc.oneof(
  fc.constantFrom('1', '0', '0.000000000000000001', '123456789.123456789123456789'),
  fc.integer({ min: -30, max: 30 }).map((one) => (one / 10).toFixed(1)),
);
const samples = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), value), { maxLength: 40 });

const bucketsOf = (given: readonly (readonly [number, string])[]): ValueBucket[] => {
  let minute = 0;
  return given.map(([minutes, text]) =>
    addSample(undefined, (minute += minutes) * MINUTE + 1, decimal(text)),
  );
};

const reaches = fc.subarray<Reach>(['day', 'week', 'month', 'year', 'five_year', 'segment']);

/** A history whose windows share their stages, as they are made, and some were continued since. */
const history = fc
  .record({
    samples,
    reaches,
    baseline: fc.record({ since: fc.constantFrom(-Infinity, 0, 5 * MINUTE), value }),
    from: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 6, maxLength: 6 }),
    sealed: fc.integer({ min: 0, max: 40 }),
    added: fc.integer({ min: 0, max: 4 }),
  })
  .map((given): ReadHistory => {
    const buckets = bucketsOf(given.samples);
    const { since, value: text } = given.baseline;
    const [base, later] = [buckets.slice(0, given.sealed), buckets.slice(given.sealed)];
    const windowFrom = valueWindows(base, decimal(text));
    const windows: { [Of in Reach]?: ValueWindow } = {};
    for (const [index, reach] of given.reaches.entries())
      windows[reach] = {
        ...windowFrom((given.from[index] ?? 0) * MINUTE),
        added: later.slice(0, given.added).reduce(withBucket, NO_STRETCH),
      };
    return {
      ...{ windows, at: 7, through: 5, last: buckets.at(-1) },
      baseline: { since, value: decimal(text) },
      recent: later.slice(given.added).reduce(withBucket, NO_STRETCH),
    };
  });

describe('a packed history', () => {
  it('is the same history after it was unpacked', () => {
    fc.assert(
      fc.property(history, (one) => {
        expect(unpackHistory(packHistory(one))).toEqual(one);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps what its windows share', () => {
    const windowFrom = valueWindows(bucketsOf([[1, '1.5']]), decimal('1'));
    const [year, segment] = [windowFrom(0), windowFrom(0)];
    const { windows } = unpackHistory(
      packHistory({
        ...{ windows: { year, segment }, recent: NO_STRETCH, last: undefined, at: 1, through: 1 },
        baseline: { since: -Infinity, value: decimal('1') },
      }),
    );
    expect(windows.year).toBe(windows.segment);
  });
});
