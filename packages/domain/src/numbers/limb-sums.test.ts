import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LimbFactors, LimbSums, multiplierOf } from './limb-sums.js';

const LARGEST_FACTOR = 2n ** 72n - 1n;
const LARGEST_MULTIPLIER = 2 ** 48 - 1;

/** Factors up to `most`, often the largest ones. */
const factor = fc.oneof(
  fc.bigInt({ min: -LARGEST_FACTOR, max: LARGEST_FACTOR }),
  fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
  fc.constantFrom(LARGEST_FACTOR, -LARGEST_FACTOR, 0n),
);
const multiplier = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.maxSafeInteger().map((value) => value % (LARGEST_MULTIPLIER + 1)),
  fc.constantFrom(LARGEST_MULTIPLIER, -LARGEST_MULTIPLIER),
);

describe('sums in limbs', () => {
  it('equal those of big integers, however many products were added', () => {
    fc.assert(
      fc.property(
        fc.array(factor, { minLength: 1, maxLength: 6 }),
        fc.array(multiplier, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        (factors, multipliers, times) => {
          const list = new LimbFactors();
          const sums = new LimbSums();
          const slots = factors.map((_, slot) => slot);
          for (const [place, units] of factors.entries()) {
            list.insert(place, place, units);
            sums.push();
          }
          const totals = factors.map(() => 0n);
          const take = (slot: number): void => {
            totals[slot] = (totals[slot] ?? 0n) + sums.take(slot);
          };
          for (let time = 0; time < times; time += 1) {
            for (const each of multipliers) sums.add(list, each, take);
          }
          slots.forEach(take);
          const rise = BigInt(times) * multipliers.reduce((sum, each) => sum + BigInt(each), 0n);
          expect(totals).toEqual(factors.map((units) => units * rise));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keep their factors in place after insertions and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), factor, fc.boolean())), (steps) => {
        const list = new LimbFactors();
        const expected: (readonly [slot: number, units: bigint])[] = [];
        for (const [at, units, comes] of steps) {
          const place = at % (expected.length + 1);
          if (comes) {
            list.insert(place, at, units);
            expected.splice(place, 0, [at, units]);
          } else if (place < expected.length) {
            list.remove(place);
            expected.splice(place, 1);
          }
        }
        expect(expected.map((_, place) => [list.slot(place), list.get(place)])).toEqual(expected);
        expect(list.length).toBe(expected.length);
      }),
    );
  });

  it.each([
    [LARGEST_FACTOR, true],
    [-LARGEST_FACTOR, true],
    [LARGEST_FACTOR + 1n, false],
    [-LARGEST_FACTOR - 1n, false],
  ])('take %d as a factor: %s', (units, fits) => {
    expect(LimbFactors.fits(units)).toBe(fits);
  });

  it.each([
    [BigInt(LARGEST_MULTIPLIER), LARGEST_MULTIPLIER],
    [-5n, -5],
    [BigInt(LARGEST_MULTIPLIER) + 1n, undefined],
    [-(10n ** 30n), undefined],
  ])('take %d as a multiplier: %s', (units, expected) => {
    expect(multiplierOf(units)).toBe(expected);
  });
});
