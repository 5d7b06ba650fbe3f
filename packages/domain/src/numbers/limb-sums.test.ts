import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromUnits } from './decimal.js';
import { LimbFactors, LimbSums, multiplierOf } from './limb-sums.js';

const LARGEST_FACTOR = 10n ** 28n - 1n;
const LARGEST_MULTIPLIER = 10 ** 14 - 1;

/** Factors, often the largest ones. */
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

/** Places of a product, and how many more those of other units have. */
const PLACES = 26;
const MORE = 10n;

/** A sum that was never above it is known. */
const ALWAYS_KNOWN = 10n ** (43n + MORE);

type Step =
  | { readonly multiplier: number; readonly times: number }
  | { readonly units: bigint; readonly times: number }
  | 'look';
const times = fc.integer({ min: 1, max: 60 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ multiplier, times }),
  fc.record({ units: fc.bigInt({ min: -(10n ** 52n), max: 10n ** 52n }), times }),
  fc.record({ units: fc.bigInt({ min: -3n, max: 3n }), times }),
  fc.constant('look' as const),
);

describe('sums in limbs', () => {
  it('equal those of big integers, whatever was added, and however often', () => {
    fc.assert(
      fc.property(
        fc.array(factor, { minLength: 1, maxLength: 6 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        (factors, steps) => {
          const list = new LimbFactors();
          const sums = new LimbSums(PLACES);
          for (const [place, units] of factors.entries()) {
            list.insert(place, place, units);
            sums.push();
          }
          let [rise, more] = [0n, 0n];
          const wereLarge = new Set<number>();
          const sumOf = (units: bigint): bigint => units * rise * 10n ** MORE + more;
          const look = (): void => {
            for (const [slot, units] of factors.entries()) {
              const known = sums.of(slot);
              if (known) expect(known).toEqual(fromUnits(sumOf(units), PLACES + Number(MORE)));
              else expect(wereLarge).toContain(slot);
              expect(sums.of(slot)).toBe(known);
              expect(sums.isAtOrBelowZero(slot)).toBe(known !== undefined && sumOf(units) <= 0n);
            }
          };
          for (const each of steps) {
            if (each === 'look') look();
            else if ('units' in each) {
              for (let time = 0; time < each.times; time += 1)
                for (const slot of factors.keys())
                  sums.addUnits(slot, each.units, PLACES + Number(MORE));
              more += each.units * BigInt(each.times);
            } else {
              for (let time = 0; time < each.times; time += 1)
                sums.addProducts(list, each.multiplier);
              rise += BigInt(each.times) * BigInt(each.multiplier);
            }
            for (const [slot, units] of factors.entries())
              if (sumOf(units) > ALWAYS_KNOWN || sumOf(units) < -ALWAYS_KNOWN) wereLarge.add(slot);
          }
          look();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('give a sum up that was too large once, and that one alone', () => {
    const sums = new LimbSums(PLACES);
    for (const _ of [0, 1]) sums.push();
    const units = 10n ** 45n;
    sums.addUnits(0, units, PLACES);
    sums.addUnits(1, -units + 1n, PLACES);
    sums.addUnits(0, -units, PLACES);
    sums.addUnits(1, units / 2n, PLACES);
    expect([0, 1].map((slot) => sums.of(slot))).toEqual([undefined, undefined]);
    expect(sums.isAtOrBelowZero(0)).toBe(false);
    sums.push();
    sums.addUnits(2, 7n, PLACES + Number(MORE));
    expect(sums.of(2)?.toFixed()).toBe('0.000000000000000000000000000000000007');
  });

  it('take only the products of the given places', () => {
    const [list, sums] = [new LimbFactors(), new LimbSums(0)];
    for (const slot of [0, 1, 2, 3]) {
      list.insert(slot, slot, 5n);
      sums.push();
    }
    sums.addProducts(list, 3, 1, 3);
    expect([0, 1, 2, 3].map((slot) => sums.of(slot)?.toFixed())).toEqual(['0', '15', '15', '0']);
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
    [BigInt(LARGEST_MULTIPLIER), LARGEST_MULTIPLIER],
    [-5n, -5],
    [BigInt(LARGEST_MULTIPLIER) + 1n, undefined],
    [-(10n ** 30n), undefined],
  ])('take %d as a multiplier: %s', (units, expected) => {
    expect(multiplierOf(units)).toBe(expected);
  });
});
