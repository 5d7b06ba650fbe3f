import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Decimal,
  NO_STRETCH,
  type Performance,
  type Stretch,
  type ValueBucket,
  type ValueWindow,
  addSample,
  continued,
  decimal,
  inDecimals,
  maxDrawdown,
  pastValue,
  performanceOf,
  readUntil,
  standsUntil,
  unitsOf,
  VALUE_PLACES,
  valueWindows,
  windowAt,
  withBucket,
  withValue,
} from '../../index.js';
import { MINUTE } from '../../time.js';

/** How many times more than `npm test` asks for; `npm run verify` says 150. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

interface Row {
  readonly gap: number;
  readonly low: number;
  readonly rise: number;
  readonly last: number;
}

function bucketsOf(rows: readonly Row[]): ValueBucket[] {
  let start = 0;
  return rows.map(({ gap, low, rise, last }): ValueBucket => {
    start += (gap + 1) * MINUTE;
    const high = low + rise;
    const within = low + Math.round((rise * last) / 100);
    const drawdown = low > 0 ? decimal((rise / (100 * high)).toFixed(6)) : decimal('0');
    return {
      start,
      length: MINUTE,
      last: decimal(String(within)),
      lastAt: start + (last % 60) * 1000,
      high: decimal(String(high)),
      low: decimal(String(low)),
      drawdown,
    };
  });
}

/** Buckets of whole minutes with gaps, and values that are not negative. */
const someBuckets = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 0, max: 3 }),
      low: fc.integer({ min: 0, max: 100 }),
      rise: fc.integer({ min: 0, max: 60 }),
      last: fc.integer({ min: 0, max: 100 }),
    }),
    { maxLength: 60 },
  )
  .map(bucketsOf);

const stretchOf = (buckets: readonly ValueBucket[], before = NO_STRETCH): Stretch =>
  buckets.reduce(withBucket, before);

/** The window that begins at `from`, made of the first buckets; the others were added later. */
function windowOf(made: readonly ValueBucket[], added: readonly ValueBucket[], from: number) {
  const window: ValueWindow = valueWindows(made)(from);
  return { ...window, added: stretchOf(added, window.added) };
}

/** What a window tells at `from`; undefined when it must be made again. */
function toldBy(
  window: ValueWindow,
  from: number,
  recent: Stretch,
  now: Decimal | null,
): Performance | undefined {
  const standing = windowAt(window, from, recent);
  const units = now && unitsOf(now, VALUE_PLACES);
  return standing && inDecimals(performanceOf(standing, recent, units));
}

describe('a stored window answers what its buckets say', () => {
  it('at every later moment, with buckets added and others still apart', () => {
    fc.assert(
      fc.property(
        someBuckets,
        fc.nat({ max: 60 }),
        fc.nat({ max: 60 }),
        fc.nat({ max: 100 }),
        fc.array(fc.nat({ max: 3 * MINUTE }), { maxLength: 30 }),
        fc.option(fc.integer({ min: 0, max: 100 }).map((value) => decimal(String(value)))),
        (buckets, made, joined, begin, moves, now) => {
          const [one, two] = [Math.min(made, joined), Math.max(made, joined)];
          let from = begin * MINUTE;
          const window = windowOf(buckets.slice(0, one), buckets.slice(one, two), from);
          for (const move of moves) {
            from += move;
            const known = toldBy(window, from, stretchOf(buckets.slice(two)), now);
            if (!known) continue;
            expect(known.pastValue.toFixed()).toBe(pastValue(buckets, from).toFixed());
            expect(known.maxDrawdown.toFixed()).toBe(maxDrawdown(buckets, from, now).toFixed());
          }
        },
      ),
      { numRuns: 100 * MORE },
    );
  });

  it('the same at every moment until the time it gives', () => {
    fc.assert(
      fc.property(
        someBuckets,
        fc.constantFrom(0, 1, 5, 60),
        fc.constantFrom(0, 1, 5, 60),
        fc.constantFrom(0, 2, 20),
        (buckets, made, joined, begin) => {
          const [one, two] = [Math.min(made, joined), Math.max(made, joined)];
          const from = begin * MINUTE - 1;
          const window = windowOf(buckets.slice(0, one), buckets.slice(one, two), from);
          const recent = stretchOf(buckets.slice(two));
          const standing = windowAt(window, from, recent);
          if (!standing) return;
          const answered = toldBy(standing, from, recent, null);
          const until = standsUntil(standing, recent);
          expect(until).toBeGreaterThan(from);
          const last = Math.min(until, 1000 * MINUTE) - 1;
          for (const later of [last, Math.floor((from + last) / 2)])
            expect(toldBy(window, later, recent, null)).toEqual(answered);
        },
      ),
      { numRuns: 100 * MORE },
    );
  });

  it('knows a number of later moments, and is never empty instead of unknown', () => {
    const buckets = Array.from({ length: 100 }, (_, n): ValueBucket => {
      const value = decimal(String(100 - n));
      const start = n * MINUTE;
      const flat = { last: value, high: value, low: value, drawdown: decimal('0') };
      return { start, length: MINUTE, lastAt: start, ...flat };
    });
    const window = valueWindows(buckets)(0);
    expect(toldBy(window, 10 * MINUTE, NO_STRETCH, null)?.pastValue.toFixed()).toBe('90');
    expect(toldBy(window, 50 * MINUTE, NO_STRETCH, null)).toBeUndefined();
    expect(toldBy(valueWindows([])(0), 50 * MINUTE, NO_STRETCH, null)?.pastValue.toFixed()).toBe(
      '1',
    );
  });

  it('also continued with the buckets up to a mark, and seldom made again', () => {
    const gap = fc.oneof(fc.nat(30), fc.nat(30), fc.nat(30), fc.nat(3000));
    const rows = fc.array(fc.record({ gap, low: fc.nat(60), rise: fc.nat(60), last: fc.nat(60) }), {
      minLength: 40,
      maxLength: 300,
    });
    const figure = fc.option(fc.nat(100).map((value) => decimal(String(value))));
    const told = { stood: 0, continued: 0, again: 0 };
    fc.assert(
      fc.property(
        rows,
        fc.array(fc.nat(400), { minLength: 30, maxLength: 60 }),
        fc.nat(20),
        figure,
        (given, moves, later, now) => {
          const buckets = bucketsOf(given);
          const made = Math.max(0, buckets.length - later);
          let from = (buckets[0] as ValueBucket).start - 1;
          let window = windowOf(buckets.slice(0, made), buckets.slice(made), from);
          for (const move of moves) {
            from += move * MINUTE;
            if (windowAt(window, from, NO_STRETCH)) told.stood += 1;
            else {
              const until = readUntil(window, from, NO_STRETCH);
              told[until === undefined ? 'again' : 'continued'] += 1;
              if (until === undefined) return;
              const ended = buckets.findLastIndex(({ start, length }) => start + length <= from);
              const read = buckets.slice(Math.max(ended, 0)).filter(({ start }) => start < until);
              window = continued(window, from, read, decimal('1'));
            }
            const known = toldBy(window, from, NO_STRETCH, now);
            expect(known?.pastValue.toFixed()).toBe(pastValue(buckets, from).toFixed());
            expect(known?.maxDrawdown.toFixed()).toBe(maxDrawdown(buckets, from, now).toFixed());
          }
        },
      ),
      { numRuns: 150 * MORE },
    );
    expect(told.continued).toBeGreaterThan(told.again);
    expect(told.stood).toBeGreaterThan(told.again);
  });

  it('also of a strategy that was below zero once', () => {
    const above = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 12 });
    const below = fc.array(fc.integer({ min: -300, max: -1 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        above,
        below,
        above,
        fc.nat(30),
        fc.nat(30),
        (before, fell, after, made, from) => {
          const buckets = [...before, ...fell, ...after].map((value, minute) =>
            addSample(undefined, minute * MINUTE, decimal((value / 100).toFixed(2))),
          );
          const window = windowOf(buckets.slice(0, made), buckets.slice(made), from * MINUTE);
          const known = toldBy(window, from * MINUTE, NO_STRETCH, null);
          if (!known) return;
          expect(known.maxDrawdown.toFixed()).toBe(
            maxDrawdown(buckets, from * MINUTE, null).toFixed(),
          );
        },
      ),
      { numRuns: 300 * MORE },
    );
  });

  it('the same whether a bucket is added, or sample by sample what is in it', () => {
    const figure = fc.integer({ min: 0, max: 100 }).map((one) => decimal((one / 7).toFixed(18)));
    const samples = fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), figure), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(samples, fc.option(figure), (given, now) => {
        const buckets: ValueBucket[] = [];
        let [at, recent] = [MINUTE, NO_STRETCH];
        for (const [pause, value] of given) {
          at += pause;
          const bucket = addSample(buckets.at(-1), at, value);
          if (bucket.start === buckets.at(-1)?.start) buckets.pop();
          buckets.push(bucket);
          recent = withValue(recent, at, value);
        }
        const window = valueWindows([])(0);
        const units = now && unitsOf(now, VALUE_PLACES);
        expect(performanceOf(window, recent, units)).toEqual(
          performanceOf(window, stretchOf(buckets), units),
        );
      }),
    );
  });
});
