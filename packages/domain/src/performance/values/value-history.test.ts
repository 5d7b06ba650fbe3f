import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Decimal, decimal, decimalText, divide, max, min } from '../../numbers/decimal.js';
import type { Timestamp } from '../../ids.js';
import {
  type ValueBucket,
  addSample,
  compact,
  maxDrawdown,
  mergeBuckets,
  mergeable,
  pastValue,
  splitAt,
} from './value-history.js';
import { MINUTE, HOUR, DAY } from '../../time.js';

interface Sample {
  readonly at: Timestamp;
  readonly value: Decimal;
}
const sample = (at: Timestamp, value: string): Sample => ({ at, value: decimal(value) });

/** The minute buckets of these samples, oldest first. */
function bucketsOf(samples: readonly Sample[]): ValueBucket[] {
  const buckets: ValueBucket[] = [];
  for (const { at, value } of samples) {
    const current = buckets.at(-1);
    const next = addSample(current, at, value);
    if (current?.start === next.start) buckets.pop();
    buckets.push(next);
  }
  return buckets;
}

/** The store after the compaction was applied. */
function compacted(buckets: readonly ValueBucket[], now: Timestamp): ValueBucket[] {
  const { removed, saved } = compact(buckets, now);
  const kept = new Map(buckets.map((bucket) => [bucket.start, bucket]));
  for (const start of removed) kept.delete(start);
  for (const bucket of saved) kept.set(bucket.start, bucket);
  return [...kept.values()].sort((first, second) => first.start - second.start);
}

/** The answer of a store: the short buckets before a time, back to the first long enough one. */
function agedOf(buckets: readonly ValueBucket[], now: Timestamp): ValueBucket[] {
  const found = mergeable(now).flatMap(({ before, length }) => {
    const earlier = buckets.filter(({ start }) => start < before);
    return earlier.slice(earlier.findLastIndex((bucket) => bucket.length >= length) + 1);
  });
  return buckets.filter((bucket) => found.includes(bucket));
}

const written = (bucket: ValueBucket) => ({
  ...bucket,
  last: decimalText(bucket.last),
  high: decimalText(bucket.high),
  low: decimalText(bucket.low),
  drawdown: decimalText(bucket.drawdown),
});

describe('a minute keeps last, high, low and its own drawdown', () => {
  it('and never loses them when the clock was set back', () => {
    const values = [sample(5 * MINUTE, '2'), sample(6 * MINUTE, '1'), sample(5 * MINUTE, '1.5')];
    const [first, second, ...more] = bucketsOf(values).map(written);
    expect(first).toMatchObject({ start: 5 * MINUTE, high: '2' });
    expect(second).toMatchObject({ start: 6 * MINUTE, lastAt: 6 * MINUTE, last: '1.5', low: '1' });
    expect(more).toEqual([]);
  });

  it('and never loses them when the clock was set back after they had merged with age', () => {
    const [first, ...more] = bucketsOf([sample(0, '2'), sample(60_000, '1')]);
    const { saved } = compact([first, ...more] as ValueBucket[], 2 * DAY);
    const [merged] = saved;
    const later = addSample(merged, 2 * MINUTE, decimal('1.5'));
    expect(written(later)).toMatchObject({
      ...{ start: 0, length: 15 * MINUTE, lastAt: 2 * MINUTE },
      ...{ last: '1.5', high: '2', low: '1', drawdown: '0.5' },
    });
  });

  it('of all its samples', () => {
    const values = ['1', '1.25', '1', '1.2'].map((value, second) =>
      sample(5 * MINUTE + second, value),
    );
    expect(bucketsOf(values).map(written)).toEqual([
      {
        start: 5 * MINUTE,
        length: MINUTE,
        last: '1.2',
        lastAt: 5 * MINUTE + 3,
        high: '1.25',
        low: '1',
        drawdown: '0.2',
      },
    ]);
  });
  it('a rise alone is no drawdown', () => {
    expect(decimalText(bucketsOf([sample(0, '1'), sample(1, '2')])[0]!.drawdown)).toBe('0');
  });
  it('begins again with the next minute', () => {
    const buckets = bucketsOf([sample(MINUTE - 1, '1'), sample(MINUTE, '2')]);
    expect(buckets.map(({ start }) => start)).toEqual([0, MINUTE]);
  });
});

describe('minutes are stored for 24 hours, 15 minutes for 7 days, hours for 90, days forever', () => {
  const one = bucketsOf([sample(0, '1')]);
  it.each([
    ['a day after its window', 15 * MINUTE + DAY, MINUTE],
    ['just past that', 15 * MINUTE + DAY + 1, 15 * MINUTE],
    ['7 days after its hour', HOUR + 7 * DAY, 15 * MINUTE],
    ['just past that', HOUR + 7 * DAY + 1, HOUR],
    ['90 days after its day', DAY + 90 * DAY, HOUR],
    ['just past that', DAY + 90 * DAY + 1, DAY],
    ['after ten years', 3650 * DAY, DAY],
  ])('%s', (_, now, length) => {
    expect(compacted(one, now).map((bucket) => bucket.length)).toEqual([length]);
  });

  it('changes nothing twice', () => {
    const buckets = compacted(bucketsOf([sample(0, '1'), sample(MINUTE, '2')]), 8 * DAY);
    expect(compact(buckets, 8 * DAY)).toEqual({ removed: [], saved: [] });
  });

  it('leaves young buckets alone', () => {
    expect(compact(one, DAY)).toEqual({ removed: [], saved: [] });
  });
});

/** By the definition, over every single sample. */
function drawdownOf(values: readonly Decimal[]): Decimal {
  let peak = decimal('1');
  let deepest = decimal('0');
  for (const value of values) {
    peak = max(peak, value);
    deepest = max(deepest, divide(peak.minus(value), peak));
  }
  return deepest;
}

describe('merging loses nothing of last, extremes and drawdown', () => {
  const history = fc.array(
    fc.record({
      gap: fc.oneof(fc.integer({ min: 1, max: 2 * MINUTE }), fc.integer({ min: 1, max: 5 * HOUR })),
      value: fc
        .integer({ min: 1, max: 3000 })
        .map((thousandths) => divide(decimal(`${thousandths}`), decimal('1000'))),
    }),
    { minLength: 1, maxLength: 60 },
  );
  const ages = fc.array(fc.integer({ min: 1, max: 40 * DAY }), { maxLength: 6 });

  it('however often it is done, and at whatever times', () => {
    fc.assert(
      fc.property(history, ages, (steps, waits) => {
        let at = 10 * DAY;
        const samples = steps.map(({ gap, value }) => ({ at: (at += gap), value }));
        const raw = bucketsOf(samples);
        let buckets = raw;
        let now = at;
        for (const wait of [1, ...waits]) {
          now += wait;
          // Few have grown old: the others need not be read.
          expect(compact(agedOf(buckets, now), now)).toEqual(compact(buckets, now));
          buckets = compacted(buckets, now);
          const values = samples.map(({ value }) => value);
          expect(buckets.at(-1)).toMatchObject({ lastAt: at, last: values.at(-1) });
          expect(
            buckets
              .map(({ high }) => high)
              .reduce(max)
              .eq(values.reduce(max)),
          ).toBe(true);
          expect(
            buckets
              .map(({ low }) => low)
              .reduce(min)
              .eq(values.reduce(min)),
          ).toBe(true);
          // The whole history: the boundary is the same for both.
          const exact = decimalText(drawdownOf(values));
          expect(decimalText(maxDrawdown(raw, 0, null))).toBe(exact);
          expect(decimalText(maxDrawdown(buckets, 0, null))).toBe(exact);
          expect(new Set(buckets.map(({ start }) => start)).size).toBe(buckets.length);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('minute after minute, as a running service does it', () => {
    const samples = Array.from({ length: 180 }, (_, minute) =>
      sample(minute * MINUTE, ((minute * 37) % 101) + 1 + ''),
    );
    let buckets = bucketsOf(samples);
    for (let now = DAY; now < DAY + 4 * HOUR; now += MINUTE) buckets = compacted(buckets, now);
    expect(buckets).toHaveLength(12);
    const exact = decimalText(drawdownOf(samples.map(({ value }) => value)));
    expect(decimalText(maxDrawdown(buckets, -1, null))).toBe(exact);
  });
});

/** Samples a minute apart; one stretch of them may be at or below zero. */
const withAFall = fc
  .record({
    before: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 12 }),
    below: fc.array(fc.integer({ min: -300, max: 0 }), { maxLength: 5 }),
    after: fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 12 }),
  })
  .map(({ before, below, after }) =>
    [...before, ...below, ...after].map((hundredths, minute) =>
      sample((minute + 1) * MINUTE, (hundredths / 100).toFixed(2)),
    ),
  );

describe('a fall below zero counts from the highest value before it, as every fall', () => {
  it('and not from a lower peak, of which it is a larger fraction', () => {
    const values = ['2', '0.5', '-1'].map((value, minute) => sample((minute + 1) * MINUTE, value));
    expect(decimalText(maxDrawdown(bucketsOf(values), 0, null))).toBe('1.5');
  });

  it('however the samples were merged', () => {
    fc.assert(
      fc.property(withAFall, fc.array(fc.nat(20)), (samples, places) => {
        const buckets = bucketsOf(samples);
        for (const place of places) {
          const [one, other] = buckets.slice(place, place + 2);
          if (one && other) buckets.splice(place, 2, mergeBuckets(one, other));
        }
        const expected = drawdownOf(samples.map(({ value }) => value));
        expect(decimalText(maxDrawdown(buckets, 0, null))).toBe(decimalText(expected));
      }),
      { numRuns: 300 },
    );
  });
});

describe('past_value is the last sample at or before the start of the timeframe, else 1', () => {
  const buckets = bucketsOf([sample(10, '2'), sample(MINUTE + 10, '3')]);
  it.each([
    [9, '1'],
    [10, '2'],
    [MINUTE + 9, '2'],
    [MINUTE + 10, '3'],
    [DAY, '3'],
  ])('at %p it is %s', (from, value) => {
    expect(decimalText(pastValue(buckets, from))).toBe(value);
  });
});

describe('max_drawdown is over past_value, the samples since and now; "0" if none', () => {
  const at = (minute: number) => minute * MINUTE;
  const history = bucketsOf(
    ['2', '1', '4', '3', '4'].map((value, minute) => sample(at(minute), value)),
  );
  it.each<[string, ValueBucket[], Timestamp, string | null, string]>([
    ['nothing at all', [], 0, null, '0'],
    ['only now, below 1', [], 0, '0.75', '0.25'],
    ['only now, above 1', [], 0, '1.5', '0'],
    ['all of it', history, -1, '4', '0.5'],
    ['past_value is the first peak', history, at(0), '4', '0.5'],
    ['the fall before the start does not count', history, at(1), '4', '0.25'],
    ['now counts', history, at(1), '1', '0.75'],
    ['now below past_value counts', history, at(4), '3', '0.25'],
    ['a value below zero is a fall of more than 1', history, at(4), '-4', '2'],
  ])('%s', (_, buckets, from, now, drawdown) => {
    const value = now === null ? null : decimal(now);
    expect(decimalText(maxDrawdown(buckets, from, value))).toBe(drawdown);
  });
});

describe('no bucket spans the start of a segment', () => {
  const START_OF_SEGMENT = 100 * DAY + 90 * MINUTE + 20_000;
  const before = addSample(undefined, START_OF_SEGMENT - 10_000, decimal('2'));

  it('the last bucket ends there, and the first one begins there, within its minute', () => {
    const split = splitAt(before, START_OF_SEGMENT, decimal('1'));
    expect(split).toMatchObject([
      { start: START_OF_SEGMENT - 20_000, length: 20_000 },
      { start: START_OF_SEGMENT, length: 40_000 },
    ]);
    const later = addSample(split[1], START_OF_SEGMENT + 39_999, decimal('3'));
    expect(later).toMatchObject({ start: START_OF_SEGMENT, length: 40_000 });
    const next = addSample(later, START_OF_SEGMENT + 40_000, decimal('3'));
    expect(next).toMatchObject({ start: START_OF_SEGMENT + 40_000, length: MINUTE });
  });

  it('an older last bucket stays as it is', () => {
    expect(splitAt(before, START_OF_SEGMENT + HOUR, decimal('1'))).toHaveLength(1);
  });

  it.each([2, 8, 91, 400])('however old the buckets grow: after %i days', (days) => {
    const samples = Array.from({ length: 600 }, (_, index) =>
      addSample(undefined, START_OF_SEGMENT + 20_000 + (index - 300) * 10 * MINUTE, decimal('1')),
    ).filter(({ start }) => start + MINUTE <= START_OF_SEGMENT || start > START_OF_SEGMENT);
    const at = samples.findIndex(({ start }) => start > START_OF_SEGMENT);
    let buckets: ValueBucket[] = [
      ...samples.slice(0, at),
      ...splitAt(before, START_OF_SEGMENT, decimal('1')),
      ...samples.slice(at),
    ];
    const now = START_OF_SEGMENT + days * DAY;
    const { removed, saved } = compact(buckets, now, [START_OF_SEGMENT]);
    const [gone, merged] = [new Set(removed), new Map(saved.map((one) => [one.start, one]))];
    buckets = buckets.filter(({ start }) => !gone.has(start) && !merged.has(start));
    buckets = [...buckets, ...saved].sort((one, other) => one.start - other.start);
    expect(buckets.some(({ start }) => start === START_OF_SEGMENT)).toBe(true);
    for (const [index, { start, length }] of buckets.entries()) {
      expect(start < START_OF_SEGMENT && start + length > START_OF_SEGMENT).toBe(false);
      expect(start + length).toBeLessThanOrEqual(buckets[index + 1]?.start ?? Infinity);
    }
    expect(compact(buckets, now, [START_OF_SEGMENT])).toEqual({ removed: [], saved: [] });
  });
});
