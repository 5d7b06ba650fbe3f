import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type StockId, id } from '../../ids.js';
import { type Decimal, ONE, TWO, ZERO, decimal, divide, min, sum } from '../../numbers/decimal.js';
import { stockOf } from '../../../tests/rebalance-builders.js';
import type { BrokerAccount } from '../bot-account.js';
import { limitedTarget } from '../limits/limited-target.js';
import { listBounds } from '../stock-lists.js';
import { attainableTarget } from './target.js';
import { type Weights, grossOf } from './weights.js';

const EQUITY = decimal('10000');
const hundredths = (least: number, most: number) =>
  fc
    .integer({ min: least, max: most })
    .map((count) => divide(decimal(String(count)), decimal('100')));
const limit = fc.option(hundredths(5, 200), { nil: null });

const accountWith = (held: Weights, maxGross: Decimal): BrokerAccount => ({
  equity: EQUITY,
  cash: EQUITY,
  buyingPower: EQUITY,
  maxGross,
  positions: [...held].map(([stockId, weight]) => {
    const value = weight.times(EQUITY);
    return { stockId, amount: value, price: ONE, value };
  }),
  allows: 'all',
  because: null,
});

/** A stock of the target; of what is not increased a part is held. */
const leg = fc.record({
  wanted: hundredths(-150, 150),
  held: hundredths(0, 150),
  isDenied: fc.boolean(),
  isLent: fc.boolean(),
});

const world = fc.record({
  legs: fc.array(leg, { minLength: 1, maxLength: 5 }),
  maxGross: fc.constantFrom(ONE, TWO),
  maxCapital: fc.option(hundredths(10_000, 2_000_000), { nil: null }),
  maxGrossLimit: limit,
  maxPerStock: limit,
});
type World = typeof world extends fc.Arbitrary<infer One> ? One : never;

const idOf = (place: number): StockId => id<'stock'>(`S${place}`);

/** The target of an account that holds this, as its lists, its broker and its limits let it be. */
function targetBeside(held: Weights, { legs, maxGross, ...sizes }: World): Weights {
  const { maxCapital, maxGrossLimit, maxPerStock } = sizes;
  const account = accountWith(held, maxGross);
  const wanted = new Map(legs.map((one, place) => [idOf(place), one.wanted]));
  const stocks = new Map(
    legs.map(({ isLent }, place) => [
      idOf(place),
      stockOf(`S${place}`, { allowsShort: isLent, priceStep: null }, '1'),
    ]),
  );
  const denyStocks = legs.flatMap(({ isDenied }, place) => (isDenied ? [idOf(place)] : []));
  const { bounds } = listBounds(wanted, account, { allowStocks: null, denyStocks });
  const { unbound, ...attained } = attainableTarget(wanted, stocks, account, String, bounds);
  const limits = { maxCapital, maxGross: maxGrossLimit, maxPerStock };
  return limitedTarget(unbound, EQUITY, limits, String, attained.bounds).weights;
}

const isBound = ({ wanted, isDenied, isLent }: World['legs'][number]): boolean =>
  isDenied || (!isLent && wanted.lt(ZERO));

const heldIn = ({ legs }: World): Weights =>
  new Map(
    legs.flatMap(({ wanted, held }, place) =>
      held.eq(ZERO) ? [] : [[idOf(place), wanted.lt(ZERO) ? ZERO.minus(held) : held]],
    ),
  );

const LAST_DIGITS = decimal('1e-30');

/** How far apart both are in these stocks together. */
const distance = (one: Weights, other: Weights, places: readonly number[]): Decimal =>
  sum(
    places.map((place) =>
      (one.get(idOf(place)) ?? ZERO).minus(other.get(idOf(place)) ?? ZERO).abs(),
    ),
  );

describe('a target of which some may not be increased', () => {
  it('is the same once the account has come to it: nothing is sold bit by bit', () => {
    fc.assert(
      fc.property(world, (one) => {
        const first = targetBeside(heldIn(one), one);
        const second = targetBeside(first, one);
        const places = [...one.legs.keys()];
        const bound = [...one.legs.entries()]
          .filter(([, each]) => isBound(each))
          .map(([place]) => place);
        expect(distance(first, second, bound).lt(LAST_DIGITS)).toBe(true);
        // The others fill what one that is bound has less for another limit.
        expect(distance(second, targetBeside(second, one), places).lt(LAST_DIGITS)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has no more of it than is held and than would be without that, and stays within every limit', () => {
    fc.assert(
      fc.property(world, (one) => {
        const held = heldIn(one);
        const weights = targetBeside(held, one);
        const { legs, maxGross, maxCapital, maxGrossLimit, maxPerStock } = one;
        const gross = grossOf(weights);
        expect(gross.lte(min(maxGross, maxGrossLimit ?? maxGross))).toBe(true);
        if (maxCapital) expect(gross.times(EQUITY).lte(maxCapital)).toBe(true);
        for (const [place, each] of legs.entries()) {
          const weight = weights.get(idOf(place)) ?? ZERO;
          if (maxPerStock) expect(weight.abs().lte(maxPerStock)).toBe(true);
          expect(weight.abs().lte(each.wanted.abs())).toBe(true);
          expect(weight.times(each.wanted).gte(ZERO)).toBe(true);
          if (isBound(each)) expect(weight.abs().lte(each.held)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['as if it were not bound, where as much is held', '0.3', { S0: '0.3', S1: '0.3' }],
    ['less, and the others fill what is left', '0.1', { S0: '0.1', S1: '0.5' }],
    ['no more than the share of the others', '0.5', { S0: '0.3', S1: '0.3' }],
  ])('takes of what is held %s', (_, held, expected) => {
    const half = { wanted: decimal('0.6'), held: decimal(held), isDenied: false, isLent: true };
    const bound = { ...half, isDenied: true };
    const limits = { maxCapital: null, maxGrossLimit: decimal('0.6'), maxPerStock: null };
    const one: World = { legs: [bound, { ...half, held: ZERO }], maxGross: ONE, ...limits };
    const found = [...targetBeside(heldIn(one), one)].map(([stockId, weight]) => [
      stockId,
      weight.toFixed(),
    ]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
